"""The help of each command, split into parts, for the man pages and the command reference."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import click

from sitemapx.cli.app import sitemapx
from sitemapx.cli.terminal.groups import WithCommands


class Paragraph(NamedTuple):
    """
    A paragraph of help.

    Attributes:
        lines: Its lines; only one if the paragraph may be wrapped.
        heading: Heading of lines that must not be wrapped.

    """

    lines: list[str]
    heading: str = ""


class CommandHelp:
    """
    The help of a command.

    Attributes:
        name: Full name, such as `sitemapx robots add`.
        summary: The first sentence, without its full stop.
        usage: The arguments after the name.
        description: The paragraphs after the summary.
        sections: Options and commands as pairs of term and text, by heading.
        epilog: The paragraphs after the options.

    """

    def __init__(self, name: str, context: click.Context) -> None:
        command = context.command
        summary, _, rest = (command.help or "").partition("\n\n")
        formatter = _Sections()
        command.format_options(context, formatter)
        self.name = name
        self.summary = join_lines(summary).rstrip(".")
        self.usage = " ".join(command.collect_usage_pieces(context))
        self.description = list(_paragraphs(rest))
        self.sections = formatter.sections
        self.epilog = list(_paragraphs(command.epilog or ""))

    @property
    def parent(self) -> str:
        """Name of the parent command; empty for `sitemapx`."""
        return self.name.rpartition(" ")[0]


def commands() -> list[CommandHelp]:
    """Return the help of `sitemapx` and all its commands, parents first."""
    root = click.Context(sitemapx, info_name="sitemapx", **sitemapx.context_settings)
    return list(_below(sitemapx, root, "sitemapx"))


def _below(command: click.Command, context: click.Context, name: str) -> Iterator[CommandHelp]:
    yield CommandHelp(name, context)
    found: dict[str, click.Command | None] = {}
    if isinstance(command, click.Group):
        found = {one: command.get_command(context, one) for one in command.list_commands(context)}
    elif isinstance(command, WithCommands):
        found = {one: command.get_command(one) for one in command.names}
    for one, inner in found.items():
        if inner is not None:
            below = click.Context(inner, info_name=one, parent=context)
            yield from _below(inner, below, f"{name} {one}")


class _Sections(click.HelpFormatter):
    """Collects definition lists by heading instead of writing them."""

    def __init__(self) -> None:
        super().__init__()
        self.sections: dict[str, list[tuple[str, str]]] = {}
        self._rows: list[tuple[str, str]] = []

    def write_heading(self, heading: str) -> None:
        self._rows = self.sections.setdefault(heading, [])

    def write_dl(self, rows, col_max: int = 30, col_spacing: int = 2) -> None:  # type: ignore[no-untyped-def]
        self._rows += [(term, join_lines(text)) for term, text in rows]


def _paragraphs(text: str) -> Iterator[Paragraph]:
    """Split a text into paragraphs; a paragraph that begins with a backspace has a heading."""
    for paragraph in filter(None, re.split(r"\n\s*\n", text)):
        if not paragraph.startswith("\b"):
            yield Paragraph([join_lines(paragraph)])
            continue
        first, *lines = paragraph.removeprefix("\b").strip("\n").splitlines()
        heading, _, rest = first.partition(":")
        yield Paragraph([join_lines(" ".join([rest, *lines]))] if rest else lines, heading)


def join_lines(text: str) -> str:
    return " ".join(text.split())


def write_pages(pages: Mapping[str, str], folder: Path) -> None:
    """Write pages, and remove those of deleted commands."""
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    for name, text in pages.items():
        (folder / name).write_text(text)
