"""
HTML in feeds: markup where plain text belongs, and markup that feed readers remove or misread.

Feed readers show HTML from strangers inside their own pages; many remove active content, see
https://www.rfc-editor.org/rfc/rfc4287#section-8.1
"""

import re
from collections.abc import Callable, Iterator

from sitemapx.convert.html.tags import Tag, Tags
from sitemapx.convert.values import urls
from sitemapx.convert.values.words import clip
from sitemapx.convert.xml.elements import name_of
from sitemapx.convert.xml.parsers import XmlElement
from sitemapx.patterns import lazy_pattern

#: Called with a defective element, the code of the rule, and a message.
ReportDefect = Callable[[XmlElement, str, str], object]
#: Called with the same arguments; returns a function that reports the defect later.
PrepareDefect = Callable[[XmlElement, str, str], Callable[[], object]]

_LONGEST = 60

#: The elements of HTML: https://html.spec.whatwg.org/multipage/indices.html#elements-3, and
#: obsolete elements.
_ELEMENTS = re.compile(
    "a|abbr|acronym|address|applet|area|article|aside|audio|b|base|basefont|bdi|bdo|"
    "bgsound|big|blink|blockquote|body|br|button|canvas|caption|center|cite|code|col|"
    "colgroup|data|datalist|dd|del|details|dfn|dialog|dir|div|dl|dt|em|embed|fieldset|"
    "figcaption|figure|font|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|"
    "hgroup|hr|html|i|iframe|image|img|input|ins|isindex|kbd|label|legend|li|link|"
    "listing|main|map|mark|marquee|math|menu|menuitem|meta|meter|nav|nobr|noembed|"
    "noframes|noscript|object|ol|optgroup|option|output|p|param|picture|plaintext|pre|"
    "progress|q|rb|rp|rt|rtc|ruby|s|samp|script|search|section|select|slot|small|source|"
    "spacer|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|template|"
    "textarea|tfoot|th|thead|time|title|tr|track|tt|u|ul|var|video|wbr|xmp"
)
_UNSAFE = re.compile(
    "applet|base|basefont|bgsound|blink|body|embed|form|frame|frameset|head|html|iframe|"
    "link|meta|noscript|object|script|style|title"
)
_FOREIGN = ("svg", "math")
_UNSAFE_STYLE = re.compile(
    r"(?i)position\s*:\s*(?:absolute|fixed|sticky)|behaviou?r\s*:|-moz-binding|expression\s*\(|"
    r"url\s*\(|@import|\bmso-[\w-]+\s*:|font-size\s*:\s*0|display\s*:\s*none|\\"
)
#: Attributes with URLs that feed readers show or follow.
_SHOWN = ("href", "src", "poster", "srcset")
_URL_ATTRIBUTES = ("href", "src", "action", "background", "longdesc", "cite", "data", "poster")
_START_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)(?:\s[^<>]*)?/?>")
#: HTML without any defect: harmless elements with harmless attributes.
_USUAL = lazy_pattern(
    r"""
    (?: [^<]*+ <
        (?: /[a-z][a-z0-9]*+> | !--[^<>-]*+--> |
            (?: p|a|b|i|u|s|em|strong|br|img|div|span|ul|ol|li|h[1-6]|hr|blockquote|figure|
                figcaption|table|tr|td|th|tbody|thead|code|pre|cite|dl|dt|dd|small|sub|sup|
                picture|source|section|article|header|footer|center|font|video|audio|del|ins|
                abbr|q )
            (?: \s++ (?: (?:class|id|title|alt|width|height|rel|target|lang|dir|loading|decoding|
                        align|border|valign|color|face|size|sizes|type|datetime|
                        (?:data|aria)-[a-z-]++)="[^"<>]*+" |
                      (?:href|src)="(?:https?:|mailto:|tel:|\#)[^"<>]*+" |
                      style="(?:(?:text-align|width|height|max-width|margin|margin-\w+|padding|
                        padding-\w+|border|color|background-color|font-weight|font-size|
                        font-style|float|clear|line-height):\s*+(?!0)[\w\s.%\#,-]++;?\s*+)*+" ) )*+
            \s*+ /?+ >
        )
    )*+ [^<]*+
    """,
    re.VERBOSE,
)
#: URL of an image candidate: https://html.spec.whatwg.org/multipage/images.html#srcset-attributes
_CANDIDATE = re.compile(r"(?:^|,)\s*([^\s,]\S*[^\s,]|[^\s,])[^,]*")
_CUT_OFF = re.compile(r"<[A-Za-z][^<>]*\Z")
_REFERENCE = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]+|#\d+|#[xX][0-9A-Fa-f]+);")


def is_usual_html(text: str) -> bool:
    """Return True only if a quick test proves that HTML has nothing to report."""
    return _USUAL.fullmatch(text) is not None


def find_html(text: str) -> str | None:
    """Return the first HTML tag in a text, else the first character reference, or None."""
    if "<" in text:
        for m in _START_TAG.finditer(text):
            if _ELEMENTS.fullmatch(m[1].lower()):
                return m[0]
    reference = _REFERENCE.search(text) if "&" in text else None
    return reference[0] if reference else None


def _find_unknown_tag(text: str) -> str | None:
    """Return a tag that is cut off, else the first unknown tag before SVG and MathML, or None."""
    if m := _CUT_OFF.search(text):
        return m[0]
    for m in _START_TAG.finditer(text):
        name = m[1].lower()
        if name in _FOREIGN:  # what follows may be SVG or MathML
            return None
        if not _ELEMENTS.fullmatch(name):
            return m[0]
    return None


def _find_unsafe(text: str) -> Iterator[str]:
    """Yield the elements, attributes and styles that feed readers remove from HTML."""
    if "<?import" in text:
        yield "<?import>"
    for tag in Tags(text):
        if tag.name and not tag.is_end:
            yield from _unsafe_parts(tag)


def _unsafe_parts(tag: Tag) -> Iterator[str]:
    if _UNSAFE.fullmatch(tag.name):
        yield f"<{tag.name}>"
    if not tag.source or tag.source.isspace():
        return
    for name, value in tag.attributes().items():
        if unsafe := find_unsafe_attribute(name, value):
            yield unsafe


def find_unsafe_attribute(name: str, value: str) -> str | None:
    """Describe an attribute that feed readers remove; None if they keep the attribute."""
    if name.startswith("on"):
        return f"{name}=…"
    if name == "style" and (m := _UNSAFE_STYLE.search(value)):
        return f'style="…{m[0]}…"'
    if name in _URL_ATTRIBUTES and re.match(r"\s*(?:java|vb)script\s*:", value, re.IGNORECASE):
        return f'{name}="javascript:…"'
    return None


def is_unsafe_element(name: str) -> bool:
    """Return whether feed readers remove an element of XHTML."""
    return _UNSAFE.fullmatch(name) is not None


def is_html_element(name: str) -> bool:
    return _ELEMENTS.fullmatch(name) is not None


def _find_relative_urls(text: str) -> Iterator[str]:
    if not any(name in text for name in _SHOWN):
        return
    for tag in Tags(text):
        if tag.name and not tag.is_end and any(name in tag.source for name in _SHOWN):
            attributes = tag.attributes()
            for name in _SHOWN:
                value = attributes.get(name, "")
                found = _CANDIDATE.findall(value) if name == "srcset" else [value]
                for url in map(str.strip, found):
                    if url and not url.startswith("#") and not re.match(urls.SCHEME, url):
                        yield url


def report_html(element: XmlElement, text: str, report: ReportDefect) -> None:
    """Report the first defect of each kind in HTML, at the element."""
    for code, message in find_html_defects(text, f"<{name_of(element)}>"):
        # xml:base resolves relative URLs: RFC 4287, 2
        if code != "relative-url" or not urls.is_absolute(element.base or ""):
            report(element, code, message)


def find_html_defects(text: str, where: str) -> Iterator[tuple[str, str]]:
    """Yield code and message of the first HTML defect of each kind; `where` names the element."""
    if is_usual_html(text):
        return
    if unsafe := next(_find_unsafe(text), None):
        yield "unsafe-html", f"{where}: {unsafe}"
    if tag := _find_unknown_tag(text):
        message = f"{where} has a tag that is not HTML: {clip(tag, _LONGEST)!r}"
        yield "content-mismatch", message
    if url := next(_find_relative_urls(text), None):
        yield "relative-url", f"{where}: relative URL {clip(url, _LONGEST)!r}"
