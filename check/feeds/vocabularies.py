"""
Rules for the content of each element of a feed.

The readers of RSS 2.0 and Atom provide the tables of these formats, from which this module makes
rules, keyed by lxml tag (`{namespace}name`). Tables of modules (extensions of feeds) and older
versions, which `convert` does not read in full, are here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from sitemapx.convert.formats.atom.reader import ENTRY, FEED
from sitemapx.convert.formats.feeds.handlers import Content, FeedElement
from sitemapx.convert.formats.rss.reader import CHANNEL, ITEM
from sitemapx.convert.xml.elements import split_name
from sitemapx.convert.xml.namespaces import NAMESPACES, prefix_of
from sitemapx.convert.xml.parsers import XmlElement

_XML = "{http://www.w3.org/XML/1998/namespace}"
_RSS10 = "http://purl.org/rss/1.0/"
_RESOURCE_OF = f"{{{NAMESPACES['rdf']}}}resource"
_THREADS = "http://purl.org/syndication/thread/1.0"
HISTORY = "http://purl.org/syndication/history/1.0"

_ANY = Content("any")
_TEXT = Content("text", "*")
_EMPTY = Content("")
_DATE = Content("w3cdtf", "*")

_DUBLIN_CORE = {
    **dict.fromkeys(
        ("title", "creator", "subject", "publisher", "contributor", "type", "format"), _TEXT
    ),
    **dict.fromkeys(("identifier", "source", "relation", "coverage", "rights"), _TEXT),
    "description": Content("any", "*"),
    "date": _DATE,
    "language": Content("language", "*"),
}
_SYNDICATION = {
    "updatePeriod": Content("hourly|daily|weekly|monthly|yearly"),
    "updateFrequency": Content("positive"),
    "updateBase": Content("w3cdtf"),
}
_SLASH = {
    "section": Content("any"),
    "department": Content("any"),
    "comments": Content("integer"),
    "hit_parade": Content("integers"),
}
_SIZE = {"height": "positive", "width": "positive"}
_TYPED = {"type": "plain|html"}
#: https://www.rssboard.org/media-rss#media-community
_COMMUNITY = {
    "starRating": Content(
        "any",
        "*",
        {"count": "integer", "min": "integer", "max": "integer"},
    ),
    "statistics": Content("any", "*", {"views": "integer", "favorites": "integer"}),
    "tags": Content("any", "*"),
}
_PRICE = {
    "type": "rent|purchase|package|subscription",
    "price": "decimal",
    "currency": "currency",
    "info": "any",
}
_MEDIA_DETAILS = {
    "adult": Content("boolean"),
    "rating": Content("any", "*", {"scheme": "uri"}),
    "title": Content("media-text", "?", _TYPED),
    "description": Content("media-text", "?", _TYPED),
    "keywords": Content("text"),
    "thumbnail": Content("", "*", {"url": "reference!", **_SIZE, "time": "npt"}),
    "category": Content("text", "*", {"scheme": "uri", "label": "any"}),
    "hash": Content("any", "*", {"algo": "md5|sha-1"}),
    "player": Content("any", "?", {"url": "reference!", **_SIZE}),
    "credit": Content("text", "*", {"role": "lower-case", "scheme": "uri"}),
    "copyright": Content("text", "?", {"url": "reference"}),
    "text": Content(
        "media-text", "*", {**_TYPED, "lang": "language", "start": "npt", "end": "npt"}
    ),
    "restriction": Content(
        "any", "*", {"relationship": "allow|deny!", "type": "country|uri|sharing"}
    ),
    "backLinks": Content("any", "*", children={"backLink": Content("uri", "*")}),
    "comments": Content("any", "*", children={"comment": Content("any", "*")}),
    "community": Content("any", "*", children=_COMMUNITY),
    "embed": Content("any", "*", _SIZE),
    "license": Content("any", "*", {"type": "media-type", "href": "reference"}),
    "location": Content("any", "*"),
    "peerLink": Content("any", "*", {"type": "media-type", "href": "reference"}),
    "price": Content("any", "*", _PRICE),
    "responses": Content("any", "*", children={"response": Content("any", "*")}),
    "rights": Content("any", "*", {"status": "userCreated|official"}),
    "scenes": Content("any", "*"),
    "status": Content("any", "*", {"state": "active|blocked|deleted"}),
    "subTitle": Content(
        "any", "*", {"type": "media-type", "lang": "language", "href": "reference"}
    ),
}
_MEDIA_OBJECT = {
    "url": "reference",
    "fileSize": "integer",
    "type": "media-type",
    "medium": "image|audio|video|document|executable",
    "isDefault": "boolean",
    "expression": "sample|full|nonstop",
    **dict.fromkeys(("bitrate", "framerate", "samplingrate", "duration"), "decimal"),
    "channels": "decimal",
    **_SIZE,
    "lang": "language",
}
_MEDIA_CONTENT = Content("any", "*", _MEDIA_OBJECT, _MEDIA_DETAILS)
_MEDIA = {
    **_MEDIA_DETAILS,
    "content": _MEDIA_CONTENT,
    "group": Content("", "*", children={**_MEDIA_DETAILS, "content": _MEDIA_CONTENT}),
}
#: Similarity, from 0 to 1, from which a name counts as a misspelling of another.
_CLOSE = 0.85
_CATEGORY = {"text": "any!"}
_PODCAST = {
    "author": Content("text"),
    "block": Content("yes-no"),
    "category": Content("", "*", _CATEGORY, children={"category": Content("", "*", _CATEGORY)}),
    "complete": Content("yes-no"),
    "duration": Content("duration"),
    "episode": Content("positive"),
    "episodeType": Content("full|trailer|bonus"),
    "explicit": Content("explicit"),
    "image": Content("any", "?", {"href": "http!"}),
    "isClosedCaptioned": Content("any"),
    "keywords": Content("text"),
    "new-feed-url": Content("http"),
    "order": Content("integer"),
    "owner": Content("", "?", children={"email": Content("email"), "name": Content("text")}),
    "season": Content("positive"),
    "subtitle": Content("text"),
    "summary": Content("any"),
    "title": Content("text"),
    "type": Content("episodic|serial"),
}
_ATOM_IN_RSS = {**FEED, **ENTRY}
#: https://www.ogc.org/standards/georss/
_SHAPES = ("point", "line", "polygon", "box", "circle")
_LATITUDE, _LONGITUDE = Content("latitude"), Content("longitude")

#: For each module: whether the table is complete, and the table.
_MODULES: Mapping[str, tuple[bool, Mapping[str, Content]]] = {
    NAMESPACES["dc"]: (True, _DUBLIN_CORE),
    NAMESPACES["dcterms"]: (
        False,
        dict.fromkeys(
            ("available", "created", "dateSubmitted", "issued", "modified"), Content("dcterms", "*")
        ),
    ),
    NAMESPACES["content"]: (False, {"encoded": Content("html")}),
    NAMESPACES["itunes"]: (False, _PODCAST),
    NAMESPACES["media"]: (True, _MEDIA),
    "http://purl.org/rss/1.0/modules/syndication/": (True, _SYNDICATION),
    "http://purl.org/rss/1.0/modules/slash/": (True, _SLASH),
    "http://wellformedweb.org/CommentAPI/": (
        False,
        {"comment": Content("http"), "commentRss": Content("http")},
    ),
    _THREADS: (
        True,
        {
            "in-reply-to": Content(
                "any",
                "*",
                {"ref": "id!", "href": "reference", "type": "media-type", "source": "uri"},
            ),
            "total": Content("integer"),
        },
    ),
    HISTORY: (False, {"complete": _EMPTY, "archive": _EMPTY}),
    "http://www.w3.org/2003/01/geo/wgs84_pos#": (
        False,
        {
            "lat": _LATITUDE,
            "long": _LONGITUDE,
            "Point": Content("", "*", children={"lat": _LATITUDE, "long": _LONGITUDE}),
        },
    ),
    "http://geourl.org/rss/module/": (False, {"latitude": _LATITUDE, "longitude": _LONGITUDE}),
    "http://postneo.com/icbm": (False, {"latitude": _LATITUDE, "longitude": _LONGITUDE}),
    "http://postneo.com/icbm/": (False, {"latitude": _LATITUDE, "longitude": _LONGITUDE}),
    "http://www.georss.org/georss": (
        False,
        {
            **{name: Content(name, "*") for name in _SHAPES},
            "elev": Content("number"),
            "radius": Content("decimal"),
        },
    ),
    "http://webns.net/mvcb/": (
        True,
        {
            name: Content("", "*", {_RESOURCE_OF: "uri!"})
            for name in ("generatorAgent", "errorReportsTo")
        },
    ),
    "http://web.resource.org/cc/": (False, {"license": Content("any", "*", {_RESOURCE_OF: "uri"})}),
    "http://madskills.com/public/xml/rss/module/trackback/": (
        True,
        {
            "ping": Content("any", "?", {_RESOURCE_OF: "uri"}),
            "about": Content("any", "*", {_RESOURCE_OF: "uri"}),
        },
    ),
    "http://backend.userland.com/creativeCommonsRssModule": (
        True,
        {"license": Content("uri", "*")},
    ),
}
#: Attributes that modules define for elements of feeds.
_MODULE_ATTRIBUTES = {
    f"{_XML}lang": "language-or-none",
    f"{{{_THREADS}}}count": "integer",
    f"{{{_THREADS}}}updated": "rfc3339",
}

_PERSON = Content(
    "",
    "*",
    children={"name": Content("text", "1"), "url": _ANY, "uri": _ANY, "email": Content("email")},
)
_CONSTRUCT = {"type": "any", "mode": "xml|escaped|base64"}
_LINK03 = Content(
    "",
    "+",
    {
        "rel": "any!",
        "type": "media-type!",
        "href": "reference!",
        "title": "text",
        "hreflang": "any",
    },
)
_COMMON03 = {
    "title": Content("construct03", "1", _CONSTRUCT),
    "link": _LINK03,
    "id": Content("id"),
    "contributor": _PERSON,
    "author": Content("", "?", children=_PERSON.children),
}
#: Atom 0.3: https://www.rfc-editor.org/info/rfc4287 replaces it
_ENTRY03 = {
    **_COMMON03,
    "id": Content("id", "1"),
    "modified": Content("date", "1"),
    "issued": Content("date", "1"),
    "created": Content("date"),
    "summary": Content("construct03", "?", _CONSTRUCT),
    "content": Content("construct03", "*", _CONSTRUCT),
}
_FEED03 = {
    **_COMMON03,
    "tagline": Content("construct03", "?", _CONSTRUCT),
    "copyright": Content("construct03", "?", _CONSTRUCT),
    "info": Content("construct03", "?", _CONSTRUCT),
    "modified": Content("date", "1"),
    "generator": Content("text", "?", {"url": "reference", "version": "any"}),
}

#: Attributes of the root, by the name of the vocabulary.
_VERSION = {"rss": {"version": "any!"}, "atom03": {"version": "any"}}
RDF_ABOUT = f"{{{NAMESPACES['rdf']}}}about"
_ABOUT = {RDF_ABOUT: "uri!"}
_RESOURCE = Content("", "?", {_RESOURCE_OF: "any!"})
_LI = Content("", "*", {_RESOURCE_OF: "any", "resource": "any"})
_CHANNEL10 = {
    "title": Content("text", "1"),
    "link": Content("uri", "1"),
    "description": Content("any", "1"),
    "image": _RESOURCE,
    "textinput": _RESOURCE,
    "items": Content("", "1", children={"rdf:Seq": Content("", children={"rdf:li": _LI})}),
}
#: Elements beside the channel: RSS 1.0, 5.4 and 5.6
_BESIDE10 = {
    "image": Content(
        "",
        "?",
        {RDF_ABOUT: "any!"},
        {"title": Content("text", "1"), "url": Content("uri", "1"), "link": Content("uri", "1")},
    ),
    "textinput": Content(
        "",
        "?",
        {RDF_ABOUT: "any!"},
        {
            "title": Content("text", "1"),
            "description": Content("text", "1"),
            "name": Content("any", "1"),
            "link": Content("uri", "1"),
        },
    ),
}
_ITEM10 = {
    "title": Content("text", "1"),
    "link": Content("uri", "1"),
    "description": Content("html"),
}


_RFC822 = Content("rfc822")
_OPML_NUMBERS = ("vertScrollState", "windowTop", "windowLeft", "windowBottom", "windowRight")
#: http://opml.org/spec2.opml
_OPML_HEAD = {
    "title": Content("any"),
    "dateCreated": _RFC822,
    "dateModified": _RFC822,
    **dict.fromkeys(("ownerName", "ownerEmail", "ownerId", "docs", "expansionState"), _ANY),
    **dict.fromkeys(_OPML_NUMBERS, _ANY),
}
_OUTLINE = Content(
    "any",
    "+",
    {"created": "rfc822", "isComment": "boolean", "isBreakpoint": "boolean"},
)
_OPML = Content(
    "any",
    "1",
    {"version": "any!"},
    {
        "head": Content("any", "1", {}, _OPML_HEAD),
        "body": Content("any", "1", {}, {"outline": Content("any", "+")}),
    },
)


@dataclass(frozen=True, eq=False)
class ElementRule:
    """
    The allowed content of an element.

    Attributes:
        name: Local name of the element.
        family: Name of its vocabulary, such as "atom", or prefix of its module, such as "media".
        text: See `Content`.
        is_repeatable: Whether siblings of the same name are allowed.
        attributes: Datatypes by the name of the attribute.
        required_attributes: Names of the attributes that the element must have.
        has_all_attributes: Whether unknown attributes without namespace are errors.
        children: Rules of the allowed children, by lxml tag.
        required: lxml tags of the required children.

    """

    name: str
    family: str
    text: str
    is_repeatable: bool
    attributes: Mapping[str, str]
    required_attributes: tuple[str, ...]
    has_all_attributes: bool
    children: Mapping[str, "ElementRule"]
    required: tuple[str, ...]

    def respell(self, tag: str) -> str | None:
        """
        Return the local name of the allowed child that differs from a tag only in letter case.

        None if no child matches, or if the tag is correct.
        """
        written = tag.lower()
        meant = next((child for child in self.children if child.lower() == written), None)
        return meant.rpartition("}")[2] if meant and meant != tag else None


@dataclass(frozen=True)
class Vocabulary:
    """
    The elements of a version of a feed format.

    Attributes:
        name: "rss", "rss10", "atom" or "atom03".
        root: Rule for the root element, of which only the attributes are used.
        head: Rule for the element that contains the metadata of the feed.
        beside: Rules for elements next to the channel, by lxml tag.
        item_tag: lxml tag of items.
        is_strict: Whether whitespace around URLs and dates is an error: RFC 4287, 2 and 3.3.

    """

    name: str
    namespace: str
    root: ElementRule
    head: ElementRule
    beside: Mapping[str, ElementRule]
    item: ElementRule
    item_tag: str
    is_strict: bool


def _make_rule(name: str, content: Content, namespace: str, family: str) -> ElementRule:
    children = {
        _tag(child, namespace): _make_rule(child.rpartition(":")[2], of_child, namespace, family)
        for child, of_child in content.children.items()
    }
    required = (
        _tag(child, namespace)
        for child, of_child in content.children.items()
        if of_child.times in "1+"
    )
    return ElementRule(
        name,
        family,
        content.text,
        content.times in "*+",
        {key: datatype.removesuffix("!") for key, datatype in content.attributes.items()},
        tuple(key for key, datatype in content.attributes.items() if datatype.endswith("!")),
        family == "rss",
        children,
        tuple(required),
    )


def _tag(name: str, namespace: str) -> str:
    prefix, _, local = name.rpartition(":")
    uri = NAMESPACES[prefix] if prefix else namespace
    return f"{{{uri}}}{local}" if uri else local


def _content_of(elements: Mapping[str, FeedElement]) -> dict[str, Content]:
    return {name: row.content for name, row in elements.items() if row.content}


@cache
def _find_vocabulary(root: str, namespace: str) -> Vocabulary | None:
    """Return the vocabulary for the name and namespace of a root element, if known."""
    if root == "rss":
        return _vocabulary(
            "rss", namespace, "channel", _content_of(CHANNEL), "item", _content_of(ITEM)
        )
    if root == "RDF" and namespace == _RSS10:
        return _vocabulary("rss10", _RSS10, "channel", _CHANNEL10, "item", _ITEM10)
    if root not in ("feed", "entry"):
        return None
    if namespace == NAMESPACES["atom03"]:
        return _vocabulary("atom03", namespace, "feed", _FEED03, "entry", _ENTRY03)
    return _vocabulary("atom", namespace, "feed", _content_of(FEED), "entry", _content_of(ENTRY))


def _vocabulary(
    name: str,
    namespace: str,
    head: str,
    in_head: Mapping[str, Content],
    item: str,
    in_item: Mapping[str, Content],
) -> Vocabulary:
    about, beside = (_ABOUT, _BESIDE10) if name == "rss10" else ({}, {})
    root = Content("", "1", _VERSION.get(name, {}))
    feed = Content("", "1", about, in_head)
    return Vocabulary(
        name,
        namespace,
        _make_rule("rss" if head == "channel" else head, root, namespace, name),
        _make_rule(head, feed, namespace, name),
        _make_rule("", Content("", "1", {}, beside), namespace, name).children,
        _make_rule(item, Content("", "*", about, in_item), namespace, name),
        _tag(item, namespace),
        name.startswith("atom"),
    )


def vocabulary_of(root: XmlElement) -> Vocabulary | None:
    """Return the vocabulary for the root element of a feed; None if it is not validated."""
    namespace, name = split_name(root)
    if name == "RDF":
        namespace = _RSS10 if _RSS10 in root.nsmap.values() else ""
    return _find_vocabulary(name, namespace)


@cache
def module_rules() -> dict[str, ElementRule]:
    """Return the rules for elements of all modules, and for Atom elements in RSS, by lxml tag."""
    rules = {
        _tag(name, namespace): _make_rule(name, content, namespace, prefix_of(namespace) or "")
        for namespace, (_, elements) in _MODULES.items()
        for name, content in elements.items()
    }
    atom = NAMESPACES["atom"]
    for name, content in _content_of(_ATOM_IN_RSS).items():
        # Only in Atom feeds, the reader reports dates in other formats.
        kind = "rfc3339" if content.text == "date" else content.text
        rules[_tag(name, atom)] = _make_rule(name, content._replace(text=kind), atom, "atom")
    return rules


#: Rules for the root of a list of feeds, and for each of its outlines.
OPML = _make_rule("opml", _OPML, "", "opml")
OUTLINE = _make_rule("outline", _OUTLINE, "", "opml")


def find_itunes_name(written: str) -> str | None:
    """Return the iTunes element whose name is closest to a misspelt name; None if none is close."""
    names = {name.lower(): name for name in _PODCAST}
    near = get_close_matches(written.lower(), names, 1, cutoff=_CLOSE)
    return names[near[0]] if near else None


def is_closed(namespace: str) -> bool:
    """Return whether the table of a module has all elements of the module."""
    return _MODULES.get(namespace, (False, {}))[0]


def attribute_of_module(name: str) -> str | None:
    """Return the datatype of a module's attribute, by its name in lxml; None if it is unknown."""
    return _MODULE_ATTRIBUTES.get(name)
