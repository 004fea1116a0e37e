"""Elements of HTML and SVG, in which nothing that is quoted can become markup."""

from collections.abc import Sequence

from lxml import etree
from lxml.builder import E

from sitemapx.cli.terminal.console import printable

__all__ = ["Cell", "HtmlElement", "render", "table", "tag"]

HtmlElement = etree._Element
Text = str | HtmlElement
#: Numbers are set at the end of their column.
Cell = Text | int
Row = tuple[Text, *tuple[Cell, ...]]


def tag(name: str, *content: str | HtmlElement, **attributes: object) -> HtmlElement:
    """
    Make an element.

    Args:
        content: Texts, and elements.
        attributes: Their names may end with `_`, which is left out; all other are hyphens.

    """
    known = {key.rstrip("_").replace("_", "-"): str(value) for key, value in attributes.items()}
    texts = {key: printable(value) for key, value in known.items()}
    return E(name, texts, *(printable(one) if isinstance(one, str) else one for one in content))


def table(caption: str, head: Sequence[str], rows: Sequence[Row]) -> HtmlElement:
    """Make a table; the first cell of each row is its head."""
    heads = [
        tag("th", name, scope="col", **_kind(cell))
        for name, cell in zip(head, rows[0], strict=True)
    ]
    body = [
        tag(
            "tr",
            tag("th", first, scope="row"),
            *(tag("td", _text(one), **_kind(one)) for one in rest),
        )
        for first, *rest in rows
    ]
    return tag(
        "table", tag("caption", caption), tag("thead", tag("tr", *heads)), tag("tbody", *body)
    )


def _text(cell: Cell) -> Text:
    return f"{cell:,}" if isinstance(cell, int) else cell


def _kind(cell: Cell) -> dict[str, str]:
    return {"class_": "number"} if isinstance(cell, int) else {}


def render(element: HtmlElement) -> str:
    """Write an element as HTML."""
    return etree.tostring(element, encoding="unicode", method="html")
