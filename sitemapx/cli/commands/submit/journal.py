"""`sitemapx submit history`, `forget` and `journal`: commands that use only the journal."""

import os.path
import sys
from contextlib import closing
from functools import partial

import click

from sitemapx.cli.commands.submit.options import journal_options
from sitemapx.cli.commands.submit.records import (
    Column,
    Records,
    engines_option,
    journal_path,
    open_journal_or_exit,
    url_in_journal,
    write_records,
)
from sitemapx.cli.options.types import WholeNumber, debug_option, rows_option, split_words
from sitemapx.cli.terminal.groups import GroupedCommand, LazyGroup
from sitemapx.convert.values.clock import format_timestamp
from sitemapx.convert.values.urls import without_user
from sitemapx.convert.values.words import pluralize
from sitemapx.errors import UsageError
from sitemapx.submit.journal import queries
from sitemapx.submit.journal.journal import open_journal
from sitemapx.submit.journal.storage import journal_errors

_SHOWN = 20
_COLUMNS: dict[str, Column] = {
    "NO": lambda row: str(row["id"]),
    "TIME": "sent_at",
    "ENGINE": "engine",
    "TYPE": "kind",
    "HOST": "host",
    "SENT": "sent",
    "ACCEPTED": "accepted",
    "STATE": lambda row: f"{row['state']} {row['status'] or ''}".strip(),
    "REASON": "reason",
}


@click.command("history", cls=GroupedCommand)
@click.option(
    "--limit",
    type=WholeNumber(1),
    default=_SHOWN,
    metavar="N",
    help=f"Show the last N batches. [{_SHOWN}]",
)
@engines_option
@rows_option
@journal_options
@debug_option
def history(
    limit: int, engines: tuple[str, ...], report: str, journal: str | None, config: str | None
) -> None:
    """List submitted batches and responses, oldest first."""
    path = journal_path(journal, config)
    with journal_errors(path), closing(open_journal_or_exit(path)) as opened:
        found = queries.last_batches(opened, limit, split_words(engines))
    if not found:
        click.echo("nothing sent yet", err=True)
        return
    objects = [
        request._asdict() | {"sent_at": format_timestamp(request.sent_at)} for request in found
    ]
    records = Records("Submitted batches", _COLUMNS, objects, details=1)
    write_records([records], report, partial(click.echo, nl=False), is_narrow=sys.stdout.isatty())


@click.command("forget", cls=GroupedCommand)
@click.argument("urls", metavar="[URL]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Forget all URLs.")
@click.option(
    "--source",
    metavar="SITEMAP",
    help="Forget a source that is no longer submitted; its URLs no longer count as listed.",
)
@engines_option
@journal_options
@debug_option
def forget(
    urls: tuple[str, ...],
    everything: bool,
    source: str | None,
    engines: tuple[str, ...],
    journal: str | None,
    config: str | None,
) -> None:
    """
    Forget that URLs were accepted, so that they are sent again; the history is kept.

    Pending URLs are forgotten, too; the next `submit` sends those that a sitemap lists.
    """
    if bool(urls) + everything + (source is not None) != 1:
        raise UsageError("pass either the URLs to forget, --all or --source")
    path = journal_path(journal, config)
    open_journal_or_exit(path).close()
    with closing(open_journal(path)) as opened, opened.wait_for_turn(0):
        if source is not None:
            count = queries.forget_set(opened, _names(source))
        else:
            selected = None if everything else list(map(url_in_journal, urls))
            count = queries.forget_urls(opened, selected, split_words(engines))
    click.echo(f"{count:,} forgotten", err=True)


def _names(source: str) -> tuple[str, ...]:
    """Return the names that a source may have in the journal, which stores no passwords."""
    shown = without_user(source)
    return shown, os.path.abspath(shown), url_in_journal(source)


@click.group("journal", cls=LazyGroup, lazy={})
def journal() -> None:
    """Recover a damaged journal."""


@journal.command("rebuild")
@journal_options
@debug_option
def rebuild(journal: str | None, config: str | None) -> None:
    """
    Write a new journal with everything that can be read from a damaged one.

    The damaged file is kept beside it. The next `submit` resends what cannot be read.
    """
    from sitemapx.submit.journal.rebuild import rebuild_journal

    path = journal_path(journal, config)
    rebuilt = rebuild_journal(path)
    if rebuilt is None:
        click.echo(f"{path} is not damaged; nothing was changed", err=True)
        return
    kept, saved = rebuilt
    entries, batches = (saved[name] for name in ("entries", "batches"))
    records = f"{pluralize(entries, 'URL record')} and {pluralize(batches, 'batch', 'batches')}"
    click.echo(
        f"{path}: recovered {records}, the rest is unreadable; the next submit resends what is "
        f"missing. The old file is kept as {kept}",
        err=True,
    )
