"""The command `sitemapx engines`: lists the search engines."""

import click
import msgspec

from sitemapx.cli.options.types import list_format_option
from sitemapx.cli.terminal.groups import GroupedCommand
from sitemapx.cli.terminal.tables import print_table
from sitemapx.submit.engines.engine import EngineInfo
from sitemapx.submit.engines.registry import all_engines

HEAD = ("NAME", "STATUS", "ACCEPTS", "CREDENTIALS", "SERVICE", "LIMITS", "NOTE")


@click.command("engines", cls=GroupedCommand)
@list_format_option
def command(list_format: str) -> None:
    """List search engines: name, what they accept, required credentials."""
    if list_format == "json":
        for engine in all_engines():
            click.echo(msgspec.json.encode(_describe(engine.about)))
        return
    print_table(HEAD, [format_row(engine.about) for engine in all_engines()], details=3)


def _describe(about: EngineInfo) -> dict[str, object]:
    return {
        "name": about.name,
        "title": about.title,
        "status": about.status,
        "accepts": list(about.takes),
        "credentials": about.secrets,
        "limits": about.limits,
        "note": about.note,
    }


def format_row(about: EngineInfo) -> tuple[str, ...]:
    row = (" ".join(about.takes), " ".join(about.secrets), about.title, about.limits, about.note)
    return about.name, about.status, *(cell or "-" for cell in row)
