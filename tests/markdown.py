"""Markdown for generated documentation."""

import re

#: Options and names of elements.
_CODE = re.compile(r"(?<![\w`&;-])(?:--[a-z][a-z-]*(?: [A-Z][A-Z=]*\b)?|<[^\s,]*|&\w*;?)")


def coded(text: str) -> str:
    """Mark options and elements in a text as code."""
    return _CODE.sub(lambda found: f"`{found[0]}`", text)


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
