"""
Man pages, generated from `--help`.

`python -m tests.manpages` writes sitemapx.1 and a page for each command to docs/man, or to the
directory that is passed.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from sitemapx import __version__
from tests.commandhelp import CommandHelp, Paragraph, commands, write_pages

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "man"


def pages() -> dict[str, str]:
    helps = commands()
    return {f"{one.name.replace(' ', '-')}.1": _page(one, helps) for one in helps}


def _page(command: CommandHelp, helps: list[CommandHelp]) -> str:
    title = command.name.replace(" ", "-")
    lines = [f'.TH "{title.upper()}" 1 "" "sitemapx {__version__}" "User commands"']
    lines += [".SH NAME", f"{_plain(title)} \\- {_plain(command.summary)}"]
    lines += [".SH SYNOPSIS", f".B {_plain(command.name)}", _plain(command.usage)]
    if command.description:
        lines += [".SH DESCRIPTION", *list(_paragraphs(command.description))[1:]]
    for heading, rows in command.sections.items():
        lines.append(f'.SH "{_plain(heading.upper())}"')
        for term, text in rows:
            lines += [".TP", f"\\fB{_plain(term)}\\fR", _plain(text)]
    lines += _paragraphs(command.epilog)
    near = [one for one in helps if one.name == command.parent or one.parent == command.name]
    also = ", ".join(f"{_plain(one.name.replace(' ', '-'))}(1)" for one in near)
    return "\n".join([*lines, ".SH SEE ALSO", also, ""])


def _paragraphs(paragraphs: list[Paragraph]) -> Iterator[str]:
    for lines, heading in paragraphs:
        if not heading:
            yield from (".PP", *map(_plain, lines))
            continue
        yield f'.SH "{_plain(heading.upper())}"'
        yield from map(_plain, lines) if len(lines) == 1 else (".nf", *map(_plain, lines), ".fi")


def _plain(text: str) -> str:
    """Escape characters that are special in roff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text


if __name__ == "__main__":
    write_pages(pages(), Path(sys.argv[1]) if sys.argv[1:] else FOLDER)
