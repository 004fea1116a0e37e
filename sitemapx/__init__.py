"""
Convert, check and submit sitemaps.

    sitemapx.read(sources)                      return the entries of sources
    sitemapx.write(entries, output)             write entries, dicts, tuples or objects with `loc`
    sitemapx.convert(sources, output)           do both
    sitemapx.check(sources)                     find errors
    sitemapx.submit(sources)                    notify search engines of changes

Everything else is in the packages, three of which have the names of these functions:

    sitemapx.convert   read and write sitemaps, feeds and URL lists
    sitemapx.check     validate and fix them
    sitemapx.submit    edit robots.txt, notify search engines, keep a journal of submissions
    sitemapx.cli       the command line
    sitemapx.spark     read and write sitemaps with Apache Spark
    sitemapx.errors    the exceptions
"""
# Imports nothing, so that `sitemapx --version` starts fast.

__all__ = ["__version__"]

__version__ = "0.1.0"

_FUNCTIONS = ("check", "convert", "read", "submit", "write")


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in ("check", "convert", "submit"):
        return import_module(f"{__name__}.{name}")
    if name in _FUNCTIONS:
        return getattr(import_module(f"{__name__}.public"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)


def __dir__() -> list[str]:
    return [*__all__, *_FUNCTIONS]
