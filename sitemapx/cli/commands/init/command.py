"""`sitemapx init`."""

import os
import sys
from collections.abc import Sequence

import click

from sitemapx.cli.commands.init.generators import detect_site
from sitemapx.cli.options.types import ENGINE_NAMES, debug_option, split_words
from sitemapx.convert.values import uris, urls
from sitemapx.errors import OutputError, UsageError
from sitemapx.settingsfile import FILE_NAME, SettingsFile
from sitemapx.submit.engines.registry import all_engines, by_name
from sitemapx.submit.settings import Settings, settings_of, written

__all__ = ["command"]

#: The answer that stands for no folder.
_NONE = "-"


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
@click.option(
    "--engine",
    "engines",
    type=ENGINE_NAMES,
    multiple=True,
    metavar="NAME",
    help="Who is told; repeatable.",
)
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
    found = detect_site(os.path.dirname(config) or ".") if not (site and root) else None
    if found:
        click.echo(f"found {found.file}: this is a site made with {found.generator}", err=True)
    likely_root = found and os.path.join(os.path.dirname(config), found.root)
    if site is None and sys.stdin.isatty():
        site = _ask_site(found and found.url)
        root = root or _ask_root(likely_root)
        sitemaps = sitemaps or (_ask_sitemap(site, root),)
        engines = engines or _ask_engines()
    else:
        site, root = site or (found and found.url), root or likely_root
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


def _ask_site(likely: str | None) -> str:
    site: str = click.prompt("URL of the site", default=likely, value_proc=_site_url, err=True)
    return site


def _ask_root(likely: str | None) -> str | None:
    question = f"Folder that is published there ({_NONE} for none)"
    root: str = click.prompt(question, default=likely or _NONE, err=True)
    return None if root == _NONE else root


def _ask_sitemap(site: str, root: str | None) -> str:
    question = "Sitemap, as a file or URL"
    sitemap: str = click.prompt(question, default=_usual(site, root), err=True)
    return sitemap


def _ask_engines() -> tuple[str, ...]:
    living = [engine.about.name for engine in all_engines() if engine.about.status == "living"]
    question = f"Engines ({', '.join(living)})"
    names: tuple[str, ...] = click.prompt(question, "indexnow", value_proc=_engine_names, err=True)
    return names
