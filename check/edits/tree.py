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

    def __init__(
        self, element: XmlElement, data: bytes = b"", begin: int = 0, inside: int = 0
    ) -> None:
        """
        Make the node of an element; without bytes, to try what a fix changes.

        Args:
            data: The bytes of the item.
            begin: Where the start tag begins.
            inside: Where it ends.

        """
        self.element = element
        self.children: list[Node] = []
        self.is_gone = False
        self.start_tag = data[begin:inside]
        self.text: bytes | None = None
        self._data = data
        self._begin, self._inside = begin, inside
        self._end_tag = self._end = inside
        self._placed: list[Node] = []
        self._attributes: dict[str, bytes] = {}

    def append(self, child: "Node") -> None:
        """Append a child, in the order of the source."""
        self.children.append(child)
        self._placed.append(child)

    @property
    def is_changed(self) -> bool:
        """Whether anything but the start tag is to be written in another way."""
        is_moved = self.children != self._placed
        return self.is_gone or is_moved or self.text is not None or bool(self._attributes)

    def close(self, end_tag: int, end: int) -> None:
        """Set where the end tag begins and ends."""
        self._end_tag, self._end = end_tag, end

    def set_attribute(self, name: str, new: bytes) -> None:
        """Write another value into an attribute that is there, with `"` escaped."""
        self._attributes[name] = b'"%s"' % new

    def _written_start_tag(self) -> bytes:
        tag = self.start_tag
        for name, value in self._attributes.items():
            pattern = rb"(\s%s\s*=\s*)([\"'])(?:(?!\2).)*\2" % re.escape(name.encode())
            if m := re.search(pattern, tag):
                tag = tag[: m.end(1)] + value + tag[m.end() :]
        return tag

    def written(self) -> bytes:
        """Write it, with all that was changed."""
        if self.is_gone:
            return b""
        starts = [self._inside, *(child._end for child in self._placed)]
        stops = [*(child._begin for child in self._placed), self._end_tag]
        texts = [self._data[start:stop] for start, stop in zip(starts, stops, strict=True)]
        if self.text is not None:
            texts[0] = self.text
        parts = [self._written_start_tag()]
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
        node = Node(elements[len(nodes)], data, m.start(), m.end())
        nodes.append(node)
        if stack:
            stack[-1].append(node)
        if m[3].endswith(b"/"):
            node.close(m.end(), m.end())
        else:
            stack.append(node)
    return None if stack or len(nodes) != len(elements) else nodes
