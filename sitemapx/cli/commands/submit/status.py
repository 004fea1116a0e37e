"""The command `sitemapx submit status`: the journal, and reports from search engines."""

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from functools import partial
from typing import Any

import click

from sitemapx.cli.commands.submit.connections import Connections
from sitemapx.cli.commands.submit.options import request_options
from sitemapx.cli.commands.submit.records import (
    Column,
    Records,
    journal_path,
    open_journal_or_exit,
    url_in_journal,
    write_records,
)
from sitemapx.cli.options.fetching import http_options
from sitemapx.cli.options.types import Choice, WholeNumber, debug_option, split_words
from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.groups import GroupedCommand, option_group
from sitemapx.cli.terminal.outputs import infer_report_format, open_output
from sitemapx.convert.values import urls
from sitemapx.convert.values.clock import format_timestamp
from sitemapx.convert.values.uris import normalize, to_uri
from sitemapx.convert.values.words import pluralize
from sitemapx.errors import RefusedError, UsageError
from sitemapx.submit.engines.engine import Inspection
from sitemapx.submit.engines.registry import all_engines
from sitemapx.submit.inquiry import DAY, Inquiry
from sitemapx.submit.journal import queries
from sitemapx.submit.journal.journal import Journal
from sitemapx.submit.journal.queries import (
    last_inspection,
    pages_to_inspect,
    recorded_inspections,
    submitted_sites,
)
from sitemapx.submit.journal.storage import journal_errors

_LISTED_SITEMAPS: dict[str, Column] = {
    "ENGINE": "engine",
    "SITEMAP": "url",
    "TYPE": "kind",
    "STATE": lambda row: row["status"] or ("pending" if row["is_pending"] else "processed"),
    "ERRORS": "errors",
    "WARNINGS": "warnings",
    "URLS": "urls",
    "SUBMITTED": "submitted",
    "DOWNLOADED": "downloaded",
}
_INSPECTED_PAGES = {
    "ENGINE": "engine",
    "PAGE": "url",
    "VERDICT": "verdict",
    "CRAWLED": "crawled",
    "FETCH": "fetch",
    "ROBOTS": "robots",
    "CANONICAL": "canonical",
    "COVERAGE": "coverage",
}
_INSPECTION_TOTALS = {
    "ENGINE": "engine",
    "VERDICT": "verdict",
    "PAGES": "pages",
    "LAST INSPECTED": "last",
    "COVERAGE": "coverage",
}
_TOTALS = {
    "ENGINE": "engine",
    "TYPE": "kind",
    "ACCEPTED": "known",
    "REMOVED": "removed",
    "TO RETRY": "to_retry",
    "LAST ACCEPTED": "last",
}
_URLS = {
    "URL": "url",
    "ENGINE": "engine",
    "TYPE": "kind",
    "ACCEPTED AT": "sent_at",
    "VERSION": "fingerprint",
}
_engine_view = option_group("Search engines' own view")


def _listed_sitemaps(connections: Connections, given: Sequence[str]) -> tuple[Records, bool]:
    """
    Request the sitemaps that search engines list for a site.

    Args:
        given: URLs of the sites; empty for the site in the settings or the sites in the journal.

    Returns:
        The records, and whether all search engines answered.

    Raises:
        UsageError: If no search engine lists sitemaps, no site is known, or a URL is invalid.

    """
    inquiries = connections.inquiries("report", "list sitemaps")
    objects, is_complete = [], True
    for site in _sites(connections, given):
        for inquiry in inquiries:
            try:
                reports = inquiry.reports(site)
            except RefusedError as error:
                _report_error(connections, inquiry.name, site, error)
                is_complete = False
                continue
            if not reports:
                connections.console.notice(f"{inquiry.name}: lists no sitemap of {site}")
            objects += [
                {"engine": inquiry.name, "site": site, **report._asdict()} for report in reports
            ]
    return Records("Sitemaps that search engines list", _LISTED_SITEMAPS, objects), is_complete


def _sites(connections: Connections, given: Sequence[str]) -> list[str]:
    wrong = [url for url in given if to_uri(url) is None]
    if wrong:
        shown = urls.without_user(wrong[0])
        raise UsageError(f"invalid URL {shown!r}: expected an absolute http(s) URL")
    known = given or [connections.settings.site or ""]
    found = [urls.site(url) for url in known if url] or submitted_sites(connections.journal)
    if not found:
        path = connections.settings.path
        raise UsageError(f"missing URL: pass one of the site, or set site in {path}")
    return list(dict.fromkeys(found))


def _report_error(connections: Connections, engine: str, subject: str, error: RefusedError) -> None:
    answer = error.answer
    action = f"; {answer.action}" if answer.action else ""
    connections.console.notice(f"{engine}: {subject}: {answer.reason}{action}")


def _inspected_pages(
    connections: Connections, given: Sequence[str], most: int
) -> tuple[Records, bool]:
    """
    Request inspections of pages from search engines.

    Args:
        given: URLs of the pages; empty to choose listed pages.
        most: Maximum number of pages per search engine.

    Returns:
        The records, and whether no inspection failed.

    Raises:
        UsageError: If no search engine inspects pages.

    """
    inquiries = connections.inquiries("inspect", "inspect pages")
    objects, is_complete = [], True
    for inquiry in inquiries:
        before = connections.clock.now() - DAY
        found: list[Inspection] = []
        if given:
            pages = _not_inspected(connections, inquiry.name, given, before, found)
        else:
            pages = pages_to_inspect(connections.journal, inquiry.name, most, before)
        if not (pages or found):
            message = "no pages to inspect: pass their URLs, or submit a sitemap first"
            connections.console.notice(f"{inquiry.name}: {message}")
        if len(pages) > most:
            message = f"{pluralize(len(pages) - most, 'page')} not inspected (--inspect {most})"
            connections.console.notice(f"{inquiry.name}: {message}")
        is_complete = _inspect(connections, inquiry, pages[:most], found) and is_complete
        objects += [{"engine": inquiry.name, **inspection._asdict()} for inspection in found]
    return Records("Inspected pages", _INSPECTED_PAGES, objects), is_complete


def _not_inspected(
    connections: Connections,
    engine: str,
    given: Sequence[str],
    before: float,
    found: list[Inspection],
) -> list[str]:
    """Return the pages not inspected since `before`; append inspections of others to `found`."""
    pages = []
    for url in {normalize(url): url for url in given}.values():
        known = last_inspection(connections.journal, engine, url, before)
        if known:
            found.append(known)
            connections.console.notice(f"{engine}: {url}: inspected less than a day ago")
        else:
            pages.append(url)
    return pages


def _inspect(
    connections: Connections, inquiry: Inquiry, pages: Sequence[str], found: list[Inspection]
) -> bool:
    """Inspect pages, and append the results to `found`; return whether all were inspected."""
    console, count = connections.console, 0
    try:
        for inspection in inquiry.inspections(pages):
            found.append(inspection)
            count += 1
            console.show_pages(count, len(pages))
    except RefusedError as error:
        console.close()
        _report_error(connections, inquiry.name, pages[count], error)
        return False
    console.close()
    return True


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
@_engine_view(
    "--ask",
    is_flag=True,
    help="Ask search engines which sitemaps of the site they list, and with how many errors.",
)
@_engine_view(
    "--inspect",
    type=WholeNumber(1),
    metavar="N",
    help="Ask whether N pages are indexed (Google), or crawled and with which issues (Bing): the "
    "URLs, or pages that were never inspected, then those inspected longest ago.",
)
@click.option(
    "--report",
    type=Choice("report format", ["text", "json", "html"]),
    help="Write tables, one JSON object per line, or an HTML page.  [default: by the extension "
    "of FILE, else text]",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write the output to FILE.  [default: standard output]",
)
@request_options()
@http_options
@debug_option
def status(urls: tuple[str, ...], **options: Any) -> int:
    """
    Show what each search engine has accepted: for each URL, or in total.

    With --ask and --inspect, show what search engines report about the site of the URLs, by
    default the site in sitemapx.toml, else all sites in the journal.
    """
    report = options["report"] or infer_report_format(options["output"], "--report")
    path = journal_path(options["journal"], options["config"])
    is_complete = True
    if options["ask"] or options["inspect"]:
        console = Console()
        with closing(Connections(options, console)) as connections, journal_errors(path):
            records, is_complete = _request_reports(urls, options, connections)
    else:
        with journal_errors(path), closing(open_journal_or_exit(path)) as journal:
            records = _recorded_reports(urls, split_words(options["engines"]), journal)
    with _open_report(options["output"]) as write:
        is_narrow = not options["output"] and sys.stdout.isatty()
        write_records(records, report, write, is_narrow=is_narrow)
    if options["output"]:
        click.echo(f"wrote {options['output']}", err=True)
    return 0 if is_complete else 1


def _open_report(output: str | None) -> AbstractContextManager[Callable[[str], object]]:
    return open_output(output) if output else nullcontext(partial(click.echo, nl=False))


def _request_reports(
    urls: Sequence[str], options: dict[str, Any], connections: Connections
) -> tuple[list[Records], bool]:
    """
    Request the reports that the options select from search engines.

    Returns:
        Records of the journal followed by the new reports, and whether every request succeeded.

    """
    connections.sender.start_budget()
    found, is_complete = [], True
    if options["ask"]:
        sitemaps, is_complete = _listed_sitemaps(connections, urls)
        found.append(sitemaps)
    if options["inspect"]:
        pages, has_all = _inspected_pages(connections, urls, options["inspect"])
        is_complete = is_complete and has_all
        found.append(pages)
    names = [selected.engine.about.name for selected in connections.engines]
    recorded = _recorded_reports((), names, connections.journal)
    return [*(records for records in recorded if records.objects), *found], is_complete


def _recorded_reports(
    urls: Sequence[str], engines: Sequence[str], journal: Journal
) -> list[Records]:
    if urls:
        return [_urls(urls, engines, journal)]
    objects = [
        inspection._asdict() | {"last": format_timestamp(inspection.last)}
        for inspection in recorded_inspections(journal, engines)
    ]
    records = [Records("Inspections so far", _INSPECTION_TOTALS, objects)] if objects else []
    return [_totals(engines, journal), *records]


def _urls(urls: Sequence[str], engines: Sequence[str], journal: Journal) -> Records:
    objects: list[dict[str, Any]] = []
    for url in dict.fromkeys(urls):
        found = queries.known_urls(journal, url_in_journal(url), engines)
        if not found:
            click.echo(f"{url}: not accepted by any search engine", err=True)
        objects += [
            request._asdict() | {"sent_at": format_timestamp(request.sent_at)} for request in found
        ]
    return Records("Accepted URLs", _URLS, objects)


def _totals(engines: Sequence[str], journal: Journal) -> Records:
    removing = [engine.about.name for engine in all_engines() if engine.about.wants_removed]
    objects = [
        total._asdict() | {"last": total.last and format_timestamp(total.last)}
        for total in queries.count_urls(journal, engines, removing)
    ]
    return Records("Accepted", _TOTALS, objects)
