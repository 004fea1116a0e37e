"""`sitemapx init`."""

import os
import sys

import click

from sitemapx.cli.options.types import debug_option, split_words
from sitemapx.convert.values import uris, urls
from sitemapx.errors import OutputError, UsageError
from sitemapx.settingsfile import FILE_NAME
from sitemapx.submit.engines.registry import all_engines, by_name
from sitemapx.submit.settings import written

__all__ = ["command"]


@click.command(
    "init",
    epilog="""\b
Examples:
  sitemapx init
  sitemapx init --site https://example.com/ --sitemap public/sitemap.xml --engine indexnow""",
)
@click.option("--site", metavar="URL", help="The root of the site.")
@click.option("--root", metavar="DIR", help="The folder that is published there.")
@click.option(
    "--sitemap",
    "sitemaps",
    multiple=True,
    metavar="SITEMAP",
    help="What is submitted: a file or URL; repeatable.",
)
@click.option("--robots", metavar="FILE", help="The robots.txt that gets a Sitemap line.")
@click.option("--engine", "engines", multiple=True, metavar="NAME", help="Who is told; repeatable.")
@click.option("--config", default=FILE_NAME, metavar="FILE", help=f"What to write.  [{FILE_NAME}]")
@click.option("--force", is_flag=True, help="Write it although there is one.")
@debug_option
def command(
    site: str | None,
    root: str | None,
    sitemaps: tuple[str, ...],
    robots: str | None,
    engines: tuple[str, ...],
    config: str,
    force: bool,
) -> None:
    """Write a sitemapx.toml with comments; on a terminal, ask for what no option says."""
    if os.path.exists(config) and not force:
        raise UsageError(f"{config} is there already; --force writes over it")
    if site is None:
        if not sys.stdin.isatty():
            raise UsageError("say --site, such as https://example.com/")
        site, root, sitemaps, engines = _ask(root, sitemaps, engines)
    if uris.to_uri(site) is None:
        raise UsageError(f"{site!r} is not an absolute http(s) URL; write https://example.com/")
    site = site.rstrip("/") + "/"
    names = split_words(engines) or ["indexnow"]
    folder = os.path.dirname(config)
    values = {
        "site": site,
        "root": _beside(root, folder) if root else None,
        "sitemaps": [_beside(sitemap, folder) for sitemap in sitemaps or [_usual(site, root)]],
        "robots": _beside(robots, folder) if robots else None,
    }
    text = written(values, [by_name(name).about for name in names])
    try:
        with open(config, "w" if force else "x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise OutputError(f"{config}: {error.strerror}") from error
    needed = (name for one in names for name in by_name(one).about.secrets)
    secrets = [name for name in dict.fromkeys(needed) if not os.environ.get(name)]
    click.echo(f"{config}: written", err=True)
    if secrets:
        click.echo(f"next: set {' and '.join(secrets)} in the environment", err=True)
    if "INDEXNOW_KEY" in secrets:
        click.echo("`sitemapx submit key new` makes a key for IndexNow", err=True)
    click.echo("then: sitemapx submit --dry-run", err=True)


def _usual(site: str, root: str | None) -> str:
    """Return where a sitemap usually is: in the folder, or else on the site."""
    return os.path.join(root, "sitemap.xml") if root else f"{site.rstrip('/')}/sitemap.xml"


def _beside(path: str, folder: str) -> str:
    """Return a path from the folder of the settings, where it is given from here."""
    is_elsewhere = urls.is_absolute(path) or os.path.isabs(path) or not folder
    return path if is_elsewhere else os.path.relpath(path, folder)


def _ask(
    root: str | None, sitemaps: tuple[str, ...], engines: tuple[str, ...]
) -> tuple[str, str | None, tuple[str, ...], tuple[str, ...]]:
    """Ask what the options do not say."""
    site = click.prompt("Root of the site", err=True)
    root = root or click.prompt(
        "Folder that is published there (empty: none)", default="", show_default=False, err=True
    )
    usual = _usual(site, root)
    sitemaps = sitemaps or (click.prompt("Sitemap, as a file or URL", default=usual, err=True),)
    living = [engine.about.name for engine in all_engines() if engine.about.status == "living"]
    question = f"Engines ({', '.join(living)})"
    engines = engines or (click.prompt(question, default="indexnow", err=True),)
    return site, root or None, sitemaps, engines
