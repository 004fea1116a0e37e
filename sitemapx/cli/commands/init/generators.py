"""Site generators, known by their settings: the URL of a site, its directory and its sitemap."""

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
#: Comments of JavaScript; what follows `//` within a string is none.
_comments = re.compile(rf"({_STRING})|/\*.*?\*/|(?<![:\w])//[^\n]*", re.DOTALL)
_yaml_text = re.compile(
    r"\"((?:[^\"\\]|\\.)*)\"|'([^']*)'|([^\s#][^\n]*?)(?:\s+#.*)?$", re.MULTILINE
)
_ENVIRONMENT = ("os.environ.get", "os.getenv", "environ.get", "getenv")


def _value_of(file: str, text: str, key: str) -> str | None:
    """
    Find the value of a key at the top of a settings file, or anywhere in JavaScript.

    Where a variable of the environment has a default, that is the value.

    Args:
        file: Name of the file, whose suffix is that of its language.
        text: Content of the file.
        key: Name of the key; its case counts only in code.

    Returns:
        None if there is none, or it is no text that is known without running code.

    """
    reader = _READERS.get(file.rpartition(".")[2], _in_javascript)
    return reader(text, key)


def _in_toml(text: str, key: str) -> str | None:
    try:
        return _of_table(tomllib.loads(text), key)
    except tomllib.TOMLDecodeError:
        return None


def _in_json(text: str, key: str) -> str | None:
    try:
        return _of_table(json.loads(text), key)
    except ValueError:
        return None


def _of_table(table: object, key: str) -> str | None:
    if not isinstance(table, dict):
        return None
    found = {str(name).lower(): value for name, value in table.items()}.get(key.lower())
    return found if isinstance(found, str) else None


def _in_yaml(text: str, key: str) -> str | None:
    """Find a scalar at the top level; of `!ENV [NAME, default]` it is the default."""
    m = re.search(rf"^{re.escape(key)}:[ \t]+(\S.*)$", text, re.MULTILINE | re.IGNORECASE)
    if m is None:
        return None
    if m[1].startswith("!ENV"):
        _, comma, default = m[1].strip(" ]").rpartition(",")
        return default.strip(" \t\"'") if comma else None
    found = _yaml_text.match(m[1])
    value = next((one for one in found.groups() if one is not None), "") if found else ""
    return None if value[:1] in ("!", "[", "{", "&", "*", "|", ">") else value


def _in_python(text: str, key: str) -> str | None:
    with suppress(SyntaxError, ValueError):
        for statement in reversed(ast.parse(text).body):
            if isinstance(statement, ast.Assign) and any(
                isinstance(target, ast.Name) and target.id == key for target in statement.targets
            ):
                return _constant(statement.value)
    return None


def _constant(node: ast.expr) -> str | None:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.BoolOp(op=ast.Or(), values=[*_, last]):
            return _constant(last)
        case ast.Call(func=function, args=[_, default]) if ast.unparse(function) in _ENVIRONMENT:
            return _constant(default)
    return None


def _in_javascript(text: str, key: str) -> str | None:
    """Find what a property, a constant or the argument of a function of this name is."""
    code = _comments.sub(lambda m: m[1] or "", text)
    start = rf"(?<![\w.$-])[\"']?{re.escape(key)}[\"']?[ \t]*(?::(?!:)|=(?!=|>)|\()\s*"
    expression = rf"((?:{_STRING}|[^,;\n}}\"'`])*)"
    m = re.search(f"(?:{start}|\\.{re.escape(key)}\\(\\s*){expression}", code)
    if m is None:
        return None
    found: list[str] = [one[1:-1] for one in _strings(m[1])]
    if not found:
        name = m[1].strip(" )")
        is_name = name != key and re.fullmatch(r"[A-Za-z_$][\w$]*", name)
        return _in_javascript(code, name) if is_name else None
    is_choice = re.search(r"\?(?![?.])", re.sub(_STRING, "", m[1]))
    return found[0] if is_choice else found[-1]


_READERS: dict[str, Callable[[str, str], str | None]] = {
    "toml": _in_toml,
    "json": _in_json,
    "yaml": _in_yaml,
    "yml": _in_yaml,
    "py": _in_python,
}


class Generator(NamedTuple):
    """
    A site generator.

    Attributes:
        files: Names of its settings files; those that override others come first.
        url: Key of the URL of the site.
        path: Key of the path of the site below that; empty if it has none.
        folder: Keys of the directory that it writes.
        usual_folders: That directory, if the settings do not name it; the first that exists counts.
        needs: Key that must be in the first file, as others use the name of the file; empty if
            the name suffices.
        more: Other files that may have the URL.
        sitemap: Name of the sitemap that it writes; empty if it writes none.
        plugin: What its settings or packages must have for that; empty if nothing.

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
        generator: The name of the generator.
        file: Its settings.
        url: The URL of the site; None if the settings do not have it.
        root: The directory that is published.
        sitemap: Name of the sitemap that the generator writes there; None if it writes none.

    """

    generator: str
    file: str
    url: str | None
    root: str
    sitemap: str | None = None


def _named(names: str, endings: str) -> list[str]:
    """Return each of some names with each ending."""
    return [f"{name}.{ending}" for name in names.split() for ending in endings.split()]


_DATA, _CODE = "toml yaml yml json", "js mjs cjs ts"
_HUGO = _named("config/production/hugo config/production/config", _DATA)
_HUGO += _named("hugo config/_default/hugo config/_default/config", _DATA)
_SPHINX = ("", "docs/", "doc/", "source/", "docs/source/", "doc/source/")
_ELEVENTY = [
    f"{folder}_data/{name}" for folder in ("", "src/", "content/") for name in ("metadata", "site")
]

#: Name -> generator; one that shares the name of its file with others has a second row.
_GENERATORS: Sequence[tuple[str, Generator]] = (
    ("Hugo", Generator(_HUGO, "baseURL", ("publishDir",), ("public",), sitemap="sitemap.xml")),
    (
        "Hugo",
        Generator(
            _named("config", _DATA),
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
            _named("astro.config", _CODE),
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
            _named("next.config", _CODE),
            "siteUrl",
            ("distDir",),
            ("out",),
            path="basePath",
            more=_named("next-sitemap.config", _CODE),
            sitemap="sitemap.xml",
            plugin="next-sitemap",
        ),
    ),
    (
        "Eleventy",
        Generator(
            [".eleventy.js", *_named("eleventy.config", _CODE)],
            "url",
            ("output", "setOutputDirectory"),
            ("_site",),
            path="pathPrefix",
            more=_named(" ".join(_ELEVENTY), "js json cjs mjs"),
        ),
    ),
    (
        "Jekyll",
        Generator(
            _named("_config", "yml yaml toml"),
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
            _named("mkdocs", "yml yaml"),
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
#: Where plug-ins are listed beside the settings.
_PACKAGES = ("package.json", "Gemfile")
#: Hosts that only stand for a real one: https://www.rfc-editor.org/rfc/rfc2606
_PLACEHOLDER = re.compile(
    r"https?://(?:localhost|(?:[^/]*\.)?example(?:\.com|\.net|\.org|))(?:[:/]|$)"
)


def detect_site(folder: str = ".") -> DetectedSite | None:
    """Recognize the generator of a site by its settings; None if there is none that is known."""
    for name, generator in _GENERATORS:
        texts = dict(_texts(folder, generator.files))
        if generator.needs:
            texts = {file: text for file, text in texts.items() if _has(text, generator.needs)}
        if texts:
            return _detected(name, generator, folder, texts)
    return None


def _has(text: str, key: str) -> bool:
    return re.search(rf"^[\s{{]*[\"']?{key}[\"']?\s*[:=]", text, re.MULTILINE) is not None


def _texts(folder: str, files: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Read the files that exist."""
    for file in files:
        path = os.path.join(folder, file)
        with suppress(OSError, UnicodeDecodeError), open(path, encoding="utf-8-sig") as opened:
            yield file, opened.read()


def _detected(name: str, generator: Generator, folder: str, texts: dict[str, str]) -> DetectedSite:
    file = next(iter(texts))
    more = dict(_texts(folder, generator.more))
    root = _first(texts, generator.folder) or _usual_folder(folder, file, generator.usual_folders)
    packages = dict(_texts(folder, _PACKAGES))
    has_sitemap = not generator.plugin or any(
        generator.plugin in text for text in (*texts.values(), *packages.values(), *more)
    )
    return DetectedSite(
        name,
        file,
        _url(texts | more, generator),
        os.path.normpath(root),
        generator.sitemap if generator.sitemap and has_sitemap else None,
    )


def _first(texts: dict[str, str], keys: Sequence[str]) -> str | None:
    """Return the first value of these keys, in any of the files."""
    values = (_value_of(file, text, key) for file, text in texts.items() for key in keys)
    return next(filter(None, values), None)


def _url(texts: dict[str, str], generator: Generator) -> str | None:
    """Return the URL of the site with its path; a placeholder is none."""
    url = _first(texts, (generator.url,)) or ""
    if uris.to_uri(url) is None or _PLACEHOLDER.match(url):
        return None
    path = ((generator.path and _first(texts, (generator.path,))) or "").strip("/")
    is_below = path and not url.rstrip("/").endswith(f"/{path}")
    return f"{url.rstrip('/')}/{path}" if is_below else url


def _usual_folder(folder: str, file: str, names: Sequence[str]) -> str:
    """Return the usual directory: beside the settings, or beside the directory of sources."""
    base = os.path.dirname(file)
    if base.startswith("config/"):
        base = ""
    elif os.path.basename(base) == "source":
        base, names = os.path.dirname(base), [*reversed(names)]
    found = [os.path.join(one, name) for one in (base, "") for name in names]
    return next((one for one in found if os.path.isdir(os.path.join(folder, one))), found[0])
