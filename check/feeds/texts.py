"""
Validates texts whose attribute `type` gives their format, such as HTML.

These are the text constructs and the content of Atom
(https://www.rfc-editor.org/rfc/rfc4287#section-3.1 and #section-4.1.3) and the texts of Media RSS.
"""

import base64
import binascii

from sitemapx.check.feeds.markup import (
    ReportDefect,
    find_html,
    find_unsafe_attribute,
    is_html_element,
    is_unsafe_element,
    report_html,
)
from sitemapx.check.feeds.values import is_media_type, is_xml_type, media_type_of
from sitemapx.convert.values.words import clip
from sitemapx.convert.xml.elements import local_name, name_of, split_name
from sitemapx.convert.xml.namespaces import NAMESPACES
from sitemapx.convert.xml.parsers import XmlElement

_LONGEST = 60
_XHTML = NAMESPACES["xhtml"]
_FOREIGN = ("http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML")
#: Types of a text construct: https://www.rfc-editor.org/rfc/rfc4287#section-3.1.1
CONSTRUCT_TYPES = "text|html|xhtml"
_TYPES = CONSTRUCT_TYPES.split("|")


def check_construct(element: XmlElement, report: ReportDefect, *, is_old: bool) -> None:
    """Check an Atom text construct, or the content of an entry; `is_old` is for Atom 0.3."""
    name = local_name(element)
    where = f"<{name}>"
    kind = (element.get("type") or "").strip()
    if is_old:
        kind = _type_of_old(element, kind, report)
    elif name == "content" and element.get("src") is not None:
        _check_linked_content(element, kind, report)
        return
    elif element.get("type") is not None and kind not in _TYPES and name != "content":
        message = f'{where} type="{kind}": expected text, html or xhtml'
        report(element, "bad-keyword", message)
        return
    children = [child for child in element if isinstance(child.tag, str)]
    text = element.text or ""
    if kind in ("", "text"):
        if children:
            _report_children(element, children, kind or "text", report)
        elif html := find_html(text):
            message = f"{where} has type text, but contains HTML: {clip(html, _LONGEST)!r}"
            report(element, "content-mismatch", message)
    elif kind in ("html", "text/html"):
        if children:
            _report_children(element, children, kind, report)
        else:
            report_html(element, text, report)
    elif kind == "xhtml":
        _check_xhtml(element, children, report)
    elif name == "content" and not is_old:
        _check_media(element, kind, children, report)
    if not text.strip() and not children and kind in ("", *_TYPES):
        report(element, "empty-value", f"{where} is empty")


def _type_of_old(element: XmlElement, kind: str, report: ReportDefect) -> str:
    """Return the Atom 1.0 type of a text in Atom 0.3, or "other"; report an invalid media type."""
    mode = (element.get("mode") or "xml").strip()
    if kind and not is_media_type(kind):
        message = f'<{local_name(element)} type="{kind}">: expected a media type such as text/html'
        report(element, "bad-media-type", message)
    has_children = any(isinstance(child.tag, str) for child in element)
    if mode == "escaped" and has_children:
        return "html"
    if kind in ("text/html", "application/xhtml+xml"):
        return "html" if mode == "escaped" else "xhtml" if has_children else "text"
    if has_children:
        return "text" if kind == "text/plain" else "xhtml"
    return "text" if kind in ("", "text/plain") else "other"


def _report_children(
    element: XmlElement, children: list[XmlElement], kind: str, report: ReportDefect
) -> None:
    name = local_name(element)
    message = f"<{name}> has type {kind}, but contains the element <{name_of(children[0])}>"
    report(children[0], "content-form", message)


def _check_linked_content(element: XmlElement, kind: str, report: ReportDefect) -> None:
    """Check an Atom content element that has `src`, the URL of its content: RFC 4287, 4.1.3.2"""
    if len(element) or (element.text or "").strip():
        report(element, "content-form", "<content> has src, but is not empty")
    if not kind:
        report(element, "missing-recommended", "<content> has src, but no type")
    elif kind in _TYPES or not is_media_type(kind):
        message = f'<content src> has type="{kind}": expected a media type such as text/html'
        report(element, "bad-media-type", message)


def _check_xhtml(element: XmlElement, children: list[XmlElement], report: ReportDefect) -> None:
    name = local_name(element)
    if len(children) != 1 or local_name(children[0]) != "div":
        if not children and find_html(element.text or ""):
            message = f"<{name}> has type xhtml, but contains escaped HTML"
            report(element, "content-mismatch", message)
        else:
            message = f"<{name}> has type xhtml, but does not contain one XHTML <div>"
            report(element, "content-form", message)
        return
    if text := "".join(part.strip() for part in (element.text, *(c.tail for c in element)) if part):
        message = f"<{name}> has type xhtml, but text outside its <div>: {clip(text, _LONGEST)!r}"
        report(element, "content-form", message)
    namespace = split_name(children[0])[0]
    if namespace != _XHTML:
        message = f"<div> in <{name}> is in namespace {namespace!r}: expected {_XHTML}"
        report(children[0], "content-form", message)
        return
    if len(children[0]) == 0 and (html := find_html(children[0].text or "")):
        message = f"<{name}> has type xhtml, but contains escaped HTML: {clip(html, _LONGEST)!r}"
        report(element, "content-mismatch", message)
    for inner in element.iterdescendants("*"):
        namespace, local = split_name(inner)
        if namespace == _XHTML:
            _check_xhtml_element(inner, local, name, report)
        elif namespace not in _FOREIGN:
            message = f"<{name_of(inner)}> in the XHTML of <{name}> is in namespace {namespace!r}"
            report(inner, "content-mismatch", message)
        elif local == "script" or any(key.startswith("on") for key, _ in inner.items()):
            report(inner, "unsafe-html", f"<{name}>: <{name_of(inner)}>")


def _check_xhtml_element(inner: XmlElement, local: str, name: str, report: ReportDefect) -> None:
    if is_unsafe_element(local):
        report(inner, "unsafe-html", f"<{name}>: <{local}>")
    elif not is_html_element(local):
        report(inner, "content-mismatch", f"<{name}> has a tag that is not XHTML: <{local}>")
    for key, value in inner.items():
        if unsafe := find_unsafe_attribute(key, value):
            report(inner, "unsafe-html", f"<{name}>: {unsafe}")


def _check_media(
    element: XmlElement, kind: str, children: list[XmlElement], report: ReportDefect
) -> None:
    """Check Atom content of a media type, such as image/png: RFC 4287, 4.1.3"""
    media_type = media_type_of(kind)
    if not is_media_type(kind) or media_type.startswith(("multipart/", "message/")):
        message = f'<content type="{kind}">: expected text, html, xhtml or a media type'
        report(element, "bad-media-type", message)
        return
    is_xml = is_xml_type(media_type)
    if media_type == "application/xhtml+xml" and children and local_name(children[0]) != "html":
        message = f"<content> has type {kind}, but contains a fragment: expected type xhtml"
        report(element, "content-mismatch", message)
    elif children and not is_xml:
        _report_children(element, children, kind, report)
    elif not is_xml and not media_type.startswith("text/") and not _is_base64(element.text or ""):
        message = f"<content> has type {kind}, but is not valid Base64"
        report(element, "content-form", message)


def _is_base64(text: str) -> bool:
    try:
        base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return False
    return True


def check_media_text(element: XmlElement, report: ReportDefect) -> None:
    """Check a text element of Media RSS, whose type is plain or html."""
    text = element.text or ""
    where = f"<{name_of(element)}>"
    if element.get("type") == "html":
        report_html(element, text, report)
    elif html := find_html(text):
        message = f"{where} has type plain, but contains HTML: {clip(html, _LONGEST)!r}"
        report(element, "content-mismatch", message)
