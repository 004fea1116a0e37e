"""The command `sitemapx robots check`: checks a robots.txt, and sitemaps against it."""

from typing import Any
from urllib.parse import urljoin

import click

from sitemapx.cli.commands.robots.source import robots_source
from sitemapx.cli.options.settings import config_option, find_sitemaps
from sitemapx.cli.options.sources import build_opener, reading_options, sources_argument, total_size
from sitemapx.cli.options.types import URL, console_options
from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.groups import GroupedCommand, option_group
from sitemapx.convert.sources.source import source_name
from sitemapx.convert.values import urls
from sitemapx.errors import UsageError
from sitemapx.submit.robots.check import RobotsResult, check_robots, is_failure
from sitemapx.submit.robots.edit import load_robots_file
from sitemapx.submit.settings import load_settings

_scope = option_group("Scope")


@click.command(
    "check",
    cls=GroupedCommand,
    epilog="""\b
Examples:
  sitemapx robots check
  sitemapx robots check robots.txt
  sitemapx robots check example.com example.com --agent Googlebot
  sitemapx robots check robots.txt sitemap.xml --agent Googlebot --agent Bingbot
  sitemapx robots check robots.txt sitemap_index.xml --map https://example.com/=public \\
      --robots-url https://example.com/robots.txt
  sitemapx robots check robots.txt urls.txt --report json 2> findings.jsonl

Exit status: 0 no findings, or only notes; 1 errors or warnings, or a file cannot be
read; 2 usage error or no such file. All findings:
https://sitemapx.github.io/sitemapx/robots.html""",
)
@robots_source(required=False)
@sources_argument("[SITEMAP]...", required=False)
@_scope(
    "--agent",
    "agents",
    multiple=True,
    default=["*"],
    metavar="NAME",
    help="Crawler to check for, e.g. Googlebot. Repeatable.  [default: *, any without a group]",
)
@_scope(
    "--robots-url",
    type=URL,
    help="Public URL of FILE. It applies to this scheme, host and port; other pages are skipped.  "
    "[default: FILE if it is a URL; else all pages are checked]",
)
@reading_options
@config_option
@console_options
def command(path: str | None, sources: tuple[str, ...], **options: Any) -> int:
    """
    Find lines that crawlers misread in the robots.txt FILE (or URL, or host; - for standard input).

    With SITEMAPs (in any format that `convert` reads), also find the pages in them that FILE
    disallows. Access is decided by Protego, the parser of Scrapy.

    Without arguments, check robots and sitemaps of sitemapx.toml.
    """
    if path is None:
        path, sources = _use_settings(options)
    if path == "-" and "-" in sources:
        raise click.UsageError("standard input can be read only once")
    console = Console.from_options(options)
    console.is_failure = is_failure
    total = total_size(sources)
    opener = build_opener(options, console.say, [path, *sources])
    name = urls.without_user(path)
    url = options["robots_url"] or (name if urls.is_absolute(name) else None)
    try:
        checked = check_robots(
            load_robots_file(path, fetcher=opener.fetcher),
            sources,
            agents=options["agents"],
            url=url,
            opener=opener,
            source=source_name(path),
            report=console.print_problem,
            progress=lambda pages, size: console.show_progress(pages, size, total),
        )
    finally:
        console.close()
    lines = _summary_lines(checked, has_pages=bool(sources))
    values: dict[str, object] = {"pages": checked.pages, "disallowed": checked.disallowed}
    console.print_summary(lines, values | {"findings": checked.findings})
    return 1 if checked.fails else 0


def _use_settings(options: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    """Return robots.txt and sitemaps of the settings; set `maps` and `robots_url` in `options`."""
    settings = load_settings(options["config"])
    if settings.robots is None:
        raise UsageError(f"missing FILE: pass one, or set robots in {settings.path}")
    sitemaps, mappings = find_sitemaps(options["config"], settings)
    known = [(mapping.url, mapping.folder) for mapping in mappings]
    options["maps"] = [*options["maps"], *known]
    if settings.site:
        options["robots_url"] = options["robots_url"] or urljoin(settings.site, "/robots.txt")
    return settings.robots, tuple(sitemaps)


def _summary_lines(checked: RobotsResult, *, has_pages: bool) -> list[str]:
    lines = []
    if has_pages:
        noun = "URL" if checked.pages == 1 else "URLs"
        counts = (f"{count:,} disallowed for {name}" for name, count in checked.disallowed.items())
        lines.append(f"{checked.pages:,} {noun} checked, {', '.join(counts)}")
    findings = (f"{code} {count:,}" for code, count in checked.findings.most_common())
    lines.append(f"findings: {', '.join(findings) or 'none'}")
    return lines
