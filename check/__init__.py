"""
Validate sitemaps, feeds and URL lists, and fix them.

    check(sources, report=print)   report the findings in sources, and count them
    fix_file(file)                 fix a file
    RULES                          all rules, by their codes
"""
# `checker` runs a check, `file` inspects files and merges the results, `rules` and `schema` find
# errors, and `fix` fixes them; `public` has the public names. May import `sitemapx.convert`,
# `sitemapx.patterns` and, of `sitemapx.submit`, only `sitemapx.submit.robots`.

from sitemapx.names import public_names

TYPE_CHECKING = False  # without importing typing, which is slow
if TYPE_CHECKING:
    from sitemapx.check.public import *  # noqa: F403 - these are the names

__getattr__, __dir__ = public_names(__name__)
