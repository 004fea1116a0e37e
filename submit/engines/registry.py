"""The table of search engines: the built-in ones, and those of other packages."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

from sitemapx.errors import UnknownNameError, UsageError
from sitemapx.plugins import load_plugins
from sitemapx.submit.engines.engine import Engine, EngineInfo

#: The entry-point group of engines from other packages.
_GROUP = "sitemapx.engines"
_PACKAGE = "sitemapx.submit.engines"

#: Name -> module and class, imported on first use. Endpoints and limits are from the documentation
#: linked in the modules, as of 2026-11-20.
_ENGINE_CLASSES = {
    "indexnow": f"{_PACKAGE}.indexnow:IndexNow",
    "google": f"{_PACKAGE}.google:Google",
    "bing": f"{_PACKAGE}.bing:Bing",
    "yandex": f"{_PACKAGE}.yandex:Yandex",
    "baidu": f"{_PACKAGE}.baidu:Baidu",
    "websub": f"{_PACKAGE}.websub:WebSub",
    "google-indexing": f"{_PACKAGE}.google:GoogleIndexing",
    "google-ping": f"{_PACKAGE}.retired:GooglePing",
    "bing-ping": f"{_PACKAGE}.retired:BingPing",
    "xmlrpc": f"{_PACKAGE}.retired:XmlRpc",
}


@cache
def _all() -> dict[str, type[Engine]]:
    """Return all search engines by name; other packages cannot replace built-in ones."""
    found: dict[str, Any] = {}
    for name, location in _ENGINE_CLASSES.items():
        module, _, attribute = location.partition(":")
        found[name] = getattr(import_module(module), attribute)
    return found | load_plugins(_GROUP, _is_engine) | found


def _is_engine(plugin: object) -> bool:
    return isinstance(getattr(plugin, "about", None), EngineInfo)


def all_engines() -> Iterator[type[Engine]]:
    """Yield the classes of all search engines: the built-in ones, then those of other packages."""
    yield from _all().values()


def engine_by_name(name: str) -> type[Engine]:
    """Return the class of a search engine; raise `UsageError` if it is unknown or retired."""
    engines = _all()
    if name not in engines:
        active = (name for name, engine in engines.items() if engine.about.status != "retired")
        raise UnknownNameError("engine", name, active)
    about = engines[name].about
    if about.status == "retired":
        raise UsageError(f"{name}: {about.note}")
    return engines[name]
