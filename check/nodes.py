"""
XML elements with their byte ranges in the source, so that only changed elements are rewritten.

The markup must be well-formed, so that its tags are in the same order as the elements of the
parser.
"""

import re
from collections.abc import Sequence

from sitemapx.convert.xml.parsers import XmlElement
from sitemapx.convert.xml.tags import TAG, find_visible

_SPACE = b" \t\r\n"
#: Group 1: comments and processing instructions. CDATA sections, which may contain both, match too.
_KEPT = re.compile(rb"<!\[CDATA\[.*?\]\]>|(<!--.*?-->|<\?.*?\?>)", re.DOTALL)


class Node:
    """
    An element, its byte range in the source, and pending changes.

    Args:
        data: The source; empty to record changes without writing them.
        begin: Offset of the start tag.
        inside: Offset after the start tag.

    Attributes:
        children: Child elements, in the order in which they will be written.
        is_gone: Whether the element will be removed.
        start_tag: The start tag to write.
        text: Markup that replaces the text before the first child, except for comments and
            processing instructions; None to keep the text.
        name: Local name to write; None to keep the name.
        end: Offset of the end of the element in the source.

    """

    def __init__(
        self, element: XmlElement, data: bytes = b"", begin: int = 0, inside: int = 0
    ) -> None:
        self.element = element
        self.children: list[Node] = []
        self.is_gone = False
        self.start_tag = data[begin:inside]
        self.text: bytes | None = None
        self.name: str | None = None
        self._data = data
        self._begin, self._inside = begin, inside
        self._end_tag = self.end = inside
        self._placed: list[Node] = []
        self._attributes: dict[str, bytes] = {}

    def append(self, child: "Node") -> None:
        self.children.append(child)
        self._placed.append(child)

    @property
    def is_changed(self) -> bool:
        """Whether anything but `start_tag` and the contents of children has been changed."""
        is_moved = self.children != self._placed
        has_new_name = self.name is not None
        is_rewritten = has_new_name or self.text is not None or bool(self._attributes)
        return self.is_gone or is_moved or is_rewritten

    def close(self, end_tag: int, end: int) -> None:
        """Set the offset of the end tag and the offset after it."""
        self._end_tag, self.end = end_tag, end

    def set_attribute(self, name: str, new: bytes) -> None:
        """Replace or add an attribute; `new` is the escaped value."""
        self._attributes[name] = b'"%s"' % new

    def _written_start_tag(self) -> bytes:
        tag = self.start_tag
        for name, value in self._attributes.items():
            pattern = rb"(\s%s\s*=\s*)([\"'])(?:(?!\2).)*\2" % re.escape(name.encode())
            if m := re.search(pattern, tag):
                tag = tag[: m.end(1)] + value + tag[m.end() :]
            else:
                end = len(tag) - (2 if tag.endswith(b"/>") else 1)
                tag = b"%s %s=%s%s" % (tag[:end].rstrip(_SPACE), name.encode(), value, tag[end:])
        return self._with_name(tag)

    def _with_name(self, tag: bytes) -> bytes:
        """Return a start or end tag with the new name, if there is one."""
        if self.name is None:
            return tag
        return re.sub(rb"^(</?(?:[^\s:/>]+:)?)[^\s/>]+", rb"\g<1>" + self.name.encode(), tag)

    def written(self) -> bytes:
        """Return the markup of the element with all changes; empty if it is removed."""
        if self.is_gone:
            return b""
        starts = [self._inside, *(child.end for child in self._placed)]
        stops = [*(child._begin for child in self._placed), self._end_tag]
        texts = [self._data[start:stop] for start, stop in zip(starts, stops, strict=True)]
        if self.text is not None:
            texts[0] = self.text + b"".join(_KEPT.findall(texts[0]))
        parts = [self._written_start_tag()]
        for text, child in zip(texts, self.children, strict=False):
            is_needless = child.is_gone and not text.strip(_SPACE)
            parts += [b"" if is_needless else text, child.written()]
        end_tag = self._with_name(self._data[self._end_tag : self.end])
        return b"".join([*parts, texts[-1], end_tag])


def nodes_of(data: bytes, elements: Sequence[XmlElement]) -> list[Node] | None:
    """
    Build the nodes of an element from its bytes and its parsed elements, in document order.

    Returns None if tags and elements do not match.
    """
    nodes: list[Node] = []
    stack: list[Node] = []
    for m in find_visible(TAG, data):
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
