"""`sitemapx engines`."""

import click

from sitemapx.cli.terminal.groups import GroupedCommand
from sitemapx.cli.terminal.tables import print_table
from sitemapx.submit.engines.engine import EngineInfo
from sitemapx.submit.engines.registry import all_engines

HEAD = ("NAME", "STATUS", "ACCEPTS", "CREDENTIALS", "SERVICE", "LIMITS", "NOTE")


@click.command("engines", cls=GroupedCommand)
def command() -> None:
    """List search engines: name, what they accept, required credentials."""
    print_table(HEAD, [format_row(engine.about) for engine in all_engines()], details=3)


def format_row(about: EngineInfo) -> tuple[str, ...]:
    row = (" ".join(about.takes), " ".join(about.secrets), about.title, about.limits, about.note)
    return about.name, about.status, *(cell or "-" for cell in row)
