"""`sitemapx submit history` and `forget`."""

import os.path
import sys
from contextlib import closing
from functools import partial

import click

from sitemapx.cli.commands.submit.journal.records import (
    Records,
    engines_option,
    journal_path,
    read,
    url_in_journal,
    write_records,
)
from sitemapx.cli.commands.submit.options import journal_options
from sitemapx.cli.options.types import WholeNumber, debug_option, rows_option, split_words
from sitemapx.cli.terminal.groups import GroupedCommand
from sitemapx.convert.values.clock import of_timestamp
from sitemapx.convert.values.urls import without_user
from sitemapx.errors import UsageError
from sitemapx.submit.journal import queries
from sitemapx.submit.journal.connection import open_journal
from sitemapx.submit.journal.errors import journal_errors

__all__ = ["forget", "history"]

_SHOWN = 20
_HEAD = ("NO", "TIME", "ENGINE", "TYPE", "HOST", "SENT", "ACCEPTED", "STATE", "REASON")


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
    with journal_errors(path), closing(read(path)) as opened:
        found = queries.history(opened, limit, split_words(engines))
    if not found:
        click.echo("nothing sent yet", err=True)
        return
    rows = [
        (
            str(one.id),
            of_timestamp(one.sent_at),
            one.engine,
            one.kind,
            one.host,
            f"{one.sent:,}",
            f"{one.accepted:,}",
            f"{one.state} {one.status or ''}".strip(),
            one.reason or "-",
        )
        for one in found
    ]
    objects = [one._asdict() | {"sent_at": of_timestamp(one.sent_at)} for one in found]
    records = Records("Submitted batches", _HEAD, rows, objects, details=1)
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
        raise UsageError("missing URL: pass the URLs to forget, or --all or --source")
    path = journal_path(journal, config)
    read(path).close()
    with closing(open_journal(path)) as opened, opened.turn(0):
        if source is not None:
            count = queries.forget_set(opened, _names(source))
        else:
            selected = None if everything else list(map(url_in_journal, urls))
            count = queries.forget(opened, selected, split_words(engines))
    click.echo(f"{count:,} forgotten", err=True)


def _names(source: str) -> tuple[str, ...]:
    """Return what the journal may call a source; without a password, which it never has."""
    shown = without_user(source)
    return shown, os.path.abspath(shown), url_in_journal(source)
