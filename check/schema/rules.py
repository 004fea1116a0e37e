"""The rules that only the official schemas of sitemaps know."""

from sitemapx.check.findings import Rule

__all__ = ["RULES"]

_PROTOCOL = "https://www.sitemaps.org/protocol.html"
_VALIDATING = f"{_PROTOCOL}#validating"
_GOOGLE = "https://developers.google.com/search/docs/crawling-indexing/sitemaps"

RULES = {
    "wrong-order": Rule(
        "error",
        "Element out of order",
        "The schema wants loc, lastmod, changefreq, priority in this order, and extensions last.",
        _VALIDATING,
        "Put the elements into that order.",
        is_fixable=True,
        schema=True,
    ),
    "extension-order": Rule(
        "warning",
        "Extension elements not in schema order",
        "Google reads any order, but its schemas, and what validates by them, do not.",
        f"{_GOOGLE}/combine-sitemap-extensions",
        "Put the elements into the order of the schema.",
        is_fixable=True,
        schema=True,
    ),
    "empty-element": Rule(
        "error",
        "Empty element",
        "An empty value is not valid for this element.",
        _VALIDATING,
        "Leave the element out.",
        is_fixable=True,
        schema=True,
    ),
    "date-form": Rule(
        "warning",
        "Valid date in a format the schema rejects",
        "The schema knows times to the second; to the minute, which W3C Datetime allows, it "
        "refuses them.",
        "https://www.w3.org/TR/NOTE-datetime",
        "Write YYYY-MM-DD or YYYY-MM-DDThh:mm:ss+hh:mm.",
        is_fixable=True,
        schema=True,
    ),
    "date-precision": Rule(
        "warning",
        "Date precision not allowed by the schema",
        "The schema refuses a year or a month alone, and leap seconds, which W3C Datetime allows.",
        "https://www.w3.org/TR/NOTE-datetime",
        "Write the day, if it is known.",
        schema=True,
    ),
    "value-form": Rule(
        "error",
        "Value not in the form the schema requires",
        "Validators, and readers that take them literally, know these values in one spelling only.",
        _VALIDATING,
        "Write it as in the message.",
        is_fixable=True,
        schema=True,
    ),
    "foreign-element": Rule(
        "warning",
        "Element in an unknown namespace",
        "Other namespaces may extend a sitemap, but validate only with a schema of their own.",
        f"{_PROTOCOL}#extending",
        "Remove it unless some consumer needs it.",
        schema=True,
    ),
    "xhtml-element": Rule(
        "note",
        "Unexpected XHTML element",
        "It may stand there by its schema, but engines look for xhtml:link only.",
        f"{_GOOGLE}/combine-sitemap-extensions",
        "Leave it out unless somebody reads it.",
    ),
    "partly-judged": Rule(
        "warning",
        "Only partly validated against the schema",
        "It judges the first 2,000 children of an element, and ends after 20,000 errors in a file.",
        f"{_GOOGLE}/image-sitemaps",
        "Look for missing end tags, list less, or fix the other errors first.",
    ),
    "schema": Rule(
        "error",
        "Other XSD validation error",
        "A sitemap must be valid by the schema of the protocol.",
        _VALIDATING,
        "Follow the message, which is that of the validator.",
        schema=True,
    ),
}
