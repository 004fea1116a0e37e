"""A valid document of each format, which fuzz tests damage."""

import gzip

from tests.convert.documents import IMAGE, NEWS, SITEMAP, VIDEO, XHTML

__all__ = ["DOCUMENTS", "FORMATS"]

_SITEMAP = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/xsl" href="style.xsl"?>
<!-- made by hand -->
<urlset xmlns="{SITEMAP}" xmlns:image="{IMAGE}" xmlns:video="{VIDEO}" xmlns:news="{NEWS}"
  xmlns:xhtml="{XHTML}" xmlns:x="urn:example:x">
<url><loc>https://example.com/a?b=1&amp;c=2</loc><lastmod>2024-05-08</lastmod>
<changefreq>daily</changefreq><priority>0.5</priority></url>
<url>
  <loc><![CDATA[https://example.com/b]]></loc>
  <image:image><image:loc>https://example.com/i.png</image:loc></image:image>
  <video:video><video:thumbnail_loc>https://example.com/t.jpg</video:thumbnail_loc>
    <video:title>T</video:title><video:description>D &lt; E</video:description>
    <video:content_loc>https://example.com/v.mp4</video:content_loc>
    <video:restriction relationship="allow">IE GB</video:restriction>
    <video:price currency="EUR">1.99</video:price><video:tag>one</video:tag>
  </video:video>
  <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de/"/>
  <x:note x:kind="k">kept <x:b>word for word</x:b></x:note>
</url>
<url><loc>https://example.com/n</loc><news:news><news:publication><news:name>N</news:name>
<news:language>en</news:language></news:publication><news:publication_date>2024-05-08T10:00Z
</news:publication_date><news:title>t</news:title><news:keywords>a, b</news:keywords></news:news>
</url>
<url><loc>https://example.com/stra\u00dfe</loc></url>
</urlset>
"""
_INDEX = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="{SITEMAP}">
<sitemap><loc>https://example.com/1.xml</loc><lastmod>2024-05-08T08:53:11+02:00</lastmod></sitemap>
<sitemap><loc>https://example.com/2.xml.gz</loc></sitemap>
</sitemapindex>
"""
_PREFIXED = f"""\
<s:urlset xmlns:s="{SITEMAP}"><s:url><s:loc>https://example.com/a</s:loc></s:url>
<s:url><s:loc>https://example.com/b</s:loc><s:lastmod>2024</s:lastmod></s:url></s:urlset>"""
_TEXT = "\ufeffhttps://example.com/a\r\nhttps://example.com/\u00e9 \r\n\r\nhttp://example.com/c\n"
_JSONL = """\
{"loc":"https://example.com/a","lastmod":"2024-05-08","priority":0.5}
{"loc":"https://example.com/b","images":[{"loc":"https://example.com/i.png","title":"\\u00e9"}],\
"news":{"publication":{"name":"N","language":"en"},"genres":["Blog"]},"mobile":true}
{"id":"x","videos":[{"title":"T","duration":3,"prices":[{"price":"1"}]}],"extras":["<a/>"]}
"""
_CSV = """\
Address;Last Modified;priority;title;images;authors
https://example.com/a;2024-05-08;0.5;"one ""two""
three";"[{""loc"":""https://example.com/i""}]";"[""A"",""B""]"
https://example.com/b;Wed, 08 May 2024 08:53:11 GMT;1;x;;C
"""

_JSON_FEED = """\
{"version":"https://jsonfeed.org/version/1.1","title":"F","home_page_url":"https://example.com/",
"authors":[{"name":"A"}],"hubs":[{"type":"WebSub","url":"https://hub.example/"}],"items":[
{"id":"1","url":"https:\\/\\/example.com/a","content_text":"a < b","tags":["x"],"_e":{"k":[1]}},
{"id":2,"url":"https://example.com/b","title":"\\u00e9","content_html":"<p>b</p>","date_published":
"2024-05-08T10:00:00Z","attachments":[{"url":"https://example.com/m","mime_type":"audio/mpeg"}]}
],"expired":false}
"""

_RSS = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE rss [<!ENTITY x "y">]>
<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:a="http://www.w3.org/2005/Atom"
  xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dcterms="http://purl.org/dc/terms/"
  xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel><title>T&nbsp;&amp; t</title><link>https://example.com/</link>
<a:link rel="self" href="https://example.com/feed"/><media:rating>nonadult</media:rating>
<item><title>A</title><link>https://example.com/a</link><guid isPermaLink="false">1</guid>
<pubDate>Wed, 08 May 2024 08:53:11 GMT</pubDate><dc:creator>N</dc:creator>
<description><![CDATA[<p>D &eacute;</p>]]></description><content:encoded>c</content:encoded>
<enclosure url="https://example.com/a.mp3" type="audio/mpeg" length="9"/>
<media:group><media:content url="https://example.com/v.mp4" duration="61" isDefault="true"/>
<media:thumbnail url="t.jpg"/><media:restriction relationship="deny" type="country">de
</media:restriction><media:community><media:starRating average="3" min="1" max="10"/>
<media:statistics views="5"/></media:community><media:price type="rent" price="1" currency="EUR"/>
</media:group><dcterms:valid>start=2024-05-08; end=2025-05-08T10:00Z</dcterms:valid></item>
<item xml:base="https://example.com/b/"><guid>https://example.com/b</guid><category domain="d">c
</category><source url="https://example.org/">S</source></item>
<item><title>plain</title><link>https://example.com/c</link><category>c</category></item>
</channel></rss>
"""
_RDF = """\
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
<channel rdf:about="https://example.com/"><title>T</title><items/></channel>
<item rdf:about="https://example.com/a"><title>A</title><link>https://example.com/a</link></item>
</rdf:RDF>"""
_ATOM = """\
<?xml version="1.0"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://example.com/" xml:lang="en">
<title type="html">T &lt;b&gt;t&lt;/b&gt;</title><id>urn:x</id>
<updated>2024-05-08T10:00:00Z</updated><link rel="next" href="?page=2"/>
<entry><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">A <b>b</b></div></title>
<id>tag:example.com,2024:a</id><link href="a"/><link rel="enclosure" href="a.mp3" length="x"/>
<updated>2024-05-08T10:00:00.5+02:00</updated><published>2024-05-08T09:00:00Z</published>
<author><name>N</name></author><category term="c" label="C"/><summary>s</summary>
<content type="html">&lt;p&gt;c</content></entry>
<entry xml:lang="de"><id>https://example.com/b</id><title/><updated>yesterday</updated></entry>
</feed>
"""

#: A format, and a document in this format.
DOCUMENTS: list[tuple[str, bytes]] = [
    ("sitemap", _SITEMAP.encode()),
    ("sitemap", _PREFIXED.encode()),
    ("sitemap", _SITEMAP.replace("UTF-8", "UTF-16").encode("utf-16")),
    ("sitemap", _SITEMAP.replace("UTF-8", "ISO-8859-1").encode("latin-1")),
    ("sitemapindex", _INDEX.encode()),
    ("text", _TEXT.encode()),
    ("text", _TEXT.encode("utf-16-le")),
    ("jsonl", _JSONL.encode()),
    ("csv", _CSV.encode()),
    ("rss", _RSS.encode()),
    ("rss", _RDF.encode("utf-16")),
    ("atom", _ATOM.encode()),
    ("jsonfeed", _JSON_FEED.encode()),
]
DOCUMENTS += [(name, gzip.compress(data, mtime=0)) for name, data in DOCUMENTS[::4]]
FORMATS = ("sitemap", "sitemapindex", "text", "jsonl", "csv", "rss", "atom", "jsonfeed")
