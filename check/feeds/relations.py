"""Checks of feed elements that a datatype cannot express, such as relations between elements."""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping
from functools import lru_cache
from urllib.parse import urlsplit

from sitemapx.check.feeds.markup import PrepareDefect, ReportDefect
from sitemapx.check.feeds.values import (
    is_certainly_valid,
    is_media_type,
    is_xml_type,
    media_type_of,
)
from sitemapx.check.feeds.vocabularies import HISTORY, RDF_ABOUT, ElementRule
from sitemapx.convert.formats.feeds.handlers import link_relation
from sitemapx.convert.values import uris, urls
from sitemapx.convert.values.rfc822 import why_not_rfc822
from sitemapx.convert.values.words import clip
from sitemapx.convert.xml.elements import local_name, name_of, split_name, text_of
from sitemapx.convert.xml.namespaces import prefix_of
from sitemapx.convert.xml.parsers import XmlElement

_LONGEST = 60
#: Relations of https://www.iana.org/assignments/link-relations/ that suit feeds.
_RELATIONS = frozenset(
    """
    about acl alternate amphtml appendix archives author blocked-by bookmark canonical chapter
    cite-as collection contents convertedfrom copyright create-form current describedby describes
    disclosure dns-prefetch duplicate edit edit-form edit-media enclosure external first glossary
    help hosts hub icon index intervalafter intervalbefore item last latest-version license linkset
    lrdd manifest memento micropub monitor monitor-group next next-archive nofollow noopener
    noreferrer opener original payment predecessor-version prefetch preload prev prev-archive
    preview previous privacy-policy profile publication related replies restconf search section
    self service start stylesheet subsection successor-version tag terms-of-service timegate
    timemap type up version-history via webmention working-copy working-copy-of
    """.split()  # noqa: SIM905 - easier to read
)
#: Relations between the pages of a feed: https://www.rfc-editor.org/rfc/rfc5005
_PAGING = ("first", "last", "previous", "next", "prev-archive", "next-archive", "current")
_HTML_TYPES = ("text/html", "application/xhtml+xml")
#: Elements of RSS, and elements of modules with the same meaning.
_SAME: Iterable[tuple[str, str]] = (
    ("copyright", "dc:rights"),
    ("managingEditor", "dc:creator"),
    ("webMaster", "dc:publisher"),
    ("language", "dc:language"),
    ("pubDate", "dc:date"),
    ("pubDate", "atom:published"),
    ("pubDate", "dcterms:issued"),
    ("lastBuildDate", "dcterms:modified"),
    ("lastBuildDate", "atom:updated"),
    ("author", "dc:creator"),
    ("source", "dc:source"),
    ("category", "dc:subject"),
    ("guid", "dc:identifier"),
    ("description", "dc:description"),
)


class FeedState:
    """
    Facts about a feed, collected from the elements read so far.

    Attributes:
        has_author: Whether the feed has an author, which its entries inherit.
        listed: For the URI of each item that the channel of RSS 1.0 lists, a function that reports
            that the feed does not have the item.
        items: URIs of the items in RSS 1.0.
        is_podcast: Whether the channel has iTunes elements.
        report_author: Reports the first entry without an author, if any; to be called at the end if
            the feed itself has no author.

    """

    def __init__(self, prepare: PrepareDefect) -> None:
        self.prepare = prepare
        self.has_author = self.is_podcast = False
        self.report_author: Callable[[], object] | None = None
        self.listed: dict[str, Callable[[], object]] = {}
        self.items: set[str] = set()


#: Checks an element, given the state of the feed so far, and reports each defect.
Check = Callable[[XmlElement, ReportDefect, FeedState], None]


def relation_of(rule: ElementRule) -> Check | None:
    """Return the additional check for elements of a rule, if any."""
    return _CHECKS.get((rule.family, rule.name))


def _children(element: XmlElement, name: str) -> list[XmlElement]:
    """Return the children with this local name, in any namespace."""
    return [child for child in element if isinstance(child.tag, str) and local_name(child) == name]


def _own(element: XmlElement, name: str) -> XmlElement | None:
    """Return the first child with this local name in the namespace of the element, or None."""
    namespace = split_name(element)[0]
    return element.find(f"{{{namespace}}}{name}" if namespace else name)


# ---- Atom


def _check_atom_feed(feed: XmlElement, report: ReportDefect, state: FeedState) -> None:
    state.has_author = state.has_author or _own(feed, "author") is not None
    for link in _check_links(feed, report):
        href = link.get("href", "")
        is_absolute = link.base or re.match(urls.SCHEME, href)
        if href and link_relation(link) == "self" and not is_absolute:
            report(link, "relative-url", f'<link rel="self"> is relative: {href!r}')
    _check_history(feed, report)


def check_entry(entry: XmlElement, report: ReportDefect, state: FeedState) -> None:
    links = _check_links(entry, report)
    start = str(entry.tag).removesuffix("entry")
    own = {child.tag: child for child in entry.iterchildren(reversed=True)}
    source, content = own.get(f"{start}source"), own.get(f"{start}content")
    if not (state.has_author or state.report_author):
        places = (entry, source) if source is not None else (entry,)
        if all(_own(place, "author") is None for place in places):
            message = "<entry> has no <author>, and neither has the feed"
            state.report_author = state.prepare(entry, "missing-element", message)
    if content is None and all(link_relation(link) != "alternate" for link in links):
        message = '<entry> has neither <content> nor <link rel="alternate">'
        report(entry, "missing-element", message)
    if content is not None and f"{start}summary" not in own and _needs_summary(content):
        message = "<entry> has no <summary>, but content by src or in Base64"
        report(entry, "missing-element", message)
    for link in links:
        if (rel := link_relation(link)) in _PAGING:
            message = f'<link rel="{rel}"> in an entry: it belongs to the feed'
            report(link, "paging-in-entry", message)


def _needs_summary(content: XmlElement) -> bool:
    """Return whether an entry with this content must also have a summary: RFC 4287, 4.1.2"""
    if content.get("src") is not None:
        return True
    kind = content.get("type", "text")
    media_type = media_type_of(kind)
    is_text = media_type.startswith("text/") or is_xml_type(media_type)
    return is_media_type(kind) and not is_text


def _check_source(source: XmlElement, report: ReportDefect, state: FeedState) -> None:
    _check_links(source, report)
    for name in ("id", "title", "updated"):
        if _own(source, name) is None:
            report(source, "missing-recommended", f"<source> has no <{name}>")


def _check_links(parent: XmlElement, report: ReportDefect) -> list[XmlElement]:
    """
    Report alternate links with the same type and language, and return all links.

    RFC 4287, 4.1.1 and 4.1.2
    """
    namespace = split_name(parent)[0]
    links = parent.findall(f"{{{namespace}}}link" if namespace else "link")
    if len(links) > 1:
        seen: set[tuple[str, str]] = set()
        for link in links:
            if link_relation(link) != "alternate":
                continue
            key = link.get("type", "").lower(), link.get("hreflang", "").lower()
            if key in seen:
                message = 'another <link rel="alternate"> with the same type and hreflang'
                report(link, "repeated-link", message)
            seen.add(key)
    return links


def _check_id(element: XmlElement, report: ReportDefect, state: FeedState) -> None:
    """Report an ID that is a URL, but not normalized: RFC 4287, 4.2.6.1"""
    text = (element.text or "").strip()
    if urls.is_absolute(text) and text.isascii() and (normal := uris.normalize(text)) != text:
        message = f"ID {clip(text, _LONGEST)!r} is not normalized: {clip(normal, _LONGEST)}"
        report(element, "id-not-normalized", message)


def _check_old_feed(feed: XmlElement, report: ReportDefect, state: FeedState) -> None:
    version = feed.get("version", "0.3")
    message = f"Atom {version} was a draft, which Atom 1.0 (RFC 4287) replaced in 2005"
    report(feed, "deprecated", message)


def _check_link(link: XmlElement, report: ReportDefect, state: FeedState) -> None:
    rel, href = link.get("rel"), link.get("href")
    if href is not None and not href.strip() and link.base is None:
        message = f"<{name_of(link)} href> is empty: it refers to the feed itself"
        report(link, "relative-url", message)
    if rel is None:
        return
    kind = link.get("type", "")
    name = link_relation(link)
    if name == "self" and media_type_of(kind) in _HTML_TYPES:
        message = f'<{name_of(link)} rel="self"> has type {kind}: expected the type of the feed'
        report(link, "content-mismatch", message)
    if ":" in name:
        return
    if not rel or rel != rel.strip() or name not in _RELATIONS:
        message = f"<{name_of(link)}> has the unregistered relation {clip(rel, _LONGEST)!r}"
        report(link, "link-relation", message)


def _check_person_name(element: XmlElement, report: ReportDefect, state: FeedState) -> None:
    words = (element.text or "").split()
    if any(is_certainly_valid(word.strip("<>()"), "email") and "." in word for word in words):
        message = f"<{name_of(element)}> contains an email address, which belongs in <email>"
        report(element, "content-mismatch", message)


def _check_history(feed: XmlElement, report: ReportDefect) -> None:
    """Check complete, paged and archived feeds: https://www.rfc-editor.org/rfc/rfc5005"""
    links = {link_relation(link): link for link in _children(feed, "link")}
    if feed.find(f"{{{HISTORY}}}complete") is not None:
        own = links["self"].get("href") if "self" in links else None
        for rel in _PAGING:
            if rel in links and not (rel == "current" and links[rel].get("href") == own):
                message = f'<link rel="{rel}"> in a feed that fh:complete declares complete'
                report(links[rel], "complete-feed-paged", message)
    archive = feed.find(f"{{{HISTORY}}}archive")
    if archive is not None:
        if "current" not in links:
            message = 'archived feed has no <link rel="current">'
            report(archive, "archive-links", message)
        if "prev-archive" not in links and "next-archive" not in links:
            message = 'archived feed has no <link rel="prev-archive">'
            report(archive, "archive-links", message)
    for end, beyond in (("first", "previous"), ("last", "next")):
        if not {end, beyond, "self"} <= links.keys():
            continue
        if links[end].get("href") == links["self"].get("href"):
            message = f'<link rel="{beyond}"> in the {end} page of the feed'
            report(links[beyond], "archive-links", message)


# ---- RSS


def _check_channel(channel: XmlElement, report: ReportDefect, state: FeedState) -> None:
    state.is_podcast = state.is_podcast or _has_itunes(_names_in(channel))
    _check_same(channel, report)
    _check_history(channel, report)
    _check_version(channel, report)
    image = _own(channel, "image")
    if image is not None:
        for name in ("title", "link"):
            own, expected = _own(image, name), _own(channel, name)
            if own is not None and expected is not None and text_of(own) != text_of(expected):
                message = f"<{name}> of the image differs from that of the channel"
                report(own, "image-mismatch", message)


def _check_version(channel: XmlElement, report: ReportDefect) -> None:
    root = channel.getparent()
    version = "" if root is None else root.get("version", "")
    if version.startswith("0.") and channel.find("title") is not None:
        report(channel, "deprecated", f"RSS {version}, which RSS 2.0 replaced in 2002")


def _check_item(item: XmlElement, report: ReportDefect, state: FeedState) -> None:
    if _own(item, "title") is None and _own(item, "description") is None:
        report(item, "missing-element", "<item> has neither <title> nor <description>")
    if is_episode_without_guid(_names_in(item), state):
        report(item, "podcast-incomplete", "episode has no <guid>")
    _check_same(item, report)


def is_repeated(element: XmlElement) -> bool:
    """Return whether an earlier sibling has the same name."""
    return next(element.itersiblings(str(element.tag), preceding=True), None) is not None


def _check_enclosure(element: XmlElement, report: ReportDefect, state: FeedState) -> None:
    if is_repeated(element):
        message = "another <enclosure>: many programs read only one per item"
        report(element, "several-enclosures", message)

    kind = media_type_of(element.get("type", ""))
    if kind in UNSUPPORTED_BY_APPLE and state.is_podcast:
        message = f"<enclosure> has type {kind}, which Apple Podcasts does not support"
        report(element, "podcast-format", message)


def _check_same(parent: XmlElement, report: ReportDefect) -> None:
    """Report elements of modules that repeat an element of RSS, as `dc:date` does `pubDate`."""
    for own, other in find_same(child.tag for child in parent):
        message = f"<{other}> has the same meaning as <{own}>, and the item has both"
        repeated = (child for child in parent if prefixed_name(str(child.tag)) == other)
        report(next(repeated), "same-meaning", message)


def find_same(tags: Iterable[object]) -> list[tuple[str, str]]:
    """Return the pairs of elements with the same meaning among these lxml tags."""
    names = set(map(prefixed_name, tags))
    return [pair for pair in _SAME if names.issuperset(pair)]


@lru_cache(1000)
def prefixed_name(tag: object) -> str:
    """Return the usual prefixed name, such as `dc:date`, of an lxml tag."""
    namespace, _, local = str(tag).rpartition("}")
    prefix = prefix_of(namespace[1:]) if namespace else ""
    return f"{prefix}:{local}" if prefix else local


def _check_guid(guid: XmlElement, report: ReportDefect, state: FeedState) -> None:
    text = (guid.text or "").strip()
    if not text:
        report(guid, "empty-value", "<guid> is empty")
        return
    if guid.get("isPermaLink", "true") == "true" and not urls.is_absolute(text):
        message = f"<guid> {clip(text, _LONGEST)!r} is not a URL, but isPermaLink is not false"
        report(guid, "guid-not-url", message)
    if text.isdecimal() and len(text) < 9:
        report(guid, "weak-id", f"<guid> {text!r} is probably not unique")


def _check_days(parent: XmlElement, report: ReportDefect, state: FeedState) -> None:
    """Report repeated days in `skipDays`, or hours in `skipHours`."""
    counts = Counter(text_of(child) for child in parent.iterchildren("*"))
    for value, count in counts.items():
        if count > 1:
            message = f"<{local_name(parent)}> lists {value!r} {count} times"
            report(parent, "repeated-element", message)


def _check_text_input(element: XmlElement, report: ReportDefect, state: FeedState) -> None:
    report(element, "deprecated", "<textInput>: few programs support it; remove it")


def _check_rss_date(element: XmlElement, report: ReportDefect, state: FeedState) -> None:
    """Report valid dates that programs interpret differently, such as dates with military zones."""
    text = (element.text or "").strip()
    if why_not_rfc822(text):
        return
    if re.search(r"\s[A-IK-Ya-ik-y]$", text):
        report(element, "ambiguous-date", f"<{local_name(element)}> {text!r}: military time zone")
    elif (m := re.search(r"[+-]\d\d(\d\d)$", text)) and int(m[1]) % 15:
        report(element, "ambiguous-date", f"<{local_name(element)}> {text!r}: unusual time zone")
    elif re.search(r"^(?:\w+,\s*)?\d+\s+\w+\s+\d\d\s", text):
        report(element, "ambiguous-date", f"<{local_name(element)}> {text!r}: two-digit year")


def _check_rss_person(element: XmlElement, report: ReportDefect, state: FeedState) -> None:
    text = (element.text or "").strip()
    if is_certainly_valid(text, "email"):
        message = f"<{local_name(element)}> has no name: write {text} (Name)"
        report(element, "missing-recommended", message)


# ---- OPML


def check_outline(outline: XmlElement, report: ReportDefect, *, needs_text: bool) -> None:
    """
    Report attributes that an outline lacks; `needs_text` is true since OPML 2.0.

    The reader reports feeds without a URL.
    """
    if needs_text and outline.get("text") is None:
        report(outline, "missing-attribute", "<outline> has no text")
    if outline.get("type") == "link" and outline.get("url") is None:
        report(outline, "missing-attribute", "<outline> of type link has no url")


# ---- modules

#: Audio and video that Apple Podcasts does not support:
#: https://podcasters.apple.com/support/823-podcast-requirements
UNSUPPORTED_BY_APPLE = frozenset(
    {
        *("application/ogg", "audio/flac", "audio/ogg", "audio/opus", "audio/vorbis", "audio/webm"),
        *("audio/x-flac", "audio/x-ms-wma", "video/ogg", "video/webm", "video/x-flv"),
        *("video/x-matroska", "video/x-ms-wmv", "video/x-msvideo"),
    }
)
#: Extensions of images that Apple Podcasts does not accept:
#: https://podcasters.apple.com/support/896-artwork-requirements
_OTHER_IMAGES = (".webp", ".gif", ".svg", ".avif", ".bmp", ".tif", ".tiff", ".heic")


def find_missing_of_podcast(tags: Iterable[str]) -> list[str]:
    """
    Return the elements that Apple requires in the channel of a podcast, and that are missing.

    `tags` are the lxml tags of the channel's elements. A channel is a podcast if it has iTunes
    elements.

    https://podcasters.apple.com/support/823-podcast-requirements
    """
    names = set(map(prefixed_name, tags))
    required = ("language", "itunes:category", "itunes:explicit", "itunes:image")
    return [name for name in required if name not in names] if _has_itunes(names) else []


def _names_in(parent: XmlElement) -> set[str]:
    return {prefixed_name(str(child.tag)) for child in parent}


def is_episode_without_guid(names: Container[object], state: FeedState) -> bool:
    """Return whether an item with elements of these names is an episode that lacks `<guid>`."""
    return state.is_podcast and "enclosure" in names and "guid" not in names


def _has_itunes(names: Iterable[str]) -> bool:
    return any(name.startswith("itunes:") for name in names)


def _check_itunes_category(category: XmlElement, report: ReportDefect, state: FeedState) -> None:
    name, parent = category.get("text"), category.getparent()
    if name is None:
        return
    if parent is not None and parent.tag == category.tag:
        known = _PODCAST_CATEGORIES.get(parent.get("text", ""))
        if known is not None and name not in known:
            message = f"{name!r} is not a subcategory of {parent.get('text')!r}"
            report(category, "podcast-category", message)
    elif name not in _PODCAST_CATEGORIES:
        report(category, "podcast-category", f"unknown category {clip(name, _LONGEST)!r}")


def _check_artwork(image: XmlElement, report: ReportDefect, state: FeedState) -> None:
    """Report an image whose file extension is that of another format than JPEG and PNG."""
    path = urlsplit(image.get("href", "")).path.lower()
    if path.endswith(_OTHER_IMAGES):
        message = f"<itunes:image> {clip(path, _LONGEST)!r}: Apple Podcasts requires JPEG or PNG"
        report(image, "podcast-format", message)


def _check_owner(owner: XmlElement, report: ReportDefect, state: FeedState) -> None:
    if not _children(owner, "email"):
        report(owner, "missing-recommended", "<itunes:owner> has no <itunes:email>")


def _check_media(element: XmlElement, report: ReportDefect, state: FeedState) -> None:
    """Report media with neither URL nor player, or of size 0 (Media RSS 1.5.1)."""
    if element.get("url") is None and not _children(element, "player"):
        parent = element.getparent()
        if parent is None or not _children(parent, "player"):
            message = "<media:content> has no url, and no <media:player>"
            report(element, "missing-attribute", message)
    if element.get("fileSize") == "0":
        report(element, "empty-value", "<media:content fileSize> is 0: omit an unknown size")


def _check_list_item(element: XmlElement, report: ReportDefect, state: FeedState) -> None:
    found = [value for name, value in element.items() if name.rpartition("}")[2] == "resource"]
    if not found:
        report(element, "missing-attribute", "<rdf:li> has no rdf:resource")
    for uri in found:
        message = f"<rdf:li> lists {clip(uri, _LONGEST)!r}, but no item has this rdf:about"
        state.listed.setdefault(uri, state.prepare(element, "missing-element", message))


def _check_rdf_item(item: XmlElement, report: ReportDefect, state: FeedState) -> None:
    if about := item.get(RDF_ABOUT):
        state.items.add(about)


def _check_length(most: int) -> Check:
    """Return a check for podcast texts of more than `most` characters, the limit of Apple."""

    def check(element: XmlElement, report: ReportDefect, state: FeedState) -> None:
        length = len(text_of(element))
        if length > most:
            message = f"<{name_of(element)}> has {length:,} characters (limit {most:,})"
            report(element, "too-long", message)

    return check


def _check_group(group: XmlElement, report: ReportDefect, state: FeedState) -> None:
    alternatives = _children(group, "content")
    defaults = [content for content in alternatives if content.get("isDefault") == "true"]
    for content in defaults[1:]:
        message = 'another <media:content isDefault="true"> in a <media:group>'
        report(content, "media-group", message)
    if len(alternatives) < 2:
        message = "<media:group> has fewer than two <media:content>: it groups alternatives"
        report(group, "media-group", message)


def _check_hash(element: XmlElement, report: ReportDefect, state: FeedState) -> None:
    length = {"md5": 32, "sha-1": 40}.get(element.get("algo", "md5"))
    text = text_of(element)
    if length and not re.fullmatch(rf"[0-9A-Fa-f]{{{length}}}", text):
        message = f"<media:hash> {clip(text, _LONGEST)!r}: expected {length} hexadecimal digits"
        report(element, "bad-value", message)


_RATINGS = {
    "urn:simple": r"adult|nonadult",
    "urn:v-chip": r"tv-(?:y7-fv|y7|y|g|pg|14|ma)",
    "urn:mpaa": r"g|pg|pg-13|r|nc-17|not rated|unrated",
    "urn:icra": r"(?:(?:[a-z]{2} )?\w+ [01](?:\s|$))*|"
    r"r \([clnosv][a-z] [01](?: [clnosv][a-z] [01])*\)",
}


def _check_rating(element: XmlElement, report: ReportDefect, state: FeedState) -> None:
    pattern, text = _RATINGS.get(element.get("scheme", "urn:simple")), text_of(element)
    if pattern and not re.fullmatch(pattern, text, re.IGNORECASE):
        message = f"<media:rating> {clip(text, _LONGEST)!r} is not a rating of its scheme"
        report(element, "bad-value", message)


def _check_adult(element: XmlElement, report: ReportDefect, state: FeedState) -> None:
    report(element, "deprecated", "<media:adult>: use <media:rating>")


#: Categories of Apple Podcasts with their subcategories:
#: https://podcasters.apple.com/support/1691-apple-podcasts-categories
_PODCAST_CATEGORIES: Mapping[str, frozenset[str]] = {
    name: frozenset(filter(None, inner.split("|")))
    for name, inner in {
        "Arts": "Books|Design|Fashion & Beauty|Food|Performing Arts|Visual Arts",
        "Business": "Careers|Entrepreneurship|Investing|Management|Marketing|Non-Profit",
        "Comedy": "Comedy Interviews|Improv|Stand-Up",
        "Education": "Courses|How To|Language Learning|Self-Improvement",
        "Fiction": "Comedy Fiction|Drama|Science Fiction",
        "Government": "",
        "History": "",
        "Health & Fitness": "Alternative Health|Fitness|Medicine|Mental Health|Nutrition|Sexuality",
        "Kids & Family": "Education for Kids|Parenting|Pets & Animals|Stories for Kids",
        "Leisure": "Animation & Manga|Automotive|Aviation|Crafts|Games|Hobbies|Home & Garden|"
        "Video Games",
        "Music": "Music Commentary|Music History|Music Interviews",
        "News": "Business News|Daily News|Entertainment News|News Commentary|Politics|Sports News|"
        "Tech News",
        "Religion & Spirituality": "Buddhism|Christianity|Hinduism|Islam|Judaism|Religion|"
        "Spirituality",
        "Science": "Astronomy|Chemistry|Earth Sciences|Life Sciences|Mathematics|Natural Sciences|"
        "Nature|Physics|Social Sciences",
        "Society & Culture": "Documentary|Personal Journals|Philosophy|Places & Travel|"
        "Relationships",
        "Sports": "Baseball|Basketball|Cricket|Fantasy Sports|Football|Golf|Hockey|Rugby|Running|"
        "Soccer|Swimming|Tennis|Volleyball|Wilderness|Wrestling",
        "Technology": "",
        "True Crime": "",
        "TV & Film": "After Shows|Film History|Film Interviews|Film Reviews|TV Reviews",
    }.items()
}

_CHECKS: Mapping[tuple[str, str], Check] = {
    ("atom", "feed"): _check_atom_feed,
    ("atom", "id"): _check_id,
    ("atom03", "feed"): _check_old_feed,
    ("atom", "entry"): check_entry,
    ("atom", "source"): _check_source,
    ("atom", "link"): _check_link,
    ("atom", "name"): _check_person_name,
    ("rss10", "item"): _check_rdf_item,
    ("rss10", "li"): _check_list_item,
    ("rss", "channel"): _check_channel,
    ("rss", "item"): _check_item,
    ("rss", "enclosure"): _check_enclosure,
    ("rss", "guid"): _check_guid,
    ("rss", "skipDays"): _check_days,
    ("rss", "skipHours"): _check_days,
    ("rss", "textInput"): _check_text_input,
    ("rss", "pubDate"): _check_rss_date,
    ("rss", "lastBuildDate"): _check_rss_date,
    ("rss", "author"): _check_rss_person,
    ("rss", "managingEditor"): _check_rss_person,
    ("rss", "webMaster"): _check_rss_person,
    ("itunes", "category"): _check_itunes_category,
    ("itunes", "image"): _check_artwork,
    ("itunes", "owner"): _check_owner,
    ("itunes", "subtitle"): _check_length(255),
    ("itunes", "summary"): _check_length(4000),
    ("media", "content"): _check_media,
    ("media", "group"): _check_group,
    ("media", "hash"): _check_hash,
    ("media", "rating"): _check_rating,
    ("media", "adult"): _check_adult,
}
