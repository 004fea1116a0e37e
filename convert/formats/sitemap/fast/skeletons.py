"""
Items that differ in nothing but their values: a block of them taken apart, without an XML parser.

A skeleton is an item without its texts and the values of its attributes. Nothing is left of a
block but skeletons and values, and values hold nothing that is markup; so an item is well-formed
if its skeleton is, and means what the skeleton means. Each needs to be parsed but once.
"""

import re
from typing import NamedTuple

from sitemapx.convert.xml.plain import decoded, has_odd_text

#: What XML takes for space.
SPACE = " \t\r\n"

__all__ = ["SPACE", "Skeletons", "numbered", "taken_apart"]

_ATTRIBUTE = re.compile('="([^"<]*)"')
_EMPTY = '=""'
#: (One in a text is made something else by this: so it is found where attributes are counted.)
_SINGLE_QUOTED = re.compile("='([^'\"<]*)'")
_COMMENT = re.compile("<!--(?:[^-]|-(?!-))*+-->")
_CDATA = re.compile(r"<!\[CDATA\[((?:[^\]]|\](?!\]>))*+)\]\]>")
#: Stands where markup was taken out of a text; no text has it.
_GONE = "\x01"
_NOT_ANGLES = bytes(code for code in range(256) if code not in b"<>")


class Skeletons(NamedTuple):
    """
    A block of items, taken apart.

    Attributes:
        items: The skeleton of each.
        texts: What follows each tag, up to the next one; as it is written, entities and all.
        attributes: The values of all attributes, likewise.

    """

    items: list[str]
    texts: list[str]
    attributes: list[str]


def taken_apart(data: bytes, end_tag: str) -> Skeletons | None:
    """
    Take a block apart.

    Args:
        data: Whole items, one after the other, with nothing but space around them.
        end_tag: What each ends with.

    Returns:
        None if that cannot be done, or not without a parser: the markup is not well-formed, or
        there are references to characters by their numbers, or instructions.

    """
    text = decoded(data)
    if text is None:
        return None
    if "\r" in text:  # https://www.w3.org/TR/xml/#sec-line-ends
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "!" in text and "<!" in text:
        text = _CDATA.sub(_escaped, _COMMENT.sub(_GONE, text))
    if "'" in text and "='" in text:  # the first is found, or not, in much less time
        text = _SINGLE_QUOTED.sub(r'="\1"', text)
    if has_odd_text(text):
        return None
    has_gaps = _GONE in text
    text, attributes = _without_attributes(text)
    tags = text.count("<")
    if text.encode().translate(None, _NOT_ANGLES) != b"<>" * tags:  # also a ">" in a text
        return None
    parts = text.replace("<", ">").split(">")
    skeleton = f"<{'<'.join(parts[1::2])}"
    items = skeleton.split(end_tag[:-1])
    # An attribute less in the skeletons is one in a text, and no attribute.
    if parts[0].strip(SPACE + _GONE) or items.pop() or skeleton.count(_EMPTY) != len(attributes):
        return None
    texts = parts[2::2]
    if has_gaps:
        if _GONE in skeleton or any(_GONE in value for value in attributes):
            return None  # there it is no comment, and no CDATA section
        texts = "\0".join(texts).replace(_GONE, "").split("\0")
    return Skeletons(items, texts, attributes)


def _without_attributes(text: str) -> tuple[str, list[str]]:
    """Take out the values of attributes, or what looks like one."""
    parts = text.split('"')
    values = parts[1::2]
    rest = '""'.join(parts[::2])
    if len(parts) % 2 and rest.count(_EMPTY) == len(values) and "<" not in "".join(values):
        return rest, values
    parts = _ATTRIBUTE.split(text)  # the long way: there are quotes in texts
    return _EMPTY.join(parts[::2]), parts[1::2]


def _escaped(section: re.Match[str]) -> str:
    text = section[1].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"{_GONE}{text}"


def numbered(skeleton: str, end_tag: str) -> bytes | None:
    """
    Make an item of a skeleton, with the numbers of its texts and of its attributes as values.

    Returns:
        None if it has more in it than tags with attributes.

    """
    if "<!" in skeleton or "<?" in skeleton or "xml" in skeleton:
        return None
    if not skeleton.startswith("<"):  # what ended before it was another tag, of a longer name
        return None
    tags = skeleton.split("<")[1:]
    parts = "".join([f"<{tag}>{number}" for number, tag in enumerate(tags)]).split(_EMPTY)
    if any("'" in part or '"' in part for part in parts):
        return None
    values = "".join([f'{part}="{number}"' for number, part in enumerate(parts[:-1])])
    return (values + parts[-1] + end_tag).encode()
