"""Rules for the contents of feeds, which `sitemapx.check.feeds` validates."""

from sitemapx.check.findings import Rule

_RSS = "https://www.rssboard.org/rss-specification"
_PROFILE = "https://www.rssboard.org/rss-profile"
_ATOM = "https://www.rfc-editor.org/rfc/rfc4287"
_MEDIA = "https://www.rssboard.org/media-rss"
_APPLE = "https://help.apple.com/itc/podcasts_connect/#/itcb54353390"

RULES = {
    "feed-incomplete": Rule(
        "error",
        "Required metadata of a feed missing",
        "RSS requires title, link and description in the channel; Atom requires title, id and "
        "updated.",
        _RSS,
        "Add the required element to the feed.",
    ),
    "feed-date": Rule(
        "error",
        "Invalid date format for this type of feed",
        "RSS requires RFC 822 dates, Atom and JSON Feed require RFC 3339 dates; readers reject "
        "other dates, or guess.",
        f"{_ATOM}#section-3.3",
        "Use the form Mon, 01 Jun 2026 10:00:00 GMT in RSS, and 2026-06-01T10:00:00Z in Atom "
        "and JSON Feed.",
        is_fixable=True,
    ),
    "several-enclosures": Rule(
        "warning",
        "Item with several enclosures",
        "RSS does not provide for several enclosures, and many programs read only one of them.",
        f"{_PROFILE}#element-channel-item-enclosure",
        "Publish one item per file, or use <media:content> for the other files.",
    ),
    "missing-attribute": Rule(
        "error",
        "Required attribute missing",
        "Without it, programs ignore the element.",
        _RSS,
        "Add the attribute.",
    ),
    "unexpected-text": Rule(
        "error",
        "Text where only elements are allowed",
        "Parsers drop the text, or reject the feed.",
        f"{_ATOM}#section-6.4",
        "Remove the text, or put it into the correct element.",
    ),
    "bad-url": Rule(
        "error",
        "Invalid URL in a feed",
        "The specifications require a valid URL there; programs cannot follow anything else.",
        f"{_ATOM}#section-2",
        "Write the URL with its scheme, escape illegal characters, and remove whitespace.",
        is_fixable=True,
    ),
    "bad-id": Rule(
        "error",
        "Invalid ID of a feed or entry",
        "An Atom ID must be an IRI; tag: and urn: IRIs have a syntax of their own. A JSON Feed ID "
        "must be a string.",
        f"{_ATOM}#section-4.2.6",
        "Use a URL, tag:example.org,2026:1 (RFC 4151) or urn:uuid:… (RFC 9562) as ID, and put "
        "quotes around it in JSON.",
    ),
    "bad-email": Rule(
        "error",
        "Invalid email address",
        "RSS and Atom require an email address there.",
        f"{_PROFILE}#data-types-email",
        "Write jo@example.org (Jo Doe) in RSS, and only the email address in <email> of Atom.",
    ),
    "bad-language": Rule(
        "error",
        "Invalid language code",
        "Language codes must conform to BCP 47.",
        "https://www.rfc-editor.org/rfc/rfc5646",
        "Write a code such as en or pt-BR.",
        is_fixable=True,
    ),
    "bad-media-type": Rule(
        "error",
        "Invalid media type",
        "Programs use the media type to decide how to open the file.",
        "https://www.rfc-editor.org/rfc/rfc6838#section-4.2",
        "Write a type such as audio/mpeg.",
    ),
    "bad-number": Rule(
        "error",
        "Invalid number",
        "The specification allows only numbers of this kind and range.",
        _RSS,
        "Write a number in the allowed range.",
    ),
    "bad-keyword": Rule(
        "error",
        "Value is not one of the allowed words",
        "The specification lists the words that are allowed; programs ignore others.",
        _MEDIA,
        "Write one of the allowed words.",
        is_fixable=True,
    ),
    "content-form": Rule(
        "error",
        "Content not in the form its type requires",
        "Programs show the markup as text, or nothing.",
        f"{_ATOM}#section-4.1.3.3",
        "Escape HTML for type html, and put XHTML into one <div> for type xhtml.",
    ),
    "content-mismatch": Rule(
        "warning",
        "Content does not look like its type",
        "Programs show tags as text, or drop text as tags.",
        f"{_ATOM}#section-3.1.1",
        "Correct the type attribute, or the content.",
    ),
    "html-in-text": Rule(
        "warning",
        "HTML in plain text",
        "Many programs show tags and character references literally.",
        f"{_PROFILE}#data-types-characterdata",
        "Remove the markup, and write the characters themselves instead of references.",
    ),
    "unsafe-html": Rule(
        "warning",
        "HTML that feed readers remove",
        "Feed readers remove scripts, embedded objects, forms and some styles for security.",
        f"{_ATOM}#section-8.1",
        "Remove the element or attribute.",
    ),
    "relative-url": Rule(
        "warning",
        "Relative URL in HTML",
        "Readers resolve it against different URLs, or not at all.",
        f"{_PROFILE}#element-channel-item-description",
        "Write absolute URLs in content.",
    ),
    "repeated-link": Rule(
        "error",
        "Alternate link with the same type and language",
        "Programs cannot tell which of the links leads to the page.",
        f"{_ATOM}#section-4.1.2",
        "Keep one of the links, or give them different types or languages (hreflang).",
    ),
    "link-relation": Rule(
        "warning",
        "Unregistered link relation",
        "Programs ignore links with unknown relations.",
        "https://www.iana.org/assignments/link-relations/",
        "Use a registered relation, or a URL as relation.",
    ),
    "complete-feed-paged": Rule(
        "error",
        "Complete feed with further pages",
        "A feed with fh:complete contains all entries, so programs drop those of other pages.",
        "https://www.rfc-editor.org/rfc/rfc5005#section-2",
        "Remove fh:complete, or the links to other pages.",
    ),
    "paging-in-entry": Rule(
        "warning",
        "Link to a page of the feed inside an entry",
        "Programs look for the pages of a feed in the feed, not in its entries.",
        "https://www.rfc-editor.org/rfc/rfc5005#section-3",
        "Move the link into the feed.",
    ),
    "archive-links": Rule(
        "warning",
        "Incomplete links between the pages of a feed",
        "Readers that follow the links miss entries, or never reach the last page.",
        "https://www.rfc-editor.org/rfc/rfc5005#section-4",
        "Link archives to the current feed and to each other; the first page has no previous one.",
    ),
    "metadata-after-items": Rule(
        "warning",
        "Metadata of the feed after its first item",
        "Programs that read feeds as they arrive miss it.",
        f"{_ATOM}#section-4.1.1",
        "Move the element before the first item.",
    ),
    "missing-recommended": Rule(
        "warning",
        "Recommended element or attribute missing",
        "The specification recommends it, and programs rely on it.",
        f"{_ATOM}#section-4",
        "Add the element or attribute.",
    ),
    "empty-value": Rule(
        "note",
        "Empty text",
        "Programs show nothing, or a placeholder.",
        f"{_ATOM}#section-4.2",
        "Fill in the text, or remove the element.",
    ),
    "same-meaning": Rule(
        "note",
        "Two elements with the same meaning",
        "Programs differ in which of the two they read.",
        f"{_PROFILE}#namespace-elements",
        "Keep the element that the feed format itself defines.",
    ),
    "guid-not-url": Rule(
        "error",
        "Permalink guid is not a URL",
        'Without isPermaLink="false", programs open the guid as a link.',
        f"{_RSS}#ltguidgtSubelementOfLtitemgt",
        'Add isPermaLink="false", or use the URL of the page.',
        is_fixable=True,
    ),
    "weak-id": Rule(
        "note",
        "ID is probably not unique",
        "IDs should be unique across all feeds, since some programs merge feeds.",
        f"{_PROFILE}#element-channel-item-guid",
        "Use the URL of the page, or a tag: URI.",
    ),
    "ambiguous-date": Rule(
        "note",
        "Ambiguous date",
        "Two-digit years and unusual time zones are allowed, but often misread.",
        f"{_PROFILE}#data-types-datetime",
        "Write the year with four digits, and the time zone as GMT or +0000.",
    ),
    "image-mismatch": Rule(
        "note",
        "Title or link of the image differs from the channel's",
        "The title and link of the image should be those of the channel.",
        f"{_PROFILE}#element-channel-image",
        "Use the title and link of the channel.",
    ),
    "podcast-category": Rule(
        "error",
        "Unknown podcast category",
        "Apple Podcasts ignores categories that are not in its list.",
        "https://podcasters.apple.com/support/1691-apple-podcasts-categories",
        "Use a category from the list.",
    ),
    "media-group": Rule(
        "warning",
        "Media group with fewer than two alternatives",
        "A group contains several renditions of the same content.",
        f"{_MEDIA}#media-group",
        "Write <media:content> without a group, or add the other renditions.",
    ),
    "id-not-normalized": Rule(
        "warning",
        "ID is not a normalized URL",
        "IDs are compared character by character, so a different spelling is a different entry.",
        f"{_ATOM}#section-4.2.6.1",
        "Write the normalized URL, and never change it again.",
    ),
    "podcast-format": Rule(
        "warning",
        "File format that Apple Podcasts does not support",
        "Apple Podcasts plays MP3, M4A, MP4, M4V and MOV files, and shows JPEG and PNG images.",
        "https://podcasters.apple.com/support/823-podcast-requirements",
        "Convert the file, and correct its URL and type in the feed.",
    ),
    "podcast-incomplete": Rule(
        "warning",
        "Podcast lacks an element that Apple requires",
        "Apple Podcasts accepts only podcasts with category, image, explicit and language, and "
        "episodes with a guid.",
        "https://podcasters.apple.com/support/823-podcast-requirements",
        "Add the element.",
    ),
}
