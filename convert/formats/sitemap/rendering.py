"""The rendering of the elements of an entry, after the vocabulary."""

from typing import Any

from sitemapx.convert.formats.sitemap.vocabulary import Attribute, Element
from sitemapx.convert.model.entry import has
from sitemapx.convert.values.datatypes import OnProblem
from sitemapx.convert.xml.writing import escape

__all__ = ["Rendering"]


class Rendering:
    """The rendering of one element of the vocabulary, with all that stays the same made ready."""

    def __init__(self, element: Element, prefix: str) -> None:
        """Prepare an element, and the elements in it, for this prefix of a namespace."""
        self._element = element
        self.field = element.field
        self._name = f"{prefix}:{element.name}"
        self._children = [Rendering(child, prefix) for child in element.children]

    def write(self, owner: Any, on_problem: OnProblem) -> str:
        """
        Write the elements of this kind that `owner` has in its field: one value, or a tuple.

        Args:
            owner: A model with that field.
            on_problem: Told of what cannot be written.

        """
        element = self._element
        value = getattr(owner, self.field)
        if value is None or value == ():
            return self._lone_attributes(owner, on_problem) if element.attributes else ""
        if element.most == 1:
            return self._one(value, owner, on_problem)
        if element.most and len(value) > element.most:
            message = f"{len(value):,} {element.name} elements; only {element.most:,} are written"
            on_problem("cut", message)
        return "".join([self._one(one, owner, on_problem) for one in value[: element.most]])

    def _lone_attributes(self, owner: Any, on_problem: OnProblem) -> str:
        """Report attributes whose element has no text; write nothing."""
        if self._element.model is None:
            for attribute in self._element.attributes:
                if has(getattr(owner, attribute.field)):
                    message = f"{self._element.name} is missing for its attribute {attribute.name}"
                    on_problem("incomplete", message)
        return ""

    def _one(self, value: Any, owner: Any, on_problem: OnProblem) -> str:
        """Write one element, or nothing where something required is missing."""
        element = self._element

        def about(code: str, message: str) -> None:
            on_problem(code, f"{element.name}: {message}")

        if element.model is not None:
            owner = value
            value = getattr(value, element.text_field) if element.kind else None
        attributes: str | None = ""
        if element.attributes:
            attributes = _attributes(element.attributes, owner, about)
        content: str | None = None
        if attributes is None:
            return ""
        if element.kind is None:
            content = self._content(owner, about)
        elif value is not None and value != ():
            written = element.kind.format(value, about)
            content = None if written is None else escape(written, about).strip() or None
        return "" if content is None else f"<{self._name}{attributes}>{content}</{self._name}>"

    def _content(self, owner: Any, on_problem: OnProblem) -> str | None:
        """Write all children; None if a required one is missing."""
        parts: list[str] = []
        for child in self._children:
            part = child.write(owner, on_problem)
            if part:
                parts.append(part)
            elif child._element.is_required:
                message = f"{child._element.name} is missing; {self._element.name} dropped"
                on_problem("incomplete", message)
                return None
        return "".join(parts)


def _attributes(attributes: tuple[Attribute, ...], owner: Any, on_problem: OnProblem) -> str | None:
    """Write the attributes; None if a required one is missing."""
    parts: list[str] = []
    for attribute in attributes:
        value = getattr(owner, attribute.field)
        text = attribute.kind.format(value, on_problem) if has(value) else None
        if text is not None:
            parts.append(f' {attribute.name}="{escape(text, on_problem, is_attribute=True)}"')
        elif attribute.is_required:
            on_problem("incomplete", f"attribute {attribute.name} is missing; dropped")
            return None
    return "".join(parts)
