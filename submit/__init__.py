"""
Maintain robots.txt, and notify search engines of changes.

    robots        robots.txt as lines: edit it, check it, and find the pages that it allows
    engines       the search engines, one module for each
    settings      sitemapx.toml; `selection` chooses engines and finds their `secrets`
    urlset        the current URLs of a set; `journal` records what search engines have accepted
    run           submits everything that is due, batch by batch (`submission`); `division` finds
                  the bad URLs of a rejected batch, an `outcome` is the result of a batch, and
                  `clock` gives the time
    transport     the network, with retries and pauses, or a dry run instead
    guard         reasons not to submit
"""
# `public` has the public names. May import `sitemapx.convert` and `sitemapx.settingsfile`.

from sitemapx.names import public_names

TYPE_CHECKING = False  # typing takes longer to import than robots.txt to edit
if TYPE_CHECKING:
    from sitemapx.submit.public import *  # noqa: F403 - these are the names

__getattr__, __dir__ = public_names(__name__)
