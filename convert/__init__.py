"""
Convert between all that search engines take as a sitemap.

    read(source)      -> Document: a head and a stream of entries
    write(document, target_of(output))
    convert(sources, target_of(output)): both, with indexes followed

Formats of other packages join by the entry-point group `sitemapx.formats` (see `Format`). Here are
the whole conversion (`conversion`), the comparison (`diff`) and the public names (`public`); each
package below is one layer. May import nothing else of sitemapx but `sitemapx.errors`.
"""

TYPE_CHECKING = False  # typing takes longer to import than robots.txt to edit
if TYPE_CHECKING:
    from typing import Any

    from sitemapx.convert.public import *  # noqa: F403 - these are the names


def __getattr__(name: str) -> "Any":
    """Give a public name; until one is needed, who imports one module waits for no other."""
    import sys

    if any(one.find_spec(f"{__name__}.{name}", __path__) for one in sys.meta_path):  # noqa: F405
        raise AttributeError(name)  # a module, which the import that asked goes on to import
    from importlib import import_module

    return getattr(import_module("sitemapx.convert.public"), name)


def __dir__() -> list[str]:
    """List the public names."""
    from sitemapx.convert import public

    return list(public.__all__)
