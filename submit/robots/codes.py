"""The findings of `sitemapx robots check`: the one list of codes."""

from sitemapx.convert.model.problems import ProblemKind

__all__ = ["FINDINGS"]

#: error: something that the file is there for does not work; warning: it may not work with some
#: crawler; note: worth knowing, and perhaps meant.
FINDINGS = {
    # the file
    "hidden-by-bom": ProblemKind(
        "warning", "first line is hidden from some crawlers by a byte order mark"
    ),
    "past-limit": ProblemKind("error", "line is beyond the 500 KiB that Google reads"),
    "long-line": ProblemKind(
        "warning", "line is longer than 16,664 bytes; Google ignores the rest"
    ),
    "not-utf8": ProblemKind("warning", "line is not UTF-8"),
    "control-character": ProblemKind(
        "warning", "control character; some crawlers treat it as a line end"
    ),
    # the lines
    "misspelt": ProblemKind("warning", "misspelt key, or missing colon"),
    "no-group": ProblemKind("warning", "rule before the first User-agent line; crawlers ignore it"),
    "blank-in-group": ProblemKind(
        "note", "blank line in a group; ends the group for Python's urllib"
    ),
    # the Sitemap lines
    "relative": ProblemKind("error", "Sitemap URL is not absolute; most crawlers ignore it"),
    "unusable-url": ProblemKind("error", "Sitemap line has no valid http(s) URL"),
    "unescaped-url": ProblemKind("warning", "Sitemap URL has unescaped characters"),
    "cut-by-comment": ProblemKind("warning", "Sitemap URL is cut off by a comment"),
    "duplicate-line": ProblemKind("warning", "sitemap is already listed on an earlier line"),
    "other-host": ProblemKind("note", "URL is not on the host of robots.txt"),
    "several-hosts": ProblemKind("note", "pages are on several hosts; a robots.txt applies to one"),
    # what it disallows
    "sitemap-disallowed": ProblemKind("error", "sitemap is disallowed for the crawler"),
    "disallowed": ProblemKind("error", "page in a sitemap is disallowed for the crawler"),
}
