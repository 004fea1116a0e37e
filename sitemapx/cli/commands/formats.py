"""`sitemapx formats`."""

import click

from sitemapx.cli.terminal.groups import GroupedCommand
from sitemapx.cli.terminal.tables import print_table
from sitemapx.convert.formats.format import Format
from sitemapx.convert.formats.registry import all_formats
from sitemapx.convert.model.batch import STATED_FIELDS


@click.command("formats", cls=GroupedCommand)
def command() -> None:
    """List formats: name for --from and --to, file extensions, supported fields."""
    head = ("NAME", "READ", "WRITE", "EXTENSIONS", "FORMAT", "FIELDS")
    print_table(head, [_row(one) for one in all_formats()], details=1)


def _row(format: Format) -> tuple[str, ...]:
    held = [name for name in STATED_FIELDS if name in format.holds]
    holds = "all" if len(held) == len(STATED_FIELDS) else " ".join(held)
    read, write = ("yes" if one else "no" for one in (format.read, format.write))
    return format.name, read, write, " ".join(format.suffixes) or "-", format.title, holds
