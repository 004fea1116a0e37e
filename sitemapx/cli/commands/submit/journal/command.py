"""`sitemapx submit journal`: repair the journal."""

import click

from sitemapx.cli.commands.submit.journal.records import journal_path
from sitemapx.cli.commands.submit.options import journal_options
from sitemapx.cli.options.types import debug_option
from sitemapx.cli.terminal.groups import LazyGroup
from sitemapx.convert.values.words import counted

__all__ = ["command"]


@click.group("journal", cls=LazyGroup, lazy={})
def command() -> None:
    """Recover a damaged journal."""


@command.command("rebuild")
@journal_options
@debug_option
def rebuild(journal: str | None, config: str | None) -> None:
    """
    Write a new journal with everything that can be read from a damaged one.

    The damaged file is kept beside it. The next `submit` resends what cannot be read.
    """
    from sitemapx.submit.journal.rebuild import rebuild

    path = journal_path(journal, config)
    rebuilt = rebuild(path)
    if rebuilt is None:
        click.echo(f"{path} is not damaged; nothing was changed", err=True)
        return
    kept, saved = rebuilt
    entries, batches = (saved[name] for name in ("entries", "batches"))
    records = f"{counted(entries, 'URL record')} and {counted(batches, 'batch', 'batches')}"
    click.echo(
        f"{path}: recovered {records}, the rest is unreadable; the next submit resends what is "
        f"missing. The old file is kept as {kept}",
        err=True,
    )
