"""`sitemapx formats`."""

import click

from sitemapx.convert.document import FIELDS
from sitemapx.convert.formats import Format, all_formats

__all__ = ["command"]


@click.command("formats")
def command() -> None:
    """List the formats: their names for --from and --to, and what each holds of an entry."""
    rows: list[tuple[str, ...]] = [("NAME", "READ", "WRITTEN", "ENDS IN", "FORMAT", "HOLDS")]
    rows += [_row(one) for one in all_formats()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        click.echo(line.rstrip())


def _row(form: Format) -> tuple[str, ...]:
    held = [name for name in FIELDS if name in form.holds]
    holds = "everything" if len(held) == len(FIELDS) else " ".join(held)
    read, write = ("yes" if one else "no" for one in (form.read, form.write))
    return form.name, read, write, " ".join(form.suffixes) or "-", form.title, holds
