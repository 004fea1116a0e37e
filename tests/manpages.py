"""
Man pages, made of the same help that `--help` prints.

`python -m tests.manpages` writes docs/man anew: sitemapx.1, and a page for each command.
`python -m tests.manpages FOLDER` writes them elsewhere.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from sitemapx import __version__
from sitemapx.cli.app import sitemapx
from sitemapx.cli.terminal.groups import WithCommands

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "man"


def pages() -> dict[str, str]:
    """Make all pages, by their names."""
    root = click.Context(sitemapx, info_name="sitemapx", **sitemapx.context_settings)
    commands = dict(_below(sitemapx, root, "sitemapx"))
    return {
        f"{name.replace(' ', '-')}.1": _page(name, context, list(commands))
        for name, context in commands.items()
    }


def _below(
    command: click.Command, context: click.Context, name: str
) -> Iterator[tuple[str, click.Context]]:
    """Return a command and those below it, each with its context."""
    yield name, context
    found: dict[str, click.Command | None] = {}
    if isinstance(command, click.Group):
        found = {one: command.get_command(context, one) for one in command.list_commands(context)}
    elif isinstance(command, WithCommands):
        found = {one: command.get_command(one) for one in command.names}
    for one, inner in found.items():
        if inner is not None:
            below = click.Context(inner, info_name=one, parent=context)
            yield from _below(inner, below, f"{name} {one}")


def _page(name: str, context: click.Context, names: list[str]) -> str:
    command = context.command
    summary, _, rest = (command.help or "").partition("\n\n")
    title = name.replace(" ", "-")
    usage = " ".join(command.collect_usage_pieces(context))
    lines = [f'.TH "{title.upper()}" 1 "" "sitemapx {__version__}" "User commands"']
    lines += [".SH NAME", f"{_plain(title)} \\- {_plain(_joined(summary).rstrip('.'))}"]
    lines += [".SH SYNOPSIS", f".B {_plain(name)}", _plain(usage)]
    if rest:
        lines += [".SH DESCRIPTION", *list(_paragraphs(rest))[1:]]
    lines += _sections(command, context)
    lines += _paragraphs(command.epilog or "")
    above = name.rpartition(" ")[0]
    near = [one for one in names if one == above or one.rpartition(" ")[0] == name]
    also = ", ".join(f"{_plain(one.replace(' ', '-'))}(1)" for one in near)
    return "\n".join([*lines, ".SH SEE ALSO", also, ""])


def _sections(command: click.Command, context: click.Context) -> Iterator[str]:
    """Take the sections of the help: commands, and options under their headings."""
    formatter = _Sections()
    command.format_options(context, formatter)
    for heading, rows in formatter.sections.items():
        yield f'.SH "{_plain(heading.upper())}"'
        for term, text in rows:
            yield from (".TP", f"\\fB{_plain(term)}\\fR", _plain(_joined(text)))


class _Sections(click.HelpFormatter):
    """Keeps definition lists by their headings, in place of writing them."""

    def __init__(self) -> None:
        super().__init__()
        self.sections: dict[str, list[tuple[str, str]]] = {}
        self._rows: list[tuple[str, str]] = []

    def write_heading(self, heading: str) -> None:
        self._rows = self.sections.setdefault(heading, [])

    def write_dl(self, rows, col_max: int = 30, col_spacing: int = 2) -> None:  # type: ignore[no-untyped-def]
        self._rows += rows


def _paragraphs(text: str) -> Iterator[str]:
    """Return paragraphs; of one that begins with a backspace, lines are kept under a heading."""
    for paragraph in filter(None, re.split(r"\n\s*\n", text)):
        if not paragraph.startswith("\b"):
            yield from (".PP", _plain(_joined(paragraph)))
            continue
        first, *lines = paragraph.removeprefix("\b").strip("\n").splitlines()
        heading, _, rest = first.partition(":")
        yield f'.SH "{_plain(heading.upper())}"'
        if rest:
            yield _plain(_joined(" ".join([rest, *lines])))
        else:
            yield from (".nf", *map(_plain, lines), ".fi")


def _joined(text: str) -> str:
    return " ".join(text.split())


def _plain(text: str) -> str:
    """Escape what roff takes for something else."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text


def write(folder: Path) -> None:
    """Write all pages, and remove those of commands that are gone."""
    folder.mkdir(exist_ok=True)
    for path in folder.glob("*.1"):
        path.unlink()
    for name, text in pages().items():
        (folder / name).write_text(text)


if __name__ == "__main__":
    write(Path(sys.argv[1]) if sys.argv[1:] else FOLDER)
