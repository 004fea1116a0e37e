"""The command `sitemapx stats`: prints statistics of sources."""

import shutil
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import click
from msgspec import json

from sitemapx.cli.options.sources import (
    build_opener,
    reading_options,
    sources_argument,
    total_size,
)
from sitemapx.cli.options.types import Choice, console_options
from sitemapx.cli.reports.charts import Chart, build_charts
from sitemapx.cli.terminal.console import Console, printable
from sitemapx.cli.terminal.groups import GroupedCommand, option_group
from sitemapx.cli.terminal.outputs import infer_report_format, open_output, reject_source_overwrite
from sitemapx.cli.terminal.tables import table_lines
from sitemapx.convert.model.problems import PROBLEMS
from sitemapx.convert.statistics import ContentStatistics, collect_statistics
from sitemapx.convert.values.words import pluralize

_output = option_group("Output")
_MAX_BAR = 40
_LEAST_BAR = 8


@click.command(
    "stats",
    cls=GroupedCommand,
    epilog="""\b
Examples:
  sitemapx stats public/sitemap.xml
  sitemapx stats example.com -o stats.html
  sitemapx stats sitemap_index.xml --format json | jq .languages

Exit status: 0 success; 1 a source cannot be read completely; 2 usage error or no such file.""",
)
@sources_argument("SOURCE...")
@reading_options
@_output(
    "--format",
    "report_format",
    type=Choice("format", ["text", "json", "html"]),
    help="Write text, JSON or HTML.  [default: by the extension of FILE, else text]",
)
@_output("-o", "--output", metavar="FILE", default="-", help="Output file; - for standard output.")
@console_options
def command(sources: tuple[str, ...], **options: Any) -> int:
    """
    Print statistics of all SOURCEs: hosts, directories, dates, languages, media, lengths of URLs.

    A SOURCE is a file, a directory of HTML pages, a URL, a host (its robots.txt lists its
    sitemaps), or - for standard input. An index stands for the sitemaps that it lists.
    """
    console = Console.from_options(options)
    output = options["output"]
    reject_source_overwrite([output], sources)
    form = options["report_format"] or infer_report_format(output)
    total = total_size(sources)
    try:
        statistics = collect_statistics(
            sources,
            opener=build_opener(options, console.say, sources),
            report=console.print_problem,
            on_read=lambda entries, size: console.show_progress(entries, size, total),
        )
    finally:
        console.close()
    with open_output(output) as write:
        for text in _FORMATS[form](statistics, sources):
            write(text)
    if output != "-":
        console.print_summary([f"{_summary(statistics)}: wrote {output}"], {"wrote": output})
    return 1 if any(PROBLEMS[code].severity == "error" for code in console.problems) else 0


def _summary(statistics: ContentStatistics) -> str:
    files = pluralize(len(statistics.files), "file")
    entries = pluralize(statistics.entries, "entry", "entries")
    repeated = statistics.repeated
    return f"{files}, {entries}" + (f", {repeated:,} with a repeated URL" if repeated else "")


# ---- formats


def _text(statistics: ContentStatistics, sources: Iterable[str]) -> Iterator[str]:
    yield f"{_summary(statistics)}\n"
    for chart in build_charts(statistics):
        yield f"\n{chart.title}\n"
        yield from (f"{line}\n" for line in _table_with_bars(chart))


def _table_with_bars(chart: Chart) -> Iterator[str]:
    """Yield a table of the numbers; on a wide terminal, with bars for the first numbers."""
    names = [printable(name) for name, _ in chart.rows]
    cells = [[f"{count:,}" for count in counts] for _, counts in chart.rows]
    widths = [max(map(len, column)) for column in zip(chart.head[1:], *cells, strict=True)]
    heads = [chart.head[0], *map(str.rjust, chart.head[1:], widths)]
    rows = [[name, *map(str.rjust, row, widths)] for name, row in zip(names, cells, strict=True)]
    if not sys.stdout.isatty():
        yield from table_lines(heads, rows)
        return
    free = shutil.get_terminal_size().columns - max(map(len, names)) - sum(widths) - 2 * len(heads)
    width = min(free, _MAX_BAR)
    most = max((counts[0] for _, counts in chart.rows), default=0) or 1
    block = "█" if "utf" in (sys.stdout.encoding or "").lower() else "#"
    bars = [block * round(width * counts[0] / most) for _, counts in chart.rows]
    if width < _LEAST_BAR:
        yield from table_lines(heads, rows)
    else:
        yield from table_lines(
            [*heads, ""], [[*row, bar] for row, bar in zip(rows, bars, strict=True)]
        )


def _json(statistics: ContentStatistics, sources: Iterable[str]) -> Iterator[str]:
    lengths = {str(length): statistics.lengths[length] for length in sorted(statistics.lengths)}
    values = {
        "sources": list(sources),
        "files": [{"source": file.source, "entries": file.entries} for file in statistics.files],
        "entries": statistics.entries,
        "repeated": statistics.repeated,
        "hosts": statistics.hosts,
        "directories": dict(statistics.directories.counts.most_common()),
        "months": dict(sorted(statistics.months.counts.items())),
        "undated": statistics.undated,
        "languages": dict(statistics.languages.counts.most_common()),
        "changefreq": statistics.frequencies,
        "media": statistics.media,
        "lengths": lengths,
    }
    yield f"{json.format(json.encode(values)).decode()}\n"


def _html(statistics: ContentStatistics, sources: Iterable[str]) -> Iterator[str]:
    from sitemapx.cli.reports.html.figures import build_figure, tag
    from sitemapx.cli.reports.html.page import (
        Part,
        build_time,
        list_names,
        open_section,
        render_page,
    )

    counted = tag("p", "Counted on ", build_time(), f": {_summary(statistics)}.")
    header = tag("header", tag("h1", "Sitemap statistics"), counted, list_names(list(sources)))

    def main() -> Iterator[Part]:
        yield from open_section("contents", "contents", "What the files list.")
        yield from map(build_figure, build_charts(statistics))
        yield "</section>"

    yield from render_page("Statistics - sitemapx stats", header, main())


_FORMATS = {"text": _text, "json": _json, "html": _html}
