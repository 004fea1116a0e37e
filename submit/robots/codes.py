"""The findings of `sitemapx robots check`: the one list of codes."""

from sitemapx.convert.model.problems import ProblemKind

__all__ = ["FINDINGS"]

#: error: something that the file is there for does not work; warning: it may not work with some
#: crawler; note: worth knowing, and perhaps meant.
FINDINGS = {
    # the file
    "hidden-by-bom": ProblemKind(
        "warning", "the first line, which crawlers that take a byte order mark for text do not see"
    ),
    "past-limit": ProblemKind("error", "a line beyond the 500 KiB that Google reads"),
    "long-line": ProblemKind(
        "warning", "a line of more than 16,664 bytes, of which Google drops the rest"
    ),
    "not-utf8": ProblemKind("warning", "a line that is not UTF-8"),
    "control-character": ProblemKind("warning", "a control character; some take it for a line end"),
    # the lines
    "misspelt": ProblemKind(
        "warning", "a key or a missing colon that not every crawler understands"
    ),
    "no-group": ProblemKind(
        "warning", "a rule above all User-agent lines, which no crawler follows"
    ),
    "blank-in-group": ProblemKind(
        "note", "a blank line in a group, which ends it for Python's urllib"
    ),
    # the Sitemap lines
    "relative": ProblemKind("error", "a Sitemap line without a full URL; most crawlers skip it"),
    "unusable-url": ProblemKind(
        "error", "a Sitemap line without a URL, or not with one of http(s)"
    ),
    "unescaped-url": ProblemKind(
        "warning", "a Sitemap URL with characters that not every crawler escapes"
    ),
    "cut-by-comment": ProblemKind(
        "warning", "a Sitemap URL that ends at a #, which begins a comment"
    ),
    "duplicate-line": ProblemKind(
        "warning", "a sitemap that an earlier line names, perhaps spelt otherwise"
    ),
    "other-host": ProblemKind("note", "URLs on another host than the one that robots.txt is for"),
    "several-hosts": ProblemKind(
        "note", "pages of several hosts, all judged: a robots.txt is for one"
    ),
    # what it disallows
    "sitemap-disallowed": ProblemKind("error", "a sitemap that the crawler may not fetch"),
    "disallowed": ProblemKind("error", "a page in a sitemap that the crawler may not fetch"),
}
