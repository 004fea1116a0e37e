"""Markdown that tests make for the documentation."""


def table(head: list[str], rows: list[list[str]]) -> str:
    """Make a table."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
