"""The command `sitemapx robots agents`: lists which known crawlers may fetch a page."""

from typing import Any
from urllib.parse import urljoin

import click

from sitemapx.cli.commands.robots.source import robots_source
from sitemapx.cli.options.fetching import build_fetcher, fetching_options
from sitemapx.cli.options.types import Choice, debug_option, rows_option
from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.groups import GroupedCommand
from sitemapx.cli.terminal.tables import print_table
from sitemapx.convert.values import urls
from sitemapx.errors import UsageError
from sitemapx.submit.robots.crawlers import PURPOSES, CrawlerAccess, crawler_access
from sitemapx.submit.robots.edit import load_robots_file

_HEAD = ("CRAWLER", "OPERATOR", "PURPOSE", "ACCESS", "RULE")
#: Base URL of pages if FILE is not a URL.
_PLACEHOLDER = "https://example.com/"


@click.command(
    "agents",
    cls=GroupedCommand,
    epilog="""\b
Examples:
  sitemapx robots agents robots.txt
  sitemapx robots agents https://example.com/robots.txt --path /blog/
  sitemapx robots agents robots.txt --purpose 'AI training' --report json""",
)
@robots_source()
@click.option(
    "--path", "page", default="/", metavar="PATH", help="Path or URL of the page.  [default: /]"
)
@click.option(
    "--purpose",
    "purposes",
    type=Choice("purpose", PURPOSES),
    multiple=True,
    metavar="PURPOSE",
    help=f"Only crawlers with this purpose: {', '.join(PURPOSES)}. Repeatable.",
)
@fetching_options
@rows_option
@debug_option
def command(path: str, page: str, purposes: tuple[str, ...], report: str, **options: Any) -> None:
    """
    Show for each known crawler of search engines and AI services whether FILE allows a page.

    A crawler without a group of its own follows the group for `*`. robots.txt is a request: not
    every crawler obeys it, and some operators exempt pages that a user requests.
    """
    console = Console()
    robots = load_robots_file(path, fetcher=build_fetcher(options, console.say, [path]))
    if not (page.startswith("/") or urls.is_absolute(page)):
        raise UsageError(f"invalid path {page!r}: expected a path such as /blog/, or a URL")
    name = urls.without_user(path)
    url = urljoin(name if urls.is_absolute(name) else _PLACEHOLDER, page)
    results = [
        access
        for access in crawler_access(robots, url)
        if not purposes or access.crawler.purpose in purposes
    ]
    if report == "text":
        print_table(_HEAD, list(map(_format_row, results)), details=1)
        return
    from msgspec.json import encode

    for access in results:
        rule = {"line": access.rule.line, "rule": access.rule.text} if access.rule else {}
        values = access.crawler._asdict() | {"allowed": access.is_allowed, **rule}
        click.echo(encode(values))


def _format_row(access: CrawlerAccess) -> tuple[str, ...]:
    crawler, rule = access.crawler, access.rule
    verdict = "allowed" if access.is_allowed else "disallowed"
    text = f"line {rule.line}: {rule.text}" if rule else "-"
    return crawler.token, crawler.operator, crawler.purpose, verdict, text
