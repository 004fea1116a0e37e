"""`sitemapx submit status`."""

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from functools import partial
from typing import Any

import click

from sitemapx.cli.commands.submit.connections import Connections
from sitemapx.cli.commands.submit.journal.inquiries import inspected_pages, listed_sitemaps
from sitemapx.cli.commands.submit.journal.records import (
    Records,
    journal_path,
    read,
    url_in_journal,
    write_records,
)
from sitemapx.cli.commands.submit.options import request_options
from sitemapx.cli.options.fetching import asking_options
from sitemapx.cli.options.types import WholeNumber, debug_option, one_of, split_words
from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.groups import GroupedCommand, grouped
from sitemapx.cli.terminal.outputs import written_file
from sitemapx.convert.values.clock import of_timestamp
from sitemapx.submit.engines.registry import all_engines
from sitemapx.submit.journal import queries
from sitemapx.submit.journal.errors import journal_errors
from sitemapx.submit.journal.inspections import recorded_inspections
from sitemapx.submit.journal.journal import Journal

__all__ = ["status"]

_asking = grouped("Search engines' own view")
_TOTALS = ("ENGINE", "TYPE", "ACCEPTED", "REMOVED", "TO RETRY", "LAST ACCEPTED")
_URLS = ("URL", "ENGINE", "TYPE", "ACCEPTED AT", "VERSION")
_INSPECTED = ("ENGINE", "VERDICT", "PAGES", "LAST INSPECTED", "COVERAGE")


@click.command(
    "status",
    cls=GroupedCommand,
    epilog="""\b
Examples:
  sitemapx submit status
  sitemapx submit status --ask
  sitemapx submit status --ask --engine google --inspect 100 -o status.html""",
)
@click.argument("urls", metavar="[URL]...", nargs=-1)
@_asking(
    "--ask",
    is_flag=True,
    help="Ask search engines which sitemaps of the site they list, and with how many errors.",
)
@_asking(
    "--inspect",
    type=WholeNumber(1),
    metavar="N",
    help="Ask whether N pages are indexed: the URLs, or pages that were never inspected, then "
    "those inspected longest ago.",
)
@click.option(
    "--report",
    type=one_of("report format", ["text", "json", "html"]),
    help="Write tables, one JSON object per line, or an HTML page.  [default: text, or by the "
    "suffix of the output]",
)
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False), metavar="FILE", help="Write to this file."
)
@request_options()
@asking_options
@debug_option
def status(urls: tuple[str, ...], **options: Any) -> int:
    """
    Show what each search engine has accepted: for each URL, or in total.

    With --ask and --inspect, show what search engines report about the site of the URLs, by
    default the site in sitemapx.toml, else all sites in the journal.
    """
    report = options["report"] or _report_of(options["output"])
    path = journal_path(options["journal"], options["config"])
    is_complete = True
    if options["ask"] or options["inspect"]:
        console = Console()
        with closing(Connections(options, console)) as connections, journal_errors(path):
            records, is_complete = _asked(urls, options, connections)
    else:
        with journal_errors(path), closing(read(path)) as journal:
            records = _recorded(urls, split_words(options["engines"]), journal)
    with _opened(options["output"]) as write:
        is_narrow = not options["output"] and sys.stdout.isatty()
        write_records(records, report, write, is_narrow=is_narrow)
    if options["output"]:
        click.echo(f"wrote {options['output']}", err=True)
    return 0 if is_complete else 1


def _report_of(output: str | None) -> str:
    """Infer the format of the report from the name of its file."""
    suffix = (output or "").lower().rpartition(".")[2]
    return {"html": "html", "htm": "html", "json": "json", "jsonl": "json"}.get(suffix, "text")


def _opened(output: str | None) -> AbstractContextManager[Callable[[str], object]]:
    return written_file(output) if output else nullcontext(partial(click.echo, nl=False))


def _asked(
    urls: Sequence[str], options: dict[str, Any], connections: Connections
) -> tuple[list[Records], bool]:
    """Ask search engines; return the journal's records and theirs, and whether all answered."""
    connections.sender.start()
    found, is_complete = [], True
    if options["ask"]:
        sitemaps, is_complete = listed_sitemaps(connections, urls)
        found.append(sitemaps)
    if options["inspect"]:
        pages, has_all = inspected_pages(connections, urls, options["inspect"])
        is_complete = is_complete and has_all
        found.append(pages)
    names = [one.engine.about.name for one in connections.engines]
    recorded = _recorded((), names, connections.journal)
    return [*(one for one in recorded if one.rows), *found], is_complete


def _recorded(urls: Sequence[str], engines: Sequence[str], journal: Journal) -> list[Records]:
    if urls:
        return [_urls(urls, engines, journal)]
    inspected = recorded_inspections(journal, engines)
    rows = [
        (one.engine, one.verdict, f"{one.pages:,}", of_timestamp(one.last), one.coverage)
        for one in inspected
    ]
    objects = [one._asdict() | {"last": of_timestamp(one.last)} for one in inspected]
    records = [Records("Inspections so far", _INSPECTED, rows, objects)] if rows else []
    return [_totals(engines, journal), *records]


def _urls(urls: Sequence[str], engines: Sequence[str], journal: Journal) -> Records:
    known = {url: queries.status(journal, url_in_journal(url), engines) for url in urls}
    for url in (url for url, some in known.items() if not some):
        click.echo(f"{url}: not accepted by any search engine", err=True)
    found = [one for some in known.values() for one in some]
    rows = [
        (one.url, one.engine, one.kind, of_timestamp(one.sent_at), one.fingerprint or "-")
        for one in found
    ]
    objects = [one._asdict() | {"sent_at": of_timestamp(one.sent_at)} for one in found]
    return Records("Accepted URLs", _URLS, rows, objects)


def _totals(engines: Sequence[str], journal: Journal) -> Records:
    removing = [engine.about.name for engine in all_engines() if engine.about.wants_removed]
    totals = queries.totals(journal, engines, removing)
    rows = [
        (
            *total[:2],
            *(f"{count:,}" for count in total[2:5]),
            of_timestamp(total.last) if total.last else "-",
        )
        for total in totals
    ]
    objects = [
        total._asdict() | {"last": total.last and of_timestamp(total.last)} for total in totals
    ]
    return Records("Accepted", _TOTALS, rows, objects)
