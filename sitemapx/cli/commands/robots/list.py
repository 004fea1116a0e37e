"""The command `sitemapx robots list`: prints the Sitemap URLs of a robots.txt."""

from typing import Any

import click

from sitemapx.cli.commands.robots.source import robots_source
from sitemapx.cli.options.fetching import build_fetcher, fetching_options
from sitemapx.cli.options.types import debug_option, report_option
from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.groups import GroupedCommand
from sitemapx.submit.robots.edit import load_robots_file


@click.command("list", cls=GroupedCommand)
@robots_source()
@fetching_options
@report_option("URLs, or JSON objects with line numbers and the codes of `check`, one per line.")
@debug_option
def command(path: str, report: str, **options: Any) -> None:
    """Print the Sitemap URLs in FILE (or URL, or host), one per line, in order."""
    console = Console()
    robots = load_robots_file(path, fetcher=build_fetcher(options, console.say, [path]))
    if report == "text":
        lines = robots.lines
        for number, url in robots.sitemaps():
            click.echo(url)
            if not _is_utf8(lines[number - 1].partition(b"#")[0]):
                from sitemapx.convert.model.problems import Problem
                from sitemapx.convert.sources.source import source_name

                message = "line is not UTF-8; percent-encoded, as crawlers request it"
                source = source_name(path)
                console.print_problem(
                    Problem("line-not-utf8", "warning", message, source, number, url)
                )
        return
    from msgspec.json import encode

    from sitemapx.submit.robots.lint import oddities

    codes: dict[int, list[str]] = {}
    for oddity in oddities(robots):
        codes.setdefault(oddity.line, []).append(oddity.code)
    for number, url in robots.sitemaps():
        findings = {"oddities": codes[number]} if number in codes else {}
        click.echo(encode({"line": number, "url": url, **findings}))


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True
