"""
Convert between all that search engines take as a sitemap.

    read(source)      -> Document: a head and a stream of entries
    write(document, target_of(output))
    convert(sources, target_of(output)): both, with indexes followed

Formats from elsewhere join by the entry-point group `sitemapx.formats` (see `Format`).
"""

from importlib import import_module
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sitemapx.convert.public import *  # noqa: F403 - these are the names


def __getattr__(name: str) -> Any:
    """Give a public name; until one is needed, who imports one module waits for no other."""
    if PathFinder.find_spec(f"{__name__}.{name}", __path__):  # noqa: F405 - that of any package
        raise AttributeError(name)  # a module, which the import that asked goes on to import
    return getattr(import_module("sitemapx.convert.public"), name)


def __dir__() -> list[str]:
    """List the public names."""
    return list(import_module("sitemapx.convert.public").__all__)
