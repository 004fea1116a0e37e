"""Items of RSS and Atom with the elements that feeds have, well and badly used."""

from collections.abc import Mapping, Sequence

from hypothesis import strategies as st

__all__ = ["ATOM_ITEMS", "RSS_ITEMS", "atom_feed", "rss_feed"]

# fmt: off
_LINKS = [
    "https://e.example/a", "http://e.example/?b=1&amp;c=2", "https://e.example/&#38;amp;&lt;",
    " https://e.example/c\n", "/e", "", "mailto:a@e.example", "https://e.example/i j",
    "javascript:x()", "<![CDATA[https://e.example/m&n]]>", "https://e.example/<!-- -->",
    "HTTPS://e.example/d", "https://e.example/&eacute;", "https://e.example/it&#146;s",
]
_DATES = [
    "Wed, 08 May 2024 08:53:11 GMT", "Wed, 08 May 2024 08:53:11 +0200", "8 May 24 08:53 EST",
    "Wed, 08 May 2024 08:53:11 -0000", "Thu, 31 Feb 2024 08:53:11 GMT", "2024-05-08", "soon", " ",
    "Wed, 08 May 2024 25:00:00 GMT", " Wed, 08 May 2024 08:53:11 GMT\n", "",
    "Wed, 08 May 2024 08:53:11 AEST", "Wed, 08 May 2024 08:53:11 IST", "8 May 2024 08:53 UTC+2",
    "Wed, 08 May 2024 08:53:11 Z", "Wed, 08 May 2024 08:53:11 EST", "Wed, 08 May 2024 08:53:11",
    "Wed, 8 May 2024 08:53:11 &#90;", "Thu, 29 Feb 2024 00:00:00 CET", "Wed, 08 May 2024",
    "Wed, 08 May 2024 08:53:11 +02:00",
]
_W3C = [
    "2024-05-08T08:53:11Z", "2024-05-08", "2024-05-08T08:53:11.5+02:00", "2024", "", "soon", "\n ",
    "2024-05-08 08:53:11", " 2024-05-08T08:53Z ", "Wed, 08 May 2024 08:53:11 GMT", "2024-02-30",
    "2024-05-08T08:53:11", "2024-05-08&#84;08:53Z",
]
_TEXTS = [
    "t", "t &amp; u", "", " ", "<![CDATA[a <b>c</b>]]>", "<![CDATA[]]>", "<![CDATA[ ]]>", "&nbsp;",
    "&#160;", "a]]>b", "<b>t</b>", "x <![CDATA[y]]>", "&#38;amp;#38; &amp;#38;",
    "&lt;p&gt;q&lt;/p&gt;",
    "it&#146;s", "<![CDATA[it&#146;s]]>", "a@e.example (A)", "<!-- c -->d", "&#32;", "\u00a0",
    "<?p?>",
    "<category>c</category>", "two\n  lines", "&quot;q&quot;", "<link>https://e.example/z</link>",
]
_SIZES = ["1", "0", "", "x", " 7 ", "-1", "9" * 20, "\u0661", "&#49;"]
_SNIPPETS = [
    "<!-- -->", "<!--</item>-->", "<?p?>", "<![CDATA[]]>", "&", "&amp;", "&#0;", "\0", "<", ">",
    "/",
    "</item>", "<item>", "</entry>", "<entry/>", "<x/>", "<x:y/>", "\r\n", "text", "]]>", "\ufffe",
    "<title/>", "</channel>", "<link/>", ' a="b"', ' xmlns="urn:x"', ' xml:base="https://b.example/"',
    '<item xmlns="">', ' xml:lang="de"', "<media:title>m</media:title>", "</feed>", "\x02", " \t",
]
# fmt: on


def _text(*names: str) -> list[str]:
    return [f"<{name}>{{text}}</{name.split()[0]}>" for name in names]


_RSS = {
    "<link>{link}</link>": 30,
    "{media}": 12,
    **dict.fromkeys(_text("title", "description", "category", "author", "dc:creator", "guid"), 6),
    "<pubDate>{date}</pubDate>": 12,
    **dict.fromkeys(
        [
            *_text("content:encoded", "dc:subject", "dc:date", "comments", "atom:updated", "x:y"),
            *_text('guid isPermaLink="false"', "guid isPermaLink='true'", 'guid x="y"', "title "),
            *_text(
                "category domain='d'", 'category domain="d"', "dc:subject domain='d'", "link x=''"
            ),
            *_text("itunes:duration", "itunes:author", "media:title", "itunes:summary", "source"),
            '<enclosure url="{link}" type="{text}" length="{size}"/>',
            "<enclosure length='{size}' url='{link}'> </enclosure>",
            '<enclosure type="a/b"/>',
            "<x:y><x:z a='{size}'>{text}</x:z></x:y>",
            "{media}",
            "{media}{media}",
            "<media:thumbnail url='{link}'/>",
            '<media:thumbnail height="{size}" url="{link}" width="1"/>',
            "<media:group>{media}</media:group>",
            "<media:group><media:description>{text}</media:description>{media}</media:group>",
            "<media:group>{media}<media:thumbnail url='{link}'/>{about}</media:group>",
            '<atom:link rel="alternate" href="{link}"/>',
            "<guid/>",
            "<title/>",
        ],
        1,
    ),
}
_ATOM = {
    '<link href="{link}"/>': 30,
    '<link rel="alternate" type="text/html" href="{link}"/>': 6,
    "<id>{text}</id>": 20,
    "<id>tag:e.example,2024:1</id>": 20,
    **dict.fromkeys(_text("title", 'title type="html"', "summary", 'content type="html"'), 6),
    "<updated>{w3c}</updated>": 12,
    "<published>{w3c}</published>": 6,
    "<author><name>{text}</name></author>": 6,
    "<category term='{text}'/>": 6,
    **dict.fromkeys(
        [
            *_text(
                'title type="TEXT "', 'summary type="xhtml"', 'content type="image/png"', "rights"
            ),
            *_text("content src='x'", "dc:creator", "dc:date", "x:y", "source", "contributor"),
            *_text("issued", "media:title", 'summary type="text/plain"', "title a=''"),
            "<link rel='enclosure' href='{link}' type='a/b' length='{size}' title='t'/>",
            "<link rel='{text}' href='{link}'/>",
            '<link rel="self" href="{link}"/>',
            '<link rel="replies" hreflang="en" href="{link}"> </link>',
            "<author> <email>{text}</email><name>{text}</name> <uri>u</uri></author>",
            "<author/>",
            '<category label="{text}" term="{text}" scheme="s"/>',
            "<category scheme='s'> </category>",
            "<category>{text}</category>",
            "<summary><div xmlns='http://www.w3.org/1999/xhtml'>{text}</div></summary>",
            "<source><author><name>S</name></author></source>",
            "<x:y><x:z a='{size}'>{text}</x:z></x:y>",
            "<media:group><media:title>{text}</media:title></media:group>",
        ],
        1,
    ),
}
_MEDIA = [
    '<media:content url="{link}" medium="image"/>',
    "<media:content url='{link}' type=\"video/mp4\" duration='{size}'>{about}</media:content>",
    "<media:content type='image/jpeg' url='{link}' lang='{size}'>{about}</media:content>",
    '<media:content url="https://e.example/i.jpg">{about}{about}</media:content>',
    '<media:content url="{link}" type="audio/mpeg"/>',
    '<media:content url="https://e.example/v.swf" type="{kind}" medium="{kind}"/>',
    '<media:content medium="video" isDefault="true" url="{link}">{about}{about}</media:content>',
    "<media:content url='https://e.example/v.mp4?a=\"b\">'> {about} </media:content >",
    "<media:content>{about}<media:player url='{link}' width='1'/></media:content>",
    '<media:content url="{link}"><media:player url="{link}"/></media:content>',
    '<media:content url="{link}" url="{link}" medium="image"/>',
]
_ABOUT = [
    "",
    *_text("media:title", 'media:title type="html"', "media:description"),
    *_text('media:description type="html"', "media:category", "media:keywords", "media:text"),
    *_text("media:rating", 'media:credit role="uploader"', "media:credit role='{kind}'"),
    "<media:rating>nonadult</media:rating>",
    "<media:keywords>a, b,,a</media:keywords>",
    '<media:thumbnail url="{link}" height="1"/>',
    "<media:community><media:starRating average='{stars}' min=\"0\" max='5'/></media:community>",
    '<media:community><media:statistics views="{size}"/></media:community>',
    "<media:community><media:starRating average='4'/><media:statistics/></media:community>",
    "<media:community/>",
    "<media:restriction relationship='deny'>de</media:restriction>",
]
_KINDS = ["image", "video", "", "audio", "VIDEO ", "image/png", "author", "&#118;ideo", "x/y"]
_STARS = ["4.5", "5", "0", "5.1", "", "x", " 3", "nan"]
_VALUES = {
    "link": _LINKS,
    "date": _DATES,
    "w3c": _W3C,
    "text": _TEXTS,
    "size": _SIZES,
    "media": _MEDIA,
    "about": _ABOUT,
    "kind": _KINDS,
    "stars": _STARS,
}


@st.composite
def _items(draw: st.DrawFn, name: str, elements: Mapping[str, int]) -> list[str]:
    """Choose items; some of the elements are more frequent, and values are right more often."""
    weighted = [element for element, weight in elements.items() for _ in range(weight)]
    items = []
    for _ in range(draw(st.integers(1, 5))):
        fields = [next(iter(elements)), *draw(st.lists(st.sampled_from(weighted), max_size=5))]
        if draw(st.booleans()):
            fields = draw(st.permutations(fields))
        inner = "".join(
            _filled(draw, field) + draw(st.sampled_from(["", "", "\n", " ", "\r\n\t", "\u00a0"]))
            for field in fields
        )
        item = f"<{name}>{inner}</{name}>\n"
        if draw(st.integers(0, 4)) == 0:
            at = draw(st.integers(0, len(item)))
            item = item[:at] + draw(st.sampled_from(_SNIPPETS)) + item[at:]
        items.append(item)
    return items


def _filled(draw: st.DrawFn, field: str) -> str:
    """Fill in values, which may have such places themselves."""
    while "{" in field:
        start, _, rest = field.partition("{")
        name, _, end = rest.partition("}")
        field = f"{start}{draw(_usually_first(_VALUES[name]))}{end}"
    return field


def _usually_first(values: Sequence[str]) -> st.SearchStrategy[str]:
    return st.one_of(st.just(values[0]), st.sampled_from(values[:3]), st.sampled_from(values))


RSS_ITEMS = _items("item", _RSS)
ATOM_ITEMS = _items("entry", _ATOM)
_PREFIXES = (
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:x="urn:x" '
    'xmlns:content="http://purl.org/rss/1.0/modules/content/" '
    'xmlns:media="http://search.yahoo.com/mrss/" '
    'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"'
)


def rss_feed(items: list[str]) -> bytes:
    """Make an RSS feed."""
    start = f'<rss version="2.0" {_PREFIXES} xmlns:atom="http://www.w3.org/2005/Atom"><channel>'
    return f"{start}<title>T</title>{''.join(items)}</channel></rss>\n".encode()


def atom_feed(items: list[str]) -> bytes:
    """Make an Atom feed."""
    start = f'<feed xmlns="http://www.w3.org/2005/Atom" {_PREFIXES}><title>T</title>'
    return f"{start}<author><name>F</name></author>{''.join(items)}</feed>\n".encode()
