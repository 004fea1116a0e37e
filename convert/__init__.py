"""
Convert between all that search engines take as a sitemap.

    read(source)      -> Document: a head and a stream of entries
    write(document, target_of(output))
    convert(sources, target_of(output)): both, with indexes followed

Formats of other packages join by the entry-point group `sitemapx.formats` (see `Format`). Here are
the whole conversion (`conversion`), the comparison (`diff`) and the public names (`public`); each
package below is one layer. May import nothing else of sitemapx but `sitemapx.errors`,
`sitemapx.optionnames` and `sitemapx.patterns`.
"""

from sitemapx.names import public_names

TYPE_CHECKING = False  # typing takes longer to import than robots.txt to edit
if TYPE_CHECKING:
    from sitemapx.convert.public import *  # noqa: F403 - these are the names

__getattr__, __dir__ = public_names(__name__)
