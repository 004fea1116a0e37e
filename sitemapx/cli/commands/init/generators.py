"""Site generators, known by their settings: the URL of a site, and its published folder."""

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from sitemapx.convert.values import uris

__all__ = ["DetectedSite", "detect_site"]


class Generator(NamedTuple):
    """
    A site generator.

    Attributes:
        files: The names of its settings file, each with a key that must be in it, if any.
        url: The keys whose values make up the URL of the site.
        folder: The key of the folder that it writes.
        usual_folders: That folder, if the settings do not name it; the first that exists counts.
        more: Another file that may have the URL.

    """

    files: Mapping[str, str]
    url: tuple[str, ...]
    folder: str
    usual_folders: tuple[str, ...]
    more: str = ""


class DetectedSite(NamedTuple):
    """
    A site whose generator was recognized.

    Attributes:
        generator: The name of the generator.
        file: Its settings.
        url: The URL of the site; None if the settings do not have it.
        root: The folder that is published.

    """

    generator: str
    file: str
    url: str | None
    root: str


def _files(*names: str, key: str = "") -> dict[str, str]:
    return dict.fromkeys(names, key)


_ENDINGS = ("js", "mjs", "cjs", "ts")
_GENERATORS = {
    "Hugo": Generator(
        _files("hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json")
        | _files("config/_default/hugo.toml", "config/_default/hugo.yaml")
        | _files("config.toml", "config.yaml", "config.yml", "config.json", key="baseURL"),
        ("baseURL",),
        "publishDir",
        ("public",),
    ),
    "Astro": Generator(
        _files(*(f"astro.config.{ending}" for ending in _ENDINGS)), ("site",), "outDir", ("dist",)
    ),
    "Next.js": Generator(
        _files(*(f"next.config.{ending}" for ending in _ENDINGS)),
        ("siteUrl",),
        "distDir",
        ("out",),
        more="next-sitemap.config.js",
    ),
    "Eleventy": Generator(
        _files(".eleventy.js", *(f"eleventy.config.{ending}" for ending in _ENDINGS)),
        (),
        "output",
        ("_site",),
    ),
    "Jekyll": Generator(
        _files("_config.yml", "_config.yaml"), ("url", "baseurl"), "destination", ("_site",)
    ),
    "MkDocs": Generator(_files("mkdocs.yml", "mkdocs.yaml"), ("site_url",), "site_dir", ("site",)),
    "Sphinx": Generator(
        _files(*(f"{folder}conf.py" for folder in ("", "docs/", "source/")), key="extensions"),
        ("html_baseurl",),
        "",
        ("_build/html", "build/html", "docs/_build/html", "docs/build/html"),
    ),
}
#: Hosts that only stand for a real one: https://www.rfc-editor.org/rfc/rfc2606
_PLACEHOLDER = re.compile(
    r"https?://(?:localhost|(?:[^/]*\.)?example(?:\.com|\.net|\.org|))(?:[:/]|$)"
)


def detect_site(folder: str = ".") -> DetectedSite | None:
    """Recognize the generator of a site by its settings; None if there is none that is known."""
    for name, generator in _GENERATORS.items():
        for file, key in generator.files.items():
            text = _text(os.path.join(folder, file))
            if text is not None and (not key or _value(text, key) is not None):
                return _detected(name, generator, folder, file, text)
    return None


def _detected(name: str, generator: Generator, folder: str, file: str, text: str) -> DetectedSite:
    texts = [text, (generator.more and _text(os.path.join(folder, generator.more))) or ""]
    url = next(filter(None, (_url(one, generator.url) for one in texts)), None)
    usual = generator.usual_folders
    root = generator.folder and _value(text, generator.folder)
    if not root:
        there = [one for one in usual if os.path.isdir(os.path.join(folder, one))]
        beside = [one for one in usual if one.startswith(f"{os.path.dirname(file)}/")]
        root = [*there, *beside, *usual][0]
    return DetectedSite(name, file, url, os.path.normpath(root))


def _url(text: str, keys: tuple[str, ...]) -> str | None:
    url = "".join(_value(text, key) or "" for key in keys)
    is_url = uris.to_uri(url) is not None and not _PLACEHOLDER.match(url)
    return url if is_url else None


def _text(path: str) -> str | None:
    with suppress(OSError, UnicodeDecodeError), open(path, encoding="utf-8-sig") as file:
        return file.read()
    return None


def _value(text: str, key: str) -> str | None:
    """Find the value of a key in TOML, YAML, JSON, JavaScript or Python; not in comments."""
    start = rf"(?:^|[{{,])[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*[:=][ \t]*"
    m = re.search(rf"{start}(?:\"([^\"\n]*)\"|'([^'\n]*)'|([^\s\"'#,{{}}]*))", text, re.MULTILINE)
    return next((group for group in m.groups() if group is not None), None) if m else None
