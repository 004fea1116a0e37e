"""`sitemapx init`."""

import os
import sys
from collections.abc import Sequence

import click

from sitemapx.cli.commands.init.generators import detect_site
from sitemapx.cli.options.types import debug_option, split_words
from sitemapx.convert.values import uris, urls
from sitemapx.errors import OutputError, UsageError
from sitemapx.settingsfile import FILE_NAME, SettingsFile
from sitemapx.submit.engines.registry import all_engines, by_name
from sitemapx.submit.settings import Settings, settings_of, written

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
    if found := detect_site(os.path.dirname(config) or "."):
        message = f"found {found.file} of {found.generator}: the published folder is {found.root}"
        click.echo(message, err=True)
        root = root or os.path.join(os.path.dirname(config), found.root)
    if site is None and sys.stdin.isatty():
        site, root, sitemaps, engines = _ask(found and found.url, root, sitemaps, engines)
    site = site or (found and found.url)
    if site is None:
        raise UsageError("no URL of the site is known: pass --site, such as https://example.com/")
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
    settings = settings_of(SettingsFile(config, text))  # which raises if they cannot be read
    try:
        with open(config, "w" if force else "x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise OutputError(f"{config}: {error.strerror}") from error
    click.echo(f"{config}: written", err=True)
    _print_next_steps(settings, names)


def _print_next_steps(settings: Settings, engines: Sequence[str]) -> None:
    """Name what is still missing, and the next command."""
    for path in (settings.root, *settings.sitemaps, settings.robots):
        if path and not urls.is_absolute(path) and not os.path.exists(path):
            click.echo(f"still missing: {path}", err=True)
    needed = (name for one in engines for name in by_name(one).about.secrets)
    secrets = [name for name in dict.fromkeys(needed) if not os.environ.get(name)]
    if secrets:
        click.echo(f"next: set {' and '.join(secrets)} in the environment", err=True)
    if "INDEXNOW_KEY" in secrets:
        click.echo("`sitemapx submit key new` makes a key for IndexNow", err=True)
    click.echo("then: sitemapx submit --dry-run", err=True)


def _site_url(text: str) -> str:
    if uris.to_uri(text) is None:
        raise click.BadParameter("expected an absolute URL, such as https://example.com/")
    return text


def _engine_names(text: str) -> tuple[str, ...]:
    names = tuple(split_words([text]))
    try:
        for name in names:
            by_name(name)
    except UsageError as error:
        raise click.BadParameter(str(error)) from error
    return names


def _usual(site: str, root: str | None) -> str:
    """Return where a sitemap usually is: in the folder, or else on the site."""
    return os.path.join(root, "sitemap.xml") if root else f"{site.rstrip('/')}/sitemap.xml"


def _beside(path: str, folder: str) -> str:
    """Return a path from the folder of the settings, where it is given from here."""
    is_elsewhere = urls.is_absolute(path) or os.path.isabs(path) or not folder
    return path if is_elsewhere else os.path.relpath(path, folder)


def _ask(
    site: str | None, root: str | None, sitemaps: tuple[str, ...], engines: tuple[str, ...]
) -> tuple[str, str | None, tuple[str, ...], tuple[str, ...]]:
    """Ask what the options do not say, and propose what is known of the site."""
    site = click.prompt("URL of the site", default=site, value_proc=_site_url, err=True)
    root = click.prompt(
        "Folder that is published there (empty: none)", default=root or "", err=True
    )
    usual = _usual(site, root)
    sitemaps = sitemaps or (click.prompt("Sitemap, as a file or URL", default=usual, err=True),)
    living = [engine.about.name for engine in all_engines() if engine.about.status == "living"]
    question = f"Engines ({', '.join(living)})"
    engines = engines or click.prompt(question, "indexnow", value_proc=_engine_names, err=True)
    return site, root or None, sitemaps, engines
