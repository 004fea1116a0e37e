"""The command `sitemapx formats`: lists the formats."""

import click
import msgspec

from sitemapx.cli.options.types import list_format_option
from sitemapx.cli.terminal.groups import GroupedCommand
from sitemapx.cli.terminal.tables import print_table
from sitemapx.convert.formats.format import Format
from sitemapx.convert.formats.registry import all_formats
from sitemapx.convert.model.batch import STATED_FIELDS


@click.command("formats", cls=GroupedCommand)
@list_format_option
def command(list_format: str) -> None:
    """List formats: name for --from and --to, file extensions, supported fields."""
    if list_format == "json":
        for known in all_formats():
            click.echo(msgspec.json.encode(_describe(known)))
        return
    head = ("NAME", "READ", "WRITE", "EXTENSIONS", "FORMAT", "FIELDS")
    print_table(head, list(map(_format_row, all_formats())), details=1)


def _supported_fields(format: Format) -> list[str]:
    return [name for name in STATED_FIELDS if name in format.holds]


def _describe(format: Format) -> dict[str, object]:
    return {
        "name": format.name,
        "title": format.title,
        "read": format.read is not None,
        "write": format.write is not None,
        "extensions": format.suffixes,
        "fields": _supported_fields(format),
    }


def _format_row(format: Format) -> tuple[str, ...]:
    supported = _supported_fields(format)
    fields = "all" if len(supported) == len(STATED_FIELDS) else " ".join(supported)
    read, write = ("yes" if function else "no" for function in (format.read, format.write))
    return format.name, read, write, " ".join(format.suffixes) or "-", format.title, fields
