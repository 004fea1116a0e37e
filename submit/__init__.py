"""
Maintain robots.txt, and notify search engines of changes.

A run reads the sources (`urlset`), finds the items that are due (`journal`), and sends them to the
selected search engines (`engines`).
"""
# `public` has the public names. May import `sitemapx.convert` and `sitemapx.settingsfile`.

from sitemapx.names import public_names

TYPE_CHECKING = False  # importing typing takes longer than editing robots.txt
if TYPE_CHECKING:
    from sitemapx.submit.public import *  # noqa: F403 - these are the names

__getattr__, __dir__ = public_names(__name__)
