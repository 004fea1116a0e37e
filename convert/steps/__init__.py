"""
Steps between reader and writer: filter, sort and change entries.

    convert(sources, target, steps=[since("7d"), sort("loc")])
"""
# `public` has the public names. May import `sources` and the layers below it in `sitemapx.convert`.

from sitemapx.names import public_names

TYPE_CHECKING = False  # without importing typing, which is slow
if TYPE_CHECKING:
    from sitemapx.convert.steps.public import *  # noqa: F403 - these are the names

__getattr__, __dir__ = public_names(__name__)
