"""`sitemapx robots agents`."""

from typing import Any
from urllib.parse import urljoin

import click

from sitemapx.cli.commands.robots.command import robots_file
from sitemapx.cli.options.fetching import fetcher_of, fetching_options
from sitemapx.cli.options.types import debug_option, one_of, rows_option
from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.groups import GroupedCommand
from sitemapx.cli.terminal.tables import print_table
from sitemapx.convert.values import urls
from sitemapx.errors import UsageError
from sitemapx.submit.robots.crawlers import PURPOSES, CrawlerAccess, crawler_access
from sitemapx.submit.robots.edit import load_robots_file

_HEAD = ("CRAWLER", "OPERATOR", "PURPOSE", "ACCESS", "RULE")
#: The site, if FILE does not say which one it is.
_ANY = "https://example.com/"


@click.command(
    "agents",
    cls=GroupedCommand,
    epilog="""\b
Examples:
  sitemapx robots agents robots.txt
  sitemapx robots agents https://example.com/robots.txt --path /blog/
  sitemapx robots agents robots.txt --purpose 'AI training' --report json""",
)
@robots_file
@click.option(
    "--path", "page", default="/", metavar="PATH", help="Path or URL of the page.  [default: /]"
)
@click.option(
    "--purpose",
    "purposes",
    type=one_of("purpose", PURPOSES),
    multiple=True,
    metavar="PURPOSE",
    help=f"Only crawlers with this purpose: {', '.join(PURPOSES)}. Repeatable.",
)
@fetching_options
@rows_option
@debug_option
def command(path: str, page: str, purposes: tuple[str, ...], report: str, **options: Any) -> None:
    """
    List which known crawlers of search engines and AI services FILE allows to fetch a page.

    A crawler without a group of its own follows the group for `*`. robots.txt is a request: not
    every crawler obeys it, and some operators exempt pages that a user requests.
    """
    console = Console()
    robots = load_robots_file(path, fetcher=fetcher_of(options, console.say, [path]))
    if not (page.startswith("/") or urls.is_absolute(page)):
        raise UsageError(f"invalid path {page!r}: expected a path such as /blog/, or a URL")
    name = urls.without_user(path)
    url = urljoin(name if urls.is_absolute(name) else _ANY, page)
    found = [
        one
        for one in crawler_access(robots, url)
        if not purposes or one.crawler.purpose in purposes
    ]
    if report == "text":
        print_table(_HEAD, list(map(_cells, found)), details=1)
        return
    from msgspec.json import encode

    for one in found:
        rule = {"line": one.rule.line, "rule": one.rule.text} if one.rule else {}
        values = one.crawler._asdict() | {"allowed": one.is_allowed, **rule}
        click.echo(encode(values))


def _cells(one: CrawlerAccess) -> tuple[str, ...]:
    crawler, rule = one.crawler, one.rule
    access = "allowed" if one.is_allowed else "disallowed"
    text = f"line {rule.line}: {rule.text}" if rule else "-"
    return crawler.token, crawler.operator, crawler.purpose, access, text
