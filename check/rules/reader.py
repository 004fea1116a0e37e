"""
Rules whose violations are detected by readers and the official schemas.

Readers report the codes of `sitemapx.convert.model.problems`.
"""

from sitemapx.check.findings import Rule

_PROTOCOL = "https://www.sitemaps.org/protocol.html"
_XML = "https://www.w3.org/TR/xml/"
_GZIP = "https://www.rfc-editor.org/rfc/rfc1952"
_GOOGLE = "https://developers.google.com/search/docs/crawling-indexing/sitemaps"
_JSONL = "https://jsonlines.org/"
_VALIDATING = f"{_PROTOCOL}#validating"

#: Rules for the file as a whole.
_CONTAINERS = {
    "unreadable": Rule(
        "error",
        "Source cannot be read",
        "The source was not checked.",
        f"{_PROTOCOL}#informing",
        "Correct the path or the URL, or make the source readable.",
    ),
    "bad-suppression": Rule(
        "warning",
        "Invalid comment for sitemapx",
        "The comment disables no rule, or not all that it names.",
        "https://www.w3.org/TR/xml/#sec-comments",
        "Write a comment 'sitemapx: ignore CODE' before the first element in the root element, "
        "with codes of rules or globs.",
    ),
    "zip": Rule(
        "error",
        "ZIP archive (only gzip is supported)",
        "Search engines decompress gzip only.",
        f"{_PROTOCOL}#sitemapXMLExample",
        "Compress the sitemap with gzip.",
    ),
    "web-page": Rule(
        "error",
        "HTML page instead of a sitemap",
        "The server returned a login, error or challenge page, so search engines find no URLs.",
        f"{_PROTOCOL}#informing",
        "Make sure the sitemap is publicly served with status 200.",
    ),
    "listed-sitemap-failed": Rule(
        "error",
        "Listed sitemap or feed page cannot be read",
        "The URLs in it are lost, and were not checked.",
        f"{_PROTOCOL}#index",
        "Fix the sitemap, or remove it from the index.",
    ),
    "listed-sitemap-unchecked": Rule(
        "error",
        "Listed sitemap was not checked",
        "The sitemap was not found beside the index, and no option says where it is on disk.",
        f"{_PROTOCOL}#index",
        "Pass --source-url if the sitemap lies beside the index, --map URL=DIR if it lies "
        "elsewhere, --fetch to download it, or --no-follow to check the index alone.",
    ),
    "local-copy": Rule(
        "note",
        "Listed sitemap found by name beside its index",
        "The local file of that name may differ from the published sitemap.",
        f"{_PROTOCOL}#index",
        "Pass --source-url with the URL of the index, or --map URL=DIR with the directory of its "
        "files.",
    ),
    "duplicate-sitemap": Rule(
        "warning",
        "Sitemap listed more than once",
        "An index that lists a sitemap twice, or itself, lists less than it seems to.",
        f"{_PROTOCOL}#index",
        "List each sitemap once; do not list an index.",
    ),
    "path-unreadable": Rule(
        "error",
        "Local page or directory cannot be read",
        "Its contents were not checked.",
        f"{_PROTOCOL}#informing",
        "Make the page or directory readable, and correct broken symbolic links.",
    ),
    "truncated": Rule(
        "error",
        "File is truncated",
        "Search engines reject XML that is not well-formed, or stop where it is cut off.",
        f"{_XML}#sec-well-formed",
        "Generate the file again. To prevent this, write it under a temporary name, and rename it "
        "when it is complete.",
        schema=True,
    ),
    "bad-gzip": Rule(
        "error",
        "Corrupt gzip data",
        "Search engines get only part of the sitemap, or nothing.",
        _GZIP,
        "Compress the file again.",
    ),
    "text-before-xml": Rule(
        "error",
        "Text before the XML declaration",
        "The XML declaration must come first; search engines cannot read the file otherwise.",
        "https://www.w3.org/TR/xml/#sec-prolog-dtd",
        "Fix the cause of the text, which is often an error message of PHP or of a plug-in.",
    ),
    "gzip-twice": Rule(
        "error",
        "File compressed twice",
        "Search engines decompress once, and find gzip data instead of a sitemap.",
        _GZIP,
        "Compress the file once, and do not let the server compress .gz files again.",
    ),
    "too-large": Rule(
        "error",
        "Decompressed data far exceeds the size limit",
        "Such data looks like an attack (decompression bomb), which programs refuse to decompress.",
        f"{_PROTOCOL}#sitemapIndexXMLExample",
        "Split the sitemap; the limit is 52,428,800 bytes uncompressed.",
    ),
    "entry-too-large": Rule(
        "error",
        "Entry larger than 10 MiB",
        "No real entry is this large; an end tag is probably missing.",
        f"{_PROTOCOL}#xmlTagDefinitions",
        "Look for a missing end tag or line break.",
    ),
    "malformed": Rule(
        "error",
        "XML is not well-formed",
        "An XML parser must stop at such an error, so search engines may read nothing after it.",
        f"{_XML}#sec-well-formed",
        "Close every element, and write < in text as &lt;.",
        schema=True,
    ),
    "unescaped": Rule(
        "error",
        "Unescaped ampersand",
        "The XML is not well-formed; parsers stop, or drop what follows.",
        f"{_PROTOCOL}#escaping",
        "Write & as &amp;.",
        is_fixable=True,
        schema=True,
    ),
    "stray-content": Rule(
        "error",
        "Unexpected content outside entries",
        "A sitemap contains only its entries.",
        f"{_PROTOCOL}#xmlTagDefinitions",
        "Remove everything outside the entries.",
        schema=True,
    ),
    "doctype": Rule(
        "warning",
        "DOCTYPE declaration",
        "Many parsers reject documents with a DOCTYPE because of XML entity attacks (XXE).",
        f"{_XML}#sec-prolog-dtd",
        "Remove the DOCTYPE.",
        is_fixable=True,
    ),
    "namespace": Rule(
        "error",
        "Wrong or missing XML namespace",
        "Parsers match elements by namespace; with a different one they are unknown elements.",
        f"{_PROTOCOL}#xmlTagDefinitions",
        "Declare exactly the namespace URI of the protocol or of the extension, with http: even if "
        "the site is on https.",
        is_fixable=True,
        schema=True,
    ),
    "wrong-encoding": Rule(
        "error",
        "Content does not match declared encoding",
        "The file is not well-formed, or its characters are misread.",
        f"{_XML}#charencoding",
        "Save the file as UTF-8, and declare UTF-8 or no encoding.",
        is_fixable=True,
    ),
    "illegal-character": Rule(
        "error",
        "Character not allowed in XML",
        "XML allows no control characters except tab and line breaks, not even escaped.",
        f"{_XML}#charsets",
        "Remove the character.",
        is_fixable=True,
        schema=True,
    ),
    "empty": Rule(
        "error",
        "Sitemap contains no URLs",
        "A sitemap requires at least one entry. (Google accepts an empty news sitemap.)",
        f"{_PROTOCOL}#xmlTagDefinitions",
        "Add the URLs, or delete the file.",
        schema=True,
    ),
    "no-items": Rule(
        "warning",
        "Feed contains no items",
        "An empty feed announces nothing.",
        f"{_PROTOCOL}#otherformats",
        "Check why the program that generated the feed found no items.",
    ),
    "paged": Rule(
        "note",
        "Feed has further pages (not checked)",
        "Only this page was checked.",
        "https://www.rfc-editor.org/rfc/rfc5005",
        "Pass --follow-pages N to check the next pages, too.",
    ),
}

#: Rules for single entries.
_ENTRIES = {
    "no-loc": Rule(
        "error",
        "Entry has no URL",
        "The URL is the only required part of an entry.",
        f"{_PROTOCOL}#locdef",
        "Add the URL, or remove the entry.",
        schema=True,
    ),
    "bad-loc": Rule(
        "error",
        "URL scheme is not http or https",
        "Search engines fetch http and https URLs only.",
        f"{_PROTOCOL}#locdef",
        "Write the URL of the page, with https://.",
    ),
    "loc-scheme": Rule(
        "warning",
        "Link of an item is not a web page",
        "RSS and Atom allow links such as mailto: and ftp:, but search engines fetch http and "
        "https URLs only.",
        "https://www.rssboard.org/rss-specification#comments",
        "Link to a page with https://.",
    ),
    "relative-loc": Rule(
        "error",
        "URL is not absolute",
        "URLs in sitemaps, RSS and JSON Feed must be absolute; search engines do not resolve "
        "relative ones.",
        f"{_PROTOCOL}#locdef",
        "Write the absolute URL; --fix resolves relative ones with --source-url.",
        is_fixable=True,
    ),
    "relative-listed-sitemap": Rule(
        "error",
        "Relative sitemap URL in index",
        "URLs in an index must be absolute; search engines do not resolve relative ones.",
        f"{_PROTOCOL}#sitemapIndex_loc",
        "Write the absolute URL; --fix does this with --source-url.",
        is_fixable=True,
    ),
    "repaired-loc": Rule(
        "warning",
        "Whitespace in URL, or URL outside <loc>",
        "Parsers may keep the whitespace, which changes the URL, or not find a URL outside <loc>.",
        f"{_PROTOCOL}#locdef",
        "Write <loc>URL</loc>, without whitespace.",
        is_fixable=True,
    ),
    "repeated-element": Rule(
        "error",
        "Element may appear only once",
        "Each parser decides for itself which of the values counts.",
        f"{_PROTOCOL}#xmlTagDefinitions",
        "Keep only the correct element.",
    ),
    "repeated-key": Rule(
        "error",
        "Key or column occurs twice",
        "Each parser decides for itself which of the values counts.",
        "https://www.rfc-editor.org/rfc/rfc8259#section-4",
        "Keep only the correct key or column.",
    ),
    "unknown-element": Rule(
        "error",
        "Unknown element or attribute",
        "The schema defines no such name in this namespace; parsers ignore it, or stop.",
        f"{_PROTOCOL}#xmlTagDefinitions",
        "Correct the spelling of the name, or remove the element or attribute.",
        is_fixable=True,
    ),
    "unknown-key": Rule(
        "warning",
        "Unknown key or column",
        "Programs ignore the values, and a conversion drops them.",
        _JSONL,
        "Correct the spelling of the name, or remove the key or column.",
    ),
    "bad-json": Rule(
        "error",
        "Line is not a JSON object",
        "In JSON Lines, each line must be a JSON object.",
        _JSONL,
        "Fix the JSON syntax on this line.",
    ),
    "bad-date": Rule(
        "error",
        "Invalid date",
        "Search engines accept W3C Datetime in sitemaps and Atom, and RFC 822 in RSS, but no "
        "other dates.",
        "https://www.w3.org/TR/NOTE-datetime",
        "Write YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss with a time zone, or omit the date (as --fix "
        "does).",
        is_fixable=True,
    ),
    "unknown-zone": Rule(
        "error",
        "Unknown time zone",
        "The name is unknown or ambiguous; parsers drop the date, or guess.",
        "https://www.rfc-editor.org/rfc/rfc2822#section-4.3",
        "Write the offset from UTC, such as +0530 in RSS, or +05:30 elsewhere.",
    ),
    "bad-priority": Rule(
        "error",
        "Priority is not a number from 0.0 to 1.0",
        "The priority ranks a page among the pages of its site, on this scale only.",
        f"{_PROTOCOL}#prioritydef",
        "Write a number from 0.0 to 1.0, or omit the priority; Google ignores it.",
        is_fixable=True,
    ),
    "bad-changefreq": Rule(
        "error",
        "Invalid changefreq value",
        "Only always, hourly, daily, weekly, monthly, yearly and never are valid.",
        f"{_PROTOCOL}#changefreqdef",
        "Write always, hourly, daily, weekly, monthly, yearly or never, or omit changefreq; Google "
        "ignores it.",
        is_fixable=True,
    ),
    "bad-duration": Rule(
        "error",
        "Video duration outside 1 to 28,800 seconds",
        "Google accepts whole seconds, up to eight hours.",
        f"{_GOOGLE}/video-sitemaps",
        "Write a whole number from 1 to 28,800, or omit the duration.",
        is_fixable=True,
    ),
    "bad-rating": Rule(
        "error",
        "Video rating out of range",
        "The scale is 0.0 to 5.0 in a sitemap, and the declared range in Media RSS.",
        f"{_GOOGLE}/video-sitemaps",
        "Write a rating from 0.0 to 5.0, or omit it.",
        is_fixable=True,
    ),
    "bad-value": Rule(
        "error",
        "Invalid element value",
        "Each element of an extension allows only certain words, ranges or forms.",
        f"{_GOOGLE}/combine-sitemap-extensions",
        "Write a value that the element allows, or omit the element.",
        is_fixable=True,
    ),
    "too-long": Rule(
        "error",
        "Text too long",
        "Search engines truncate the text, or skip the video.",
        f"{_GOOGLE}/video-sitemaps",
        "Shorten a title to 100 characters, a description to 2,048.",
    ),
    "too-many": Rule(
        "error",
        "Too many images or tags",
        "Google reads up to 1,000 images per page, and 32 tags per video.",
        f"{_GOOGLE}/image-sitemaps",
        "List only the most important images or tags.",
    ),
    "missing-element": Rule(
        "error",
        "Required element missing",
        "Without it, programs skip the image, video, article, link or item, or the whole feed.",
        f"{_GOOGLE}/combine-sitemap-extensions",
        "Add the required element.",
    ),
    "not-a-url": Rule(
        "error",
        "Line is not an absolute URL",
        "A URL list contains one absolute URL per line, without header or comments.",
        f"{_PROTOCOL}#otherformats",
        "Remove the line, or write the URL with https://.",
    ),
}

#: Rules that only validation against the official schemas detects.
_SCHEMA = {
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
    "date-format": Rule(
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
    "value-format": Rule(
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
    "partly-validated": Rule(
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

RULES = _CONTAINERS | _ENTRIES | _SCHEMA
