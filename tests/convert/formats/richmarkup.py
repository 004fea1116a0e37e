"""Hypothesis strategies for items with the elements of sitemap extensions, valid and invalid."""

from hypothesis import strategies as st

from sitemapx.convert.formats.sitemap.vocabulary import IMAGE, NEWS, VIDEO, Attribute, Element
from sitemapx.convert.values.datatypes import TEXT, Datatype
from sitemapx.convert.xml.namespaces import NAMESPACES

__all__ = ["RICH_ITEMS", "rich_urlset"]

# fmt: off
_VALUES = [
    "https://e.example/i.jpg?a&amp;b", "text &lt;b>", "60", "yes", "2024-05-08", "US GB", "allow",
    "rent", "HD", "EUR", "4.5", "en", "full", "tms:series", "web tv", "Subscription", "NASDAQ:A",
    "Blog, UserGenerated", "", " ", " 7 ", "two\n  lines", "\u00a0x\u00a0", "&#38;", "a\tb", "0",
    "&quot;q&quot;", "-1", "/relative", "mailto:a@e.example", "maybe", "2024-02-30", "'",
    "\r\n1\r\n2", "\u200b", "x" * 101, "&#x0;", "&#32;s",
]
_RAW = [
    "<![CDATA[c <d> & e]]>", "<!-- c -->v", "<b>t</b>", 'a "quoted" text', "a > b", 'a="b"',
    "]]>", "&amp", "x='y'", "<?p?>", "<!-- > -->",
]
# fmt: on
_CORE = {
    "lastmod": ["2024-05-08", "", " 2024 ", "never"],
    "changefreq": ["daily", "Daily", "often", ""],
    "priority": ["0.5", " 1 ", "2", ""],
}


def _on_problem(code: str, message: str) -> None:
    raise ValueError(message)


def _fitting(kind: Datatype) -> list[str]:
    """Return the sample values that a datatype accepts without a problem."""
    fitting = []
    for value in _VALUES:
        try:
            if value.strip() and kind.is_url == value.startswith("http"):
                kind.parse(value.strip(), _on_problem)
                fitting.append(value)
        except ValueError:
            continue
    return fitting


def _text(draw: st.DrawFn, kind: Datatype | None, *, oddness: int) -> str:
    odd = draw(st.integers(0, 99))
    if kind is None or odd < oddness:
        return draw(st.sampled_from(_VALUES + _RAW))
    return draw(st.sampled_from(_fitting(kind)))


def _attribute(draw: st.DrawFn, attribute: Attribute, oddness: int) -> str:
    value = _text(draw, attribute.kind, oddness=oddness).replace("<", "&lt;").replace('"', "&quot;")
    quote = draw(st.sampled_from(['"', '"', '"', "'"]))
    return f" {attribute.name}={quote}{value.replace(quote, '_')}{quote}"


def _element(draw: st.DrawFn, element: Element, prefix: str, oddness: int) -> str:
    name = f"{prefix}:{element.name}"
    attributes = "".join(
        _attribute(draw, attribute, oddness)
        for attribute in element.attributes
        if attribute.is_required or draw(st.booleans())
    )
    if draw(st.integers(0, 99)) < oddness:
        return f"<{name}{attributes}/>"
    inner = "" if element.children else _text(draw, element.kind, oddness=oddness)
    for child in element.children:
        often = draw(st.sampled_from([0, 0, 1])) + child.is_required
        if child.most == 1 and draw(st.integers(0, 99)) >= oddness:
            often = min(often, 1)
        inner += "".join(_element(draw, child, prefix, oddness) for _ in range(often))
    space = draw(st.sampled_from(["", "\n  ", "\r\n"]))
    return f"<{name}{attributes}>{inner}</{name}>{space}"


def _link(draw: st.DrawFn, oddness: int) -> str:
    names = ["rel", "hreflang", "href", *draw(st.sampled_from([[], [], ["media"], ["type", "x"]]))]
    if draw(st.integers(0, 99)) < oddness:
        names.remove(draw(st.sampled_from(names)))
    values = {"rel": "alternate", "href": "https://e.example/de"}
    attributes = "".join(
        f' {name}="{values[name]}"'
        if name in values and draw(st.integers(0, 99)) >= oddness
        else _attribute(draw, Attribute(name, name, TEXT), oddness)
        for name in names
    )
    return f"<xhtml:link{attributes}{draw(st.sampled_from(['/>', ' />', '></xhtml:link>']))}"


@st.composite
def _items(draw: st.DrawFn) -> list[str]:
    items = []
    for number in range(draw(st.integers(1, 3))):
        oddness = draw(st.sampled_from([0, 0, 0, 3]))
        parts = [f"<loc>https://e.example/{number}?a&amp;b</loc>"]
        for name, values in _CORE.items():
            if draw(st.booleans()):
                value = draw(st.sampled_from(values if oddness else values[:2]))
                parts.append(f"<{name}>{value}</{name}>")
        for element in (IMAGE, IMAGE, VIDEO, NEWS):
            if draw(st.booleans()):
                parts.append(_element(draw, element, element.name, oddness))
        parts += [_link(draw, oddness) for _ in range(draw(st.integers(0, 3)))]
        if draw(st.integers(0, 3)) == 0:
            parts.append("<mobile:mobile/>")
        if oddness and draw(st.booleans()):
            others = ["<x:y>z</x:y>", "<other/>", "<image:image/>", "text", "<!-- c -->"]
            parts.append(draw(st.sampled_from(others)))
        if draw(st.booleans()):
            parts = draw(st.permutations(parts))
        items.append(f"<url>{''.join(parts)}</url>\n")
    return items


RICH_ITEMS = _items()


def rich_urlset(items: list[str]) -> bytes:
    used = {name: NAMESPACES[name] for name in ("image", "video", "news", "xhtml", "mobile")}
    declared = "".join(f' xmlns:{prefix}="{name}"' for prefix, name in used.items())
    root = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:x="urn:x"{declared}>'
    return f"{root}\n{''.join(items)}</urlset>\n".encode()
