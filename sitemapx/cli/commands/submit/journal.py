"""`sitemapx submit journal`: repair the journal."""

import click

from sitemapx.cli.commands.submit.options import journal_options
from sitemapx.cli.options.types import debug_option
from sitemapx.cli.terminal.groups import LazyGroup
from sitemapx.submit.journal.connection import default_path
from sitemapx.submit.settings import load_settings

__all__ = ["command"]


@click.group("journal", cls=LazyGroup, lazy={})
def command() -> None:
    """Save what is left of a damaged journal."""


@command.command("rebuild")
@journal_options
@debug_option
def rebuild(journal: str | None, config: str | None) -> None:
    """
    Write a new journal with all that can be read of a damaged one.

    The damaged file is kept beside it. What cannot be read is sent again by the next `submit`.
    """
    from sitemapx.submit.journal.rebuild import rebuild

    path = journal or load_settings(config).journal or default_path()
    rebuilt = rebuild(path)
    if rebuilt is None:
        click.echo(f"{path}: nothing is damaged, so it stays as it is", err=True)
        return
    kept, saved = rebuilt
    records = f"{saved['entries']:,} URL records and {saved['batches']:,} of the sent batches"
    click.echo(
        f"{path}: saved {records} (the rest is unreadable); the next submit sends again what is "
        f"missing. The old file is kept as {kept}",
        err=True,
    )
