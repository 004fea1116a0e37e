"""Write XML text and the elements of `vocabulary`; shared by the writers of XML formats."""

import re
from typing import Any

from sitemapx.convert.entry import Model, has
from sitemapx.convert.kinds import Complain
from sitemapx.convert.problems import Context
from sitemapx.convert.vocabulary import Attribute, Element

__all__ = ["complainer", "escape", "foreign", "render"]

_SPECIAL = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;", "\r": "&#13;"}
_ESCAPES = str.maketrans(_SPECIAL)
#: In attributes a parser makes spaces of these.
_ATTRIBUTE_ESCAPES = str.maketrans(_SPECIAL | {"\n": "&#10;", "\t": "&#9;"})
#: https://www.w3.org/TR/xml/#charsets, and halves of surrogate pairs
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def escape(text: str, complain: Complain, *, is_attribute: bool = False) -> str:
    """Escape a text for an element or an attribute; what XML forbids is left out."""
    if _ILLEGAL.search(text):
        complain("character", "characters that XML forbids are left out")
        text = _ILLEGAL.sub("", text)
    return text.translate(_ATTRIBUTE_ESCAPES if is_attribute else _ESCAPES)


def foreign(extra: str) -> str:
    """Write a foreign element where the default namespace is not that of its parts."""
    tag = extra.partition(">")[0]
    if _WITHOUT_PREFIX.search(extra) and ' xmlns="' not in tag:
        name = re.split(r"[\s/>]", tag, maxsplit=1)[0]
        return f'{name} xmlns=""{extra[len(name) :]}'
    return extra


_WITHOUT_PREFIX = re.compile(r"<[^\s:<>/!?]+[\s/>]")


def complainer(context: Context, loc: str | None) -> Complain:
    """Make the function that reports about one entry."""

    def complain(code: str, message: str) -> None:
        context.problem(code, message, loc=loc)

    return complain


def render(element: Element, owner: Any, prefix: str, complain: Complain) -> str:
    """
    Write the elements of this kind that `owner` has in its field.

    Args:
        owner: The model whose field `element.field` holds one value, or a tuple of them.
        prefix: That of the namespace.
        complain: Told of what cannot be written.

    """
    value = getattr(owner, element.field)
    if not has(value):
        return _lone_attributes(element, owner, complain)
    if element.most == 1:
        return _one(element, value, owner, prefix, complain)
    if element.most and len(value) > element.most:
        complain("cut", f"{len(value):,} {element.name}s; the first {element.most:,} are written")
    return "".join(_one(element, one, owner, prefix, complain) for one in value[: element.most])


def _lone_attributes(element: Element, owner: Any, complain: Complain) -> str:
    """Tell of attributes whose element has no text; write nothing."""
    if element.model is None:
        for attribute in element.attributes:
            if has(getattr(owner, attribute.field)):
                complain("incomplete", f"{element.name}@{attribute.name} without its element")
    return ""


def _one(element: Element, value: Any, owner: Any, prefix: str, complain: Complain) -> str:
    """Write one element, or nothing where something required is missing."""

    def about(code: str, message: str) -> None:
        complain(code, f"{element.name}: {message}")

    name = f"{prefix}:{element.name}"
    if isinstance(value, Model):
        owner = value
        value = getattr(value, element.text_field) if element.kind else None
    attributes = _attributes(element.attributes, owner, about)
    if attributes is None:
        return ""
    if element.kind is None:
        content = _content(element, owner, prefix, about)
    elif not has(value):
        content = None
    else:
        written = element.kind.format(value, about)
        content = None if written is None else escape(written, about)
    return "" if content is None else f"<{name}{attributes}>{content}</{name}>"


def _content(element: Element, owner: Any, prefix: str, complain: Complain) -> str | None:
    """Write all children; None if a required one is missing."""
    parts: list[str] = []
    for child in element.children:
        part = render(child, owner, prefix, complain)
        if child.is_required and not part:
            complain("incomplete", f"no {child.name}; the {element.name} is left out")
            return None
        parts.append(part)
    return "".join(parts)


def _attributes(attributes: tuple[Attribute, ...], owner: Any, complain: Complain) -> str | None:
    """Write the attributes; None if a required one is missing."""
    parts: list[str] = []
    for attribute in attributes:
        value = getattr(owner, attribute.field)
        text = attribute.kind.format(value, complain) if has(value) else None
        if text is not None:
            parts.append(f' {attribute.name}="{escape(text, complain, is_attribute=True)}"')
        elif attribute.is_required:
            complain("incomplete", f"no {attribute.name}; left out")
            return None
    return "".join(parts)
