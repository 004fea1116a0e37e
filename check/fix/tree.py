"""
One item of XML as a tree of places in its bytes: what is changed there, and nothing else.

The markup is well-formed, which a parser has found before; so its tags are in the order in which
the parser gives the elements.
"""

import re
from collections.abc import Sequence

from sitemapx.convert.xml.parsers import XmlElement
from sitemapx.convert.xml.tags import TAG, outside

__all__ = ["Node", "nodes_of"]

_SPACE = b" \t\r\n"


class Node:
    """
    An element, and where it stands in the bytes.

    Attributes:
        element: What the parser made of it.
        children: The elements in it, in the order in which they are to be written.
        is_gone: Whether it is to be left out.
        start_tag: The tag to write.
        text: The markup to write in place of the text before the first child; None: as it is.

    """

    def __init__(self, data: bytes, element: XmlElement, begin: int, inside: int) -> None:
        self.element = element
        self.children: list[Node] = []
        self.is_gone = False
        self.start_tag = data[begin:inside]
        self.text: bytes | None = None
        self._data = data
        self._begin, self._inside = begin, inside
        self._end_tag = self._end = inside

    def close(self, end_tag: int, end: int) -> None:
        """Return where the end tag stands."""
        self._end_tag, self._end = end_tag, end
        self._places = [(child._begin, child._end) for child in self.children]

    def set_attribute(self, name: str, new: bytes) -> None:
        """Write another value into an attribute that is there, with `"` escaped."""
        pattern = rb"(\s%s\s*=\s*)([\"'])(?:(?!\2).)*\2" % re.escape(name.encode())
        self.start_tag = re.sub(
            pattern, lambda m: m[1] + b'"' + new + b'"', self.start_tag, count=1
        )

    def written(self) -> bytes:
        """Write it, with all that was changed."""
        if self.is_gone:
            return b""
        starts = [self._inside, *(end for _, end in self._places)]
        stops = [*(begin for begin, _ in self._places), self._end_tag]
        texts = [self._data[start:stop] for start, stop in zip(starts, stops, strict=True)]
        if self.text is not None:
            texts[0] = self.text
        parts = [self.start_tag]
        for text, child in zip(texts, self.children, strict=False):
            is_needless = child.is_gone and not text.strip(_SPACE)
            parts += [b"" if is_needless else text, child.written()]
        return b"".join([*parts, texts[-1], self._data[self._end_tag : self._end]])


def nodes_of(data: bytes, elements: Sequence[XmlElement]) -> list[Node] | None:
    """
    Find the elements of an item in its bytes.

    Args:
        elements: All of them, in the order of the document.

    Returns:
        As many nodes; None if they cannot be told apart.

    """
    nodes: list[Node] = []
    stack: list[Node] = []
    for m in outside(TAG, data):
        if m[1]:
            if not stack:
                return None
            stack.pop().close(m.start(), m.end())
            continue
        if len(nodes) == len(elements):
            return None
        node = Node(data, elements[len(nodes)], m.start(), m.end())
        nodes.append(node)
        if stack:
            stack[-1].children.append(node)
        if m[3].endswith(b"/"):
            node.close(m.end(), m.end())
        else:
            stack.append(node)
    return None if stack or len(nodes) != len(elements) else nodes
