"""Pages with any markup are read as a browser's parser reads them."""

import re
import warnings
from collections.abc import Collection, Iterable, Iterator
from html import unescape
from xml.etree.ElementTree import Element

import html5lib
from hypothesis import assume, example, given
from hypothesis import strategies as st

from sitemapx.convert.html.facts import read_facts
from sitemapx.convert.html.page import visible_text

_HTML = "{http://www.w3.org/1999/xhtml}"
_SPACES = re.compile(r"\s+")
#: Elements that hide their content from readers, or that all pages have.
_HIDDEN = ("script", "style", "noscript", "iframe", "noembed", "noframes", "title")
_FRAMES = ("nav", "header", "footer")

_values = st.sampled_from(
    ("a", "a b", "x>y", "&amp;", "&copy=1", "&copy;", "&copy", "&#65", "<b>", "'", "", "/", "a/")
)
_quotes = st.sampled_from(('"', "'", ""))


def _attribute(name: str, value: str, quote: str) -> str:
    if not quote and re.search(r"[\s>\"'=<`]|^$", value):
        quote = '"'
    return f"{name}={quote}{value.replace(quote, '') if quote else value}{quote}"


_attributes = st.builds(
    _attribute,
    st.sampled_from(("href", "HREF", "src", "content", "name", "lang")),
    _values,
    _quotes,
)
_starts = st.builds(
    lambda name, attributes, end: f"<{' '.join([name, *attributes])}{end}",
    st.sampled_from(
        (
            *("html", "HEAD", "body", "base", "meta", "img", "p", "div", "main", "article", "nav"),
            *("footer", "svg", "math", "mi", "foreignObject", "desc", "b", "span", "br", "title"),
            *("section", "link rel=canonical", "link rel='x CANONICAL'", "Link rel=alternate"),
        )
    ),
    st.lists(_attributes, max_size=3),
    st.sampled_from((">", " >", "/>", " />", "\n>")),
)
_ends = st.sampled_from(
    (
        *("html", "head", "body", "p", "div", "main", "article", "nav", "footer", "svg", "math"),
        *("foreignObject", "desc", "title", "script", "style", "noscript", "section", "b", "x"),
    )
).map(lambda name: f"</{name}>")
_others = st.sampled_from(
    (
        *("text", " ", "\n", "&amp;", "&copy", "<", "< a", "<!-- c -->", "<!-->x-->", "]]>"),
        *("<!doctype html>", "<?xml ?>", "<![CDATA[<b>]]>", "</>", "</ b>", "<script>", "<STYLE>"),
        *("<!--", "-->", "<title>", "<noscript>", "<textarea>", "</textarea>", "<iframe>"),
        *("<!--<b>--!>", "<script><!--<script></script>", '<a title="<img src=no>">', "</a b='>'>"),
    )
)
#: `</p>` and `</br>` end SVG and MathML, which html5lib, older than this rule, does not know:
#: https://html.spec.whatwg.org/#parsing-main-inforeign
_is_newer = re.compile(r"<(svg|math).*</(p|br)\b", re.IGNORECASE | re.DOTALL).search
_pages = (
    st.lists(st.one_of(_starts, _ends, _others), max_size=14)
    .map("".join)
    .filter(lambda text: not _is_newer(text))
)


def _parse(text: str) -> Element:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # html5lib's own deprecations
        root: Element = html5lib.HTMLParser().parse(text, scripting=True)
    return root


def _select(root: Element, *names: str) -> Iterator[Element]:
    wanted = {f"{_HTML}{name}" for name in names}
    return (element for element in root.iter() if element.tag in wanted)


@given(_pages)
@example("<svg><title>no</title></svg><title>yes</title>")
@example("<math><title><title>")
@example("<title>a</title><p><svg><desc><title>b</title></desc></svg>")
def test_facts_match_the_tree_of_a_browser(text: str) -> None:
    assume(not ("<noscript" in text and "<img" in text))  # images without scripts count here
    root = _parse(text)
    facts = read_facts(text, {"images"})
    head = next(_select(root, "head"))
    links = [
        item for item in _select(head, "link") if "canonical" in item.get("rel", "").lower().split()
    ]
    titles = ["".join(item.itertext()) for item in _select(root, "title")]

    assert titles[:1] == ([unescape(facts.title)] if facts.title is not None else [])
    assert [item.get("content", "") for item in _select(root, "meta")] == [
        content for _, content in facts.metas
    ]
    assert _first(links, "href") == facts.canonical
    assert _first(_select(root, "base"), "href") == facts.base
    assert [item.get("src", "").strip() for item in _select(root, "img")] == [
        src for src, _ in facts.images
    ]
    assert root.get("lang", "") == facts.language


def _first(elements: Iterable[Element], name: str) -> str:
    values = (item.get(name, "").strip() for item in elements)
    return next(filter(None, values), "")


@given(_pages)
@example("text<svg href=/><main>")
@example("text<svg href='='/><main>more")
@example('text<svg a=b href="/"/><main>more')
@example("text<svg a = /><main>more")
@example("text<svg a /><main>more")
def test_visible_text_matches_the_tree_of_a_browser(text: str) -> None:
    root = _parse(text)
    content = list(_select(root, "main")) or list(_select(root, "article"))
    if content:
        inner = {id(element) for top in content for element in top.iter() if element is not top}
        tops = [item for item in content if id(item) not in inner]
        expected = "".join(_texts(tops, _HIDDEN))
    else:
        expected = "".join(_texts(list(_select(root, "body")), (*_HIDDEN, *_FRAMES)))

    assert _SPACES.sub("", expected) == _SPACES.sub("", visible_text(text))


def _texts(elements: Iterable[Element], hidden: Collection[str]) -> Iterator[str]:
    for item in elements:
        if isinstance(item.tag, str) and item.tag not in {f"{_HTML}{name}" for name in hidden}:
            yield item.text or ""
            for inner in item:
                yield from _texts([inner], hidden)
                yield inner.tail or ""
