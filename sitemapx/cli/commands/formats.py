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
    print_table(head, list(map(_format_row, all_formats())), details=1)


def _format_row(format: Format) -> tuple[str, ...]:
    supported = [name for name in STATED_FIELDS if name in format.holds]
    fields = "all" if len(supported) == len(STATED_FIELDS) else " ".join(supported)
    read, write = ("yes" if function else "no" for function in (format.read, format.write))
    return format.name, read, write, " ".join(format.suffixes) or "-", format.title, fields
