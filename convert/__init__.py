"""
Convert between all formats that search engines accept as a sitemap.

    read(source)                          return a Document: a head and a stream of entries
    write(document, target_of(output))    write a Document
    convert(sources, target_of(output))   do both, and read the sitemaps that an index lists

Other packages can add formats through the entry-point group `sitemapx.formats` (see `Format`).
"""
# `conversion` is the whole conversion, `diff` the comparison, and `public` has the public names;
# each package below is one layer. May import `sitemapx.errors`, `sitemapx.names`,
# `sitemapx.optionnames`, `sitemapx.patterns`, `sitemapx.plugins` and `sitemapx.suggestions`.

from sitemapx.names import public_names

TYPE_CHECKING = False  # importing typing takes longer than editing robots.txt
if TYPE_CHECKING:
    from sitemapx.convert.public import *  # noqa: F403 - these are the names

__getattr__, __dir__ = public_names(__name__)
