"""`sitemapx submit history`, `status` and `forget`: what the journal has."""

import os.path
from collections.abc import Iterable, Sequence
from contextlib import closing

import click
from msgspec import json

from sitemapx.cli.commands.submit.options import journal_options
from sitemapx.cli.options.numbers import WholeNumber
from sitemapx.cli.options.types import ENGINE_NAMES, debug_option, one_of, split_words
from sitemapx.cli.terminal.groups import GroupedCommand
from sitemapx.cli.terminal.tables import print_table
from sitemapx.convert.values.clock import of_timestamp
from sitemapx.convert.values.uris import normal, to_uri
from sitemapx.convert.values.urls import without_user
from sitemapx.errors import UsageError
from sitemapx.submit.engines.registry import all_engines
from sitemapx.submit.journal import queries
from sitemapx.submit.journal.connection import default_path, open_journal, read_journal
from sitemapx.submit.journal.errors import journal_errors
from sitemapx.submit.journal.journal import Journal
from sitemapx.submit.settings import load_settings

__all__ = ["forget", "history", "status"]

_SHOWN = 20


_REPORT = click.option(
    "--report",
    type=one_of("report format", ["text", "json"]),
    default="text",
    help="Print a table, or one JSON object per line.",
)
_ENGINES = click.option(
    "--engine",
    "engines",
    type=ENGINE_NAMES,
    multiple=True,
    metavar="NAME",
    help="Only these search engines.",
)


def journal_path(journal: str | None, config: str | None) -> str:
    """Return the path of the journal."""
    return journal or load_settings(config).journal or default_path()


def _read(path: str) -> Journal:
    """Open the journal to read it; if nothing was submitted yet, say so and end the command."""
    if journal := read_journal(path):
        return journal
    click.echo(f"nothing submitted yet (journal: {path})", err=True)
    raise click.exceptions.Exit(0)


@click.command("history", cls=GroupedCommand)
@click.option(
    "--limit",
    type=WholeNumber(1),
    default=_SHOWN,
    metavar="N",
    help=f"Show the last N batches. [{_SHOWN}]",
)
@_ENGINES
@_REPORT
@journal_options
@debug_option
def history(
    limit: int, engines: tuple[str, ...], report: str, journal: str | None, config: str | None
) -> None:
    """List submitted batches and responses, oldest first."""
    path = journal_path(journal, config)
    with journal_errors(path), closing(_read(path)) as opened:
        found = queries.history(opened, limit, split_words(engines))
    head = ("NO", "TIME", "ENGINE", "TYPE", "HOST", "SENT", "ACCEPTED", "STATE", "REASON")
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
    dated = (one._asdict() | {"sent_at": of_timestamp(one.sent_at)} for one in found)
    _print(head, rows, dated, report, details=1)


@click.command("status", cls=GroupedCommand)
@click.argument("urls", metavar="[URL]...", nargs=-1)
@_ENGINES
@_REPORT
@journal_options
@debug_option
def status(
    urls: tuple[str, ...],
    engines: tuple[str, ...],
    report: str,
    journal: str | None,
    config: str | None,
) -> None:
    """Show what each search engine has accepted: for each URL, or in total."""
    path = journal_path(journal, config)
    with journal_errors(path), closing(_read(path)) as opened:
        if urls:
            head: tuple[str, ...] = ("URL", "ENGINE", "TYPE", "ACCEPTED AT", "VERSION")
            known = {
                url: queries.status(opened, _stored(url), split_words(engines)) for url in urls
            }
            for url in (url for url, some in known.items() if not some):
                click.echo(f"{url}: not accepted by any search engine", err=True)
            found = [one for some in known.values() for one in some]
            rows = [
                (
                    one.url,
                    one.engine,
                    one.kind,
                    of_timestamp(one.sent_at),
                    one.fingerprint or "-",
                )
                for one in found
            ]
            dated = (one._asdict() | {"sent_at": of_timestamp(one.sent_at)} for one in found)
            _print(head, rows, dated, report)
            return
        removing = [engine.about.name for engine in all_engines() if engine.about.wants_removed]
        totals = queries.totals(opened, split_words(engines), removing)
    head = ("ENGINE", "TYPE", "ACCEPTED", "REMOVED", "TO RETRY", "LAST ACCEPTED")
    cells = [
        (
            *total[:2],
            *(f"{count:,}" for count in total[2:5]),
            of_timestamp(total.last) if total.last else "-",
        )
        for total in totals
    ]
    dated = (
        total._asdict() | {"last": total.last and of_timestamp(total.last)} for total in totals
    )
    _print(head, cells, dated, report)


@click.command("forget", cls=GroupedCommand)
@click.argument("urls", metavar="[URL]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Forget all URLs.")
@click.option(
    "--source",
    metavar="SITEMAP",
    help="Forget a source that is no longer submitted; its URLs no longer count as listed.",
)
@_ENGINES
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
    _read(path).close()
    with closing(open_journal(path)) as opened, opened.turn(0):
        if source is not None:
            count = queries.forget_set(opened, _names(source))
        else:
            selected = None if everything else list(map(_stored, urls))
            count = queries.forget(opened, selected, split_words(engines))
    click.echo(f"{count:,} forgotten", err=True)


def _print(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    objects: Iterable[object],
    report: str,
    *,
    details: int = 0,
) -> None:
    if report == "json":
        for one in objects:
            click.echo(json.encode(one))
    else:
        print_table(head, rows, details=details)


def _stored(url: str) -> str:
    """Return a URL as the journal has it."""
    return normal(to_uri(without_user(url)) or url)


def _names(source: str) -> tuple[str, ...]:
    """Return what the journal may call a source; without a password, which it never has."""
    shown = without_user(source)
    return shown, os.path.abspath(shown), _stored(source)
