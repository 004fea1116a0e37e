"""
Maintain robots.txt, and notify search engines of changes.

    robots        robots.txt as lines: edit it, check it, ask what it allows
    engines       the search engines, one module for each
    settings      sitemapx.toml; `selection` chooses engines and finds their `secrets`
    urlset        the URLs of a set as it is now; `journal` knows what engines have accepted
    run           submits what is due to an engine, batch by batch (`submission`); `division` finds
                  the bad URLs of a rejected batch, an `outcome` is what became of one, and
                  `clock` gives the time
    transport     the network, with retries and pauses, and a dry run in its place
    guard         reasons not to submit
"""
# `public` has the public names. May import `sitemapx.convert` and `sitemapx.settingsfile`.

from sitemapx.names import public_names

TYPE_CHECKING = False  # typing takes longer to import than robots.txt to edit
if TYPE_CHECKING:
    from sitemapx.submit.public import *  # noqa: F403 - these are the names

__getattr__, __dir__ = public_names(__name__)
