"""Jinja templates (https://jinja.palletsprojects.com), and language versions of a page."""

import os
import traceback
from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from sitemapx.convert.model.entry import Alternate
from sitemapx.convert.values import uris
from sitemapx.errors import InputError, UsageError
from sitemapx.optionnames import option

if TYPE_CHECKING:
    from jinja2 import Template


#: Variables that contain the links of a page.
_LINKS = frozenset({"content", "items"})


class PageTemplate:
    """A compiled template; its errors are raised as `InputError` with file and, if known, line."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._folder = os.path.abspath(os.path.dirname(path))
        self._template = self._compile()

    def _compile(self) -> "Template":
        try:
            from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateSyntaxError
            from jinja2.meta import find_referenced_templates, find_undeclared_variables
        except ImportError as error:
            raise UsageError(
                f"{option('template')} requires Jinja2: pip install 'sitemapx[html]'"
            ) from error
        loader = FileSystemLoader(self._folder)
        environment = Environment(
            loader=loader, autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
        )
        try:
            with open(self._path, encoding="utf-8") as file:
                parsed = environment.parse(file.read(), filename=self._path)
            used = find_undeclared_variables(parsed)
            is_whole = not any(find_referenced_templates(parsed))
            if is_whole and used.isdisjoint(_LINKS):
                message = "template prints neither `content` nor `items`, so no page has links"
                raise InputError(message, self._path)
            return environment.get_template(os.path.basename(self._path))
        except OSError as error:
            raise InputError(error.strerror or str(error), self._path) from error
        except UnicodeDecodeError as error:
            raise InputError("template is not UTF-8", self._path) from error
        except TemplateSyntaxError as error:
            name = self._display_path(error.filename) if error.filename else self._path
            raise InputError(error.message or "syntax error", name, error.lineno) from error

    def render(self, variables: dict[str, Any], content: str) -> bytes:
        """Render a page; `content` is markup, which is not escaped."""
        from markupsafe import Markup

        markup = Markup(content)  # noqa: S704 - its texts were escaped
        try:
            return self._template.render(variables, content=markup).encode("utf-8", "replace")
        except MemoryError:
            raise
        except Exception as error:  # expressions may raise any exception
            raise self._make_error(error) from error

    def _make_error(self, error: Exception) -> InputError:
        """Return the error to raise, with the last file and line reached in a template."""
        from jinja2 import TemplateNotFound

        frames = [
            frame
            for frame in traceback.extract_tb(error.__traceback__)
            if frame.filename.startswith(self._folder) and not frame.filename.endswith(".py")
        ]
        message = " ".join(str(error).split()) or type(error).__name__
        if isinstance(error, TemplateNotFound):
            message = f"template {error.name!r} not found"
        if not frames:
            return InputError(message, self._path)
        return InputError(message, self._display_path(frames[-1].filename), frames[-1].lineno)

    def _display_path(self, path: str) -> str:
        """Return the path of a template for messages, in the form of the main template's path."""
        relative = os.path.relpath(path, self._folder)
        return os.path.join(os.path.dirname(self._path), relative)


# ---- the versions of a page in other languages

#: Language code of the version for languages without their own version.
DEFAULT = "x-default"


class LanguageVersions(dict[str, tuple[str | None, str | None]]):
    """Language and title of each version by URL; `default` is the URL for other languages."""

    default: str | None = None

    @classmethod
    def from_alternates(
        cls,
        alternates: Iterable[Alternate],
        code_of: Callable[[str], str | None],
        title_of: Callable[[str], str | None],
        tally: Callable[[str, str], object],
    ) -> "LanguageVersions":
        """
        Return the language versions among the alternates of an entry.

        Args:
            code_of: Returns the valid form of a language code; None if the code is invalid.
            title_of: Returns the title to display; None if the title has no visible characters.
            tally: Called with the code and the message of each problem.

        """
        found = cls()
        for alternate in alternates:
            if (
                not alternate.hreflang
                or alternate.rel not in (None, "alternate")
                or alternate.media
            ):
                tally(
                    "dropped-field", "html supports only alternates with hreflang; others dropped"
                )
                continue
            href, code = uris.to_uri(alternate.href or ""), code_of(alternate.hreflang)
            if href is None:
                tally("bad-value", "invalid URL of an alternate; dropped")
            elif code:
                found._add_version(
                    href, code, title_of(alternate.title) if alternate.title else None
                )
        return found

    def _add_version(self, url: str, language: str, title: str | None) -> None:
        """Add a version of a page; a language replaces "x-default" for the same URL."""
        if language == DEFAULT:
            self.default = url
        if url not in self or self[url][0] == DEFAULT:
            self[url] = (language, title)

    @property
    def group(self) -> str:
        """Digest that is equal for pages whose versions have the same URLs."""
        return blake2b("\n".join(sorted(self)).encode(), digest_size=16).hexdigest()

    def representative(self, language: str) -> str:
        """
        Return the URL that determines the position of all versions in the tree.

        Preferred is the version in `language`, the language of the site map; then the default, if
        it also has a language; then the deepest version, first by URL, as many pages may wrongly
        list the same page near the root as their version.
        """

        def rank(url: str) -> tuple[int, int, str]:
            code = (self[url][0] or "").lower()
            if language and code == language:
                return 0, 0, url
            if language and code.partition("-")[0] == language.partition("-")[0]:
                return 1, 0, url
            return 2 if url == self.default else 3, -url.rstrip("/").count("/"), url

        regular = [url for url, (code, _) in self.items() if code != DEFAULT]
        return min(regular or self, key=rank)
