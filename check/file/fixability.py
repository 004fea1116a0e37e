"""What `check --fix` can fix: by the rule, the format, and where the file is."""

import os

from sitemapx.check.findings import Rule
from sitemapx.convert.formats.format import Format

__all__ = ["MARKUP", "TOO_LARGE", "is_fixable_code", "is_fixable_file"]

_FORMATS = ("sitemap", "sitemapindex", "text")
TOO_LARGE = frozenset({"too-many-urls", "too-many-bytes", "news-too-many"})
#: Rules for markup; a violation hides findings in the values it contains.
MARKUP = frozenset(
    {
        *("namespace", "wrong-order", "extension-order", "unescaped", "character", "encoding"),
        *("not-utf8", "space-before-xml", "doctype"),
    }
)
#: What can be fixed only if it is known where the file is published.
_NEEDS_URL = TOO_LARGE | {"relative-loc", "relative-child", "asset-url", "hreflang-url"}


def is_fixable_file(path: str | None, format: Format | None) -> bool:
    """Tell whether this is a file on disk in a format that can be fixed."""
    return bool(path and format and format.name in _FORMATS and os.path.isfile(path))


def is_fixable_code(code: str, rule: Rule, format: Format | None, url: str | None) -> bool:
    """Tell whether a finding can be fixed in a file, given where it is published, if known."""
    if code in TOO_LARGE and not (format and format.roots):
        return False  # the index of the set cannot replace a list
    return rule.is_fixable and (bool(url) or code not in _NEEDS_URL)
