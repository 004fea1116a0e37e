"""The versions of a page in other languages."""

from collections.abc import Callable, Iterable
from hashlib import blake2b

from sitemapx.convert.model.entry import Alternate
from sitemapx.convert.values import uris

__all__ = ["DEFAULT", "LanguageVersions"]

#: What stands for all languages without a version of their own.
DEFAULT = "x-default"


class LanguageVersions(dict[str, tuple[str | None, str | None]]):
    """
    Language and title of each version, by its URL.

    Attributes:
        default: URL of the version for all other languages.

    """

    default: str | None = None

    @classmethod
    def of(
        cls,
        alternates: Iterable[Alternate],
        code_of: Callable[[str], str | None],
        title_of: Callable[[str], str | None],
        tally: Callable[[str, str], object],
    ) -> "LanguageVersions":
        """
        Return the versions that the alternates of an entry name.

        Args:
            code_of: Makes a language code valid.
            title_of: Makes a title valid.
            tally: Called with the code and the message of what cannot be kept.

        """
        found = cls()
        for one in alternates:
            if not one.hreflang or one.rel not in (None, "alternate") or one.media:
                tally("not-held", "html supports only alternates with hreflang; others dropped")
                continue
            href, code = uris.to_uri(one.href or ""), code_of(one.hreflang)
            if href is None:
                tally("bad-value", "invalid URL of an alternate; dropped")
            elif code:
                found._add(href, code, title_of(one.title) if one.title else None)
        return found

    def _add(self, url: str, language: str, title: str | None) -> None:
        """Add a version; one may be that of a language and the default."""
        if language == DEFAULT:
            self.default = url
        if url not in self or self[url][0] == DEFAULT:
            self[url] = (language, title)

    @property
    def group(self) -> str:
        """A text that is equal for pages with the same versions."""
        return blake2b("\n".join(sorted(self)).encode(), digest_size=16).hexdigest()

    def place(self, language: str) -> str:
        """
        Return the URL whose place in the tree all versions share.

        That is the version in the language of the site map, else the default if it is that of a
        language, too, else the first by URL of the deepest. (By mistake, many pages may name the
        same page near the root as their version.)
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
