"""Detects site generators, and reads a site's URL, directory and sitemap from their settings."""

import ast
import json
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from sitemapx.convert.values import uris

# ---- values of keys in the settings of site generators: TOML, YAML, JSON, JavaScript and Python

_STRING = r"\"[^\"\n]*\"|'[^'\n]*'|`[^`$\n]*`"
_strings = re.compile(_STRING).findall
#: Matches strings and comments of JavaScript; strings may contain `//`.
_comments = re.compile(rf"({_STRING})|/\*.*?\*/|(?<![:\w])//[^\n]*", re.DOTALL)
_yaml_text = re.compile(
    r"\"((?:[^\"\\]|\\.)*)\"|'([^']*)'|([^\s#][^\n]*?)(?:\s+#.*)?$", re.MULTILINE
)
_ENVIRONMENT = ("os.environ.get", "os.getenv", "environ.get", "getenv")


def _find_value(file: str, text: str, key: str) -> str | None:
    """
    Return the value of a key at the top level of a settings file, or anywhere in JavaScript.

    For an environment variable with a default, return the default. Return None if the key is
    missing, or has no literal value. The case of `key` matters only in code.
    """
    reader = _READERS.get(file.rpartition(".")[2], _find_in_javascript)
    return reader(text, key)


def _find_in_toml(text: str, key: str) -> str | None:
    try:
        return _find_in_table(tomllib.loads(text), key)
    except tomllib.TOMLDecodeError:
        return None


def _find_in_json(text: str, key: str) -> str | None:
    try:
        return _find_in_table(json.loads(text), key)
    except ValueError:
        return None


def _find_in_table(table: object, key: str) -> str | None:
    if not isinstance(table, dict):
        return None
    value = {str(name).lower(): value for name, value in table.items()}.get(key.lower())
    return value if isinstance(value, str) else None


def _find_in_yaml(text: str, key: str) -> str | None:
    """Return a scalar at the top level, or None; for `!ENV [NAME, default]`, the default."""
    m = re.search(rf"^{re.escape(key)}:[ \t]+(\S.*)$", text, re.MULTILINE | re.IGNORECASE)
    if m is None:
        return None
    if m[1].startswith("!ENV"):
        _, comma, default = m[1].strip(" ]").rpartition(",")
        return default.strip(" \t\"'") if comma else None
    scalar = _yaml_text.match(m[1])
    value = scalar[scalar.lastindex or 0] if scalar else ""
    return None if value[:1] in ("!", "[", "{", "&", "*", "|", ">") else value


def _find_in_python(text: str, key: str) -> str | None:
    with suppress(SyntaxError, ValueError):
        for statement in reversed(ast.parse(text).body):
            if isinstance(statement, ast.Assign) and any(
                isinstance(target, ast.Name) and target.id == key for target in statement.targets
            ):
                return _evaluate(statement.value)
    return None


def _evaluate(node: ast.expr) -> str | None:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.BoolOp(op=ast.Or(), values=[*_, last]):
            return _evaluate(last)
        case ast.Call(func=function, args=[_, default]) if ast.unparse(function) in _ENVIRONMENT:
            return _evaluate(default)
    return None


def _find_in_javascript(text: str, key: str) -> str | None:
    """
    Return the string assigned to a property or constant, or passed to a function, named `key`.

    If another constant is assigned, return the string of that constant. Of several strings, return
    the first for `?:`, else the last; None if there are none.
    """
    code = _comments.sub(lambda m: m[1] or "", text)
    start = rf"(?<![\w.$-])[\"']?{re.escape(key)}[\"']?[ \t]*(?::(?!:)|=(?!=|>)|\()\s*"
    expression = rf"((?:{_STRING}|[^,;\n}}\"'`])*)"
    m = re.search(f"(?:{start}|\\.{re.escape(key)}\\(\\s*){expression}", code)
    if m is None:
        return None
    strings: list[str] = [quoted[1:-1] for quoted in _strings(m[1])]
    if not strings:
        name = m[1].strip(" )")
        is_name = name != key and re.fullmatch(r"[A-Za-z_$][\w$]*", name)
        return _find_in_javascript(code, name) if is_name else None
    is_choice = re.search(r"\?(?![?.])", re.sub(_STRING, "", m[1]))
    return strings[0] if is_choice else strings[-1]


_READERS: dict[str, Callable[[str, str], str | None]] = {
    "toml": _find_in_toml,
    "json": _find_in_json,
    "yaml": _find_in_yaml,
    "yml": _find_in_yaml,
    "py": _find_in_python,
}


class Generator(NamedTuple):
    """
    A site generator.

    Attributes:
        files: Names of its settings files, in order of priority.
        url: Key of the URL of the site.
        folder: Keys of the output directory, in order of priority.
        usual_folders: Output directories if no such key is set; the first that exists is used.
        path: Key of the path to append to the URL; empty if the generator has no such key.
        needs: Key that a settings file must have, if other programs use files of the same name;
            empty otherwise.
        more: Other files that may contain the URL.
        sitemap: Name of the sitemap that the generator writes; empty if it does not write a
            sitemap.
        plugin: Name of the plugin, in the settings or packages, that writes the sitemap; empty if
            the generator always writes a sitemap.

    """

    files: Sequence[str]
    url: str
    folder: Sequence[str]
    usual_folders: Sequence[str]
    path: str = ""
    needs: str = ""
    more: Sequence[str] = ()
    sitemap: str = ""
    plugin: str = ""


class DetectedSite(NamedTuple):
    """
    A site whose generator was recognized.

    Attributes:
        file: Name of the settings file of the generator.
        url: URL of the site; None if the settings do not have the real URL.
        root: Published directory, relative to the directory that was searched.
        sitemap: Name of the sitemap that the generator writes to `root`; None if it does not
            write a sitemap.
        why_no_url: Message about the key and file that should have the URL; empty if `url` is set.

    """

    generator: str
    file: str
    url: str | None
    root: str
    sitemap: str | None = None
    why_no_url: str = ""


def _combine_names(names: str, endings: str) -> list[str]:
    return [f"{name}.{ending}" for name in names.split() for ending in endings.split()]


_DATA, _CODE = "toml yaml yml json", "js mjs cjs ts"
_HUGO = _combine_names("config/production/hugo config/production/config", _DATA)
_HUGO += _combine_names("hugo config/_default/hugo config/_default/config", _DATA)
_SPHINX = ("", "docs/", "doc/", "source/", "docs/source/", "doc/source/")
_ELEVENTY = [
    f"{folder}_data/{name}" for folder in ("", "src/", "content/") for name in ("metadata", "site")
]

#: Name -> generator. Hugo has a second row for file names that other generators use as well.
_GENERATORS: Sequence[tuple[str, Generator]] = (
    ("Hugo", Generator(_HUGO, "baseURL", ("publishDir",), ("public",), sitemap="sitemap.xml")),
    (
        "Hugo",
        Generator(
            _combine_names("config", _DATA),
            "baseURL",
            ("publishDir",),
            ("public",),
            needs="baseURL",
            sitemap="sitemap.xml",
        ),
    ),
    (
        "Astro",
        Generator(
            _combine_names("astro.config", _CODE),
            "site",
            ("outDir",),
            ("dist",),
            path="base",
            sitemap="sitemap-index.xml",
            plugin="@astrojs/sitemap",
        ),
    ),
    (
        "Next.js",
        Generator(
            _combine_names("next.config", _CODE),
            "siteUrl",
            ("distDir",),
            ("out",),
            path="basePath",
            more=_combine_names("next-sitemap.config", _CODE),
            sitemap="sitemap.xml",
            plugin="next-sitemap",
        ),
    ),
    (
        "Eleventy",
        Generator(
            [".eleventy.js", *_combine_names("eleventy.config", _CODE)],
            "url",
            ("output", "setOutputDirectory"),
            ("_site",),
            path="pathPrefix",
            more=_combine_names(" ".join(_ELEVENTY), "js json cjs mjs"),
        ),
    ),
    (
        "Jekyll",
        Generator(
            _combine_names("_config", "yml yaml toml"),
            "url",
            ("destination",),
            ("_site",),
            path="baseurl",
            sitemap="sitemap.xml",
            plugin="jekyll-sitemap",
        ),
    ),
    (
        "MkDocs",
        Generator(
            _combine_names("mkdocs", "yml yaml"),
            "site_url",
            ("site_dir",),
            ("site",),
            sitemap="sitemap.xml",
        ),
    ),
    (
        "Sphinx",
        Generator(
            [f"{folder}conf.py" for folder in _SPHINX],
            "html_baseurl",
            (),
            ("_build/html", "build/html"),
            needs="extensions",
            sitemap="sitemap.xml",
            plugin="sphinx_sitemap",
        ),
    ),
)
#: Files that list plug-ins.
_PACKAGES = ("package.json", "Gemfile")
#: Placeholder hosts: https://www.rfc-editor.org/rfc/rfc2606
_PLACEHOLDER = re.compile(
    r"https?://(?:localhost|(?:[^/]*\.)?example(?:\.com|\.net|\.org|))(?:[:/]|$)"
)


def detect_site(folder: str = ".") -> DetectedSite | None:
    """Return the site whose generator has settings in a directory; None without such settings."""
    for name, generator in _GENERATORS:
        texts = dict(_read_files(folder, generator.files))
        if generator.needs:
            texts = {file: text for file, text in texts.items() if _has_key(text, generator.needs)}
        if texts:
            return _describe_site(name, generator, folder, texts)
    return None


def _has_key(text: str, key: str) -> bool:
    return re.search(rf"^[\s{{]*[\"']?{key}[\"']?\s*[:=]", text, re.MULTILINE) is not None


def _read_files(folder: str, files: Sequence[str]) -> Iterator[tuple[str, str]]:
    for file in files:
        path = os.path.join(folder, file)
        with suppress(OSError, UnicodeDecodeError), open(path, encoding="utf-8-sig") as opened:
            yield file, opened.read()


def _describe_site(
    name: str, generator: Generator, folder: str, texts: dict[str, str]
) -> DetectedSite:
    file = next(iter(texts))
    more = dict(_read_files(folder, generator.more))
    root = _find_first(texts, generator.folder) or _find_folder(
        folder, file, generator.usual_folders
    )
    packages = dict(_read_files(folder, _PACKAGES))
    has_sitemap = not generator.plugin or any(
        generator.plugin in text for text in (*texts.values(), *packages.values(), *more)
    )
    all_texts = texts | more
    key, found = generator.url, _find_first(all_texts, (generator.url,)) or ""
    why = _why_unusable(found)
    return DetectedSite(
        name,
        file,
        None if why else _add_path(found, all_texts, generator),
        os.path.normpath(root),
        generator.sitemap if generator.sitemap and has_sitemap else None,
        f"{_file_with(key, found, all_texts) or file}: {key} {why}" if why else "",
    )


def _find_first(texts: dict[str, str], keys: Sequence[str]) -> str | None:
    values = (_find_value(file, text, key) for file, text in texts.items() for key in keys)
    return next(filter(None, values), None)


def _why_unusable(url: str) -> str:
    """Return why a value is not the URL of a site, for a message; empty if the value is valid."""
    if not url:
        return "is not set, or is computed"
    if uris.to_uri(url) is None:
        return f"is {url!r}, which is not an absolute URL"
    return f"is {url!r}, which is a placeholder" if _PLACEHOLDER.match(url) else ""


def _file_with(key: str, value: str, texts: dict[str, str]) -> str | None:
    return next(
        (file for file, text in texts.items() if _find_value(file, text, key) == value), None
    )


def _add_path(url: str, texts: dict[str, str], generator: Generator) -> str:
    """Append the path in the settings to the URL of the site, unless the URL ends with it."""
    path = ((generator.path and _find_first(texts, (generator.path,))) or "").strip("/")
    is_below = path and not url.rstrip("/").endswith(f"/{path}")
    return f"{url.rstrip('/')}/{path}" if is_below else url


def _find_folder(folder: str, file: str, names: Sequence[str]) -> str:
    """Return the first usual output directory that exists, or the first one if none exists."""
    base = os.path.dirname(file)
    if base.startswith("config/"):
        base = ""
    elif os.path.basename(base) == "source":
        base, names = os.path.dirname(base), [*reversed(names)]
    candidates = [os.path.join(parent, name) for parent in (base, "") for name in names]
    exists = (path for path in candidates if os.path.isdir(os.path.join(folder, path)))
    return next(exists, candidates[0])
