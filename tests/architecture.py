"""
The import graph in layers, and its picture in docs/architecture.md.

`python -m tests.architecture` redraws docs/architecture.svg; it requires the extra `test`.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from pathlib import Path

import grimp

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "architecture.svg"
PROGRAM = "sitemapx"

_WIDTH, _MARGIN, _PAD, _GAP = 560, 12, 14, 6
_BOX, _HEAD = 28, 50
_STYLE = """
  .page { fill: #ffffff; stroke: #d0d7de }
  .band { fill: #f6f8fa; stroke: #d0d7de }
  .package { fill: #ddf4ff; stroke: #54aeff }
  .module { fill: #ffffff; stroke: #8c959f }
  text { fill: #1f2328; font: 13px system-ui, sans-serif }
  .name { font: 600 15px ui-monospace, monospace }
  .box { font: 13px ui-monospace, monospace; text-anchor: middle }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117; stroke: #3d444d }
    .band { fill: #151b23; stroke: #3d444d }
    .package { fill: #0c2d6b; stroke: #4493f8 }
    .module { fill: #0d1117; stroke: #656c76 }
    text { fill: #f0f6fc }
  }
"""


@cache
def graph() -> grimp.ImportGraph:
    """Return the import graph, including lazy imports and those for type checkers."""
    return grimp.build_graph(PROGRAM, exclude_type_checking_imports=False, cache_dir=None)


def family(name: str) -> set[str]:
    """Return a module and all modules below it."""
    return {name, *graph().find_descendants(name)}


def imports(name: str) -> set[str]:
    """Return the modules outside a package that its modules import."""
    own = family(name)
    return {i for m in own for i in graph().find_modules_directly_imported_by(m)} - own


def docstring(name: str) -> str:
    path = ROOT.joinpath(*name.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.get_docstring(ast.parse(path.read_text())) or ""


def notes(name: str) -> str:
    """Return the docstring of a package, and the comments for developers below it."""
    text = ROOT.joinpath(*name.split("."), "__init__.py").read_text()
    comments = re.findall(r"(?m)^# (.*)$", text)
    return " ".join([docstring(name), *comments]).replace("\n", " ")


def layers(package: str) -> list[list[str]]:
    """
    Arrange the modules of a package in layers, top layer first.

    Each module is directly below the lowest layer that imports it, so imports only point down.

    Raises:
        ValueError: If imports form a cycle.

    """
    members = sorted(graph().find_children(package) - {f"{PROGRAM}.__main__"})
    below = {
        name: {other for other in members if imports(name) & family(other)} for name in members
    }
    found: list[list[str]] = []
    left = set(members)
    while left:
        top = left - set().union(*(below[name] for name in left))
        if not top:
            raise ValueError(f"{package}: a circle of imports in {sorted(left)}")
        found.append(sorted(top))
        left -= top
    return found


def picture() -> str:
    """Draw the packages one below the other, and the layers of each, as SVG."""
    parts: list[str] = []
    y = _MARGIN
    for name in (name for layer in layers(PROGRAM) for name in layer):
        rows = layers(name) if graph().find_children(name) else []
        height = _HEAD + len(rows) * (_BOX + _GAP) + (_PAD - _GAP if rows else 0)
        parts += _rectangle("band", _MARGIN, y, _WIDTH - 2 * _MARGIN, height)
        parts.append(_text("name", _MARGIN + _PAD, y + 21, name))
        parts.append(_text("", _MARGIN + _PAD, y + 40, docstring(name).partition("\n")[0]))
        for number, row in enumerate(rows):
            parts += _row(row, y + _HEAD + number * (_BOX + _GAP))
        y += height + _GAP
    legend = "Imports go down only. Filled boxes are packages, the others single modules."
    parts.append(_text("", _MARGIN + _PAD, y + 18, legend))
    height = y + 18 + _MARGIN
    page = _rectangle("page", 0.5, 0.5, _WIDTH - 1, height - 1)
    start = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
        f'viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="Layers of {PROGRAM}">'
    )
    return "\n".join([start, f"<style>{_STYLE}</style>", *page, *parts, "</svg>", ""])


def _row(names: Sequence[str], y: float) -> Iterator[str]:
    """Yield the SVG of the boxes of a layer, side by side at height `y`."""
    room = _WIDTH - 2 * (_MARGIN + _PAD)
    width = (room - _GAP * (len(names) - 1)) / len(names)
    for number, name in enumerate(names):
        x = _MARGIN + _PAD + number * (width + _GAP)
        kind = "package" if graph().find_children(name) else "module"
        yield from _rectangle(kind, x, y, width, _BOX)
        yield _text("box", x + width / 2, y + 18, name.rpartition(".")[2])


def _rectangle(kind: str, x: float, y: float, width: float, height: float) -> Iterator[str]:
    place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    yield f'<rect class="{kind}" {place} rx="5"/>'


def _text(kind: str, x: float, y: float, text: str) -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}">{escape(text)}</text>'


if __name__ == "__main__":
    PICTURE.write_text(picture())
