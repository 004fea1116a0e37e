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
        "The schema requires loc, lastmod, changefreq and priority in this order, then extensions.",
        _VALIDATING,
        "Put the elements in the order loc, lastmod, changefreq, priority, extensions.",
        is_fixable=True,
        schema=True,
    ),
    "extension-order": Rule(
        "warning",
        "Extension elements not in schema order",
        "Google accepts any order, but its schemas, and validators that use them, do not.",
        f"{_GOOGLE}/combine-sitemap-extensions",
        "Put the elements in the order of the schema.",
        is_fixable=True,
        schema=True,
    ),
    "empty-element": Rule(
        "error",
        "Empty element",
        "An empty value is not valid for this element.",
        _VALIDATING,
        "Remove the element.",
        is_fixable=True,
        schema=True,
    ),
    "date-form": Rule(
        "warning",
        "Valid date in a format the schema rejects",
        "The schema requires seconds in times; W3C Datetime allows times without seconds.",
        "https://www.w3.org/TR/NOTE-datetime",
        "Write the date as YYYY-MM-DD or YYYY-MM-DDThh:mm:ss+hh:mm.",
        is_fixable=True,
        schema=True,
    ),
    "date-precision": Rule(
        "warning",
        "Date precision not allowed by the schema",
        "The schema rejects a year or month alone, a time without seconds whose zone is missing, "
        "and leap seconds.",
        "https://www.w3.org/TR/NOTE-datetime",
        "Write YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss with Z or an offset, if that much is known.",
        schema=True,
    ),
    "value-form": Rule(
        "error",
        "Value not in the form the schema requires",
        "Validators and strict parsers accept only one spelling of these values.",
        _VALIDATING,
        "Write the value in the required form.",
        is_fixable=True,
        schema=True,
    ),
    "foreign-element": Rule(
        "warning",
        "Element in an unknown namespace",
        "Other namespaces may extend a sitemap, but require a schema of their own to be validated.",
        f"{_PROTOCOL}#extending",
        "Remove the element unless some consumer needs it.",
        schema=True,
    ),
    "xhtml-element": Rule(
        "note",
        "Unexpected XHTML element",
        "The schema allows it, but search engines read only xhtml:link.",
        f"{_GOOGLE}/combine-sitemap-extensions",
        "Remove the element unless some consumer needs it.",
    ),
    "partly-judged": Rule(
        "warning",
        "Only partly validated against the schema",
        "The schema check covers the first 2,000 children of an element and 20,000 errors per "
        "file.",
        f"{_GOOGLE}/image-sitemaps",
        "Look for missing end tags, list fewer elements, or fix the other errors first.",
    ),
    "schema": Rule(
        "error",
        "Other XSD validation error",
        "A sitemap must be valid against the schema of the protocol.",
        _VALIDATING,
        "Correct the element or attribute that the validator rejects.",
        schema=True,
    ),
}
