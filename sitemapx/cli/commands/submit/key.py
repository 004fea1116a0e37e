"""`sitemapx submit key`: the key of IndexNow, and the file that proves it."""

import os
import secrets
from contextlib import closing

import click

from sitemapx.cli.commands.submit.options import config_option
from sitemapx.cli.options.types import debug_option
from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.groups import LazyGroup
from sitemapx.convert.values import uris, urls
from sitemapx.errors import InputError, OutputError, UsageError
from sitemapx.submit.engines.indexnow import IndexNow, verify
from sitemapx.submit.secrets.secret import masked
from sitemapx.submit.selection import setup_of
from sitemapx.submit.settings import load_settings
from sitemapx.submit.transport.transport import run

__all__ = ["command"]


@click.group(
    "key",
    cls=LazyGroup,
    lazy={},
    epilog="""\b
Examples:
  export INDEXNOW_KEY=$(sitemapx submit key new public)
  sitemapx submit key new public --secret ~/.config/indexnow.key
  sitemapx submit key verify https://example.com/""",
)
def command() -> None:
    """Make a key for IndexNow with its file, or check that a site serves that file."""


@command.command("new")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(file_okay=False))
@click.option(
    "--secret",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write the key there, for you alone to read, and do not print it.",
)
@config_option
@debug_option
def new(folder: str | None, secret: str | None, config: str | None) -> None:
    """
    Make a key, and its file in DIR, the folder that is published as the root of the site.

    The key is printed, so that it can be put where secrets are; the file is public. DIR is `root`
    of sitemapx.toml if it is not named.
    """
    folder = folder or load_settings(config).root
    if folder is None:
        raise UsageError("name the folder that is published as the root of the site")
    key = secrets.token_hex(16)
    path = os.path.join(folder, f"{key}.txt")
    try:
        os.makedirs(folder, exist_ok=True)
        with open(path, "x", encoding="ascii") as file:
            file.write(key)
        if secret:
            descriptor = os.open(secret, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(descriptor, "w", encoding="ascii") as file:
                file.write(f"{key}\n")
    except OSError as error:
        raise OutputError(f"{error.filename}: {error.strerror}") from error
    if secret:
        click.echo(f'{secret}: the key; in sitemapx.toml: secret = "file:{secret}"', err=True)
    else:
        click.echo(key)
    message = "its file is there; publish it, then `sitemapx submit key verify`"
    click.echo(f"{folder}: {message}", err=True)


@command.command("verify")
@click.argument("site", metavar="[SITE]", required=False)
@config_option
@click.option(
    "--allow-private", is_flag=True, help="Fetch from private and loopback addresses, too."
)
@debug_option
def verify_(site: str | None, config: str | None, *, allow_private: bool) -> None:
    """Fetch the key file of SITE, as engines do, and say whether it is right."""
    from sitemapx.submit.transport.sender import Sender

    settings = load_settings(config)
    site = site or settings.site
    if site is None:
        raise UsageError("name the site, such as https://example.com/")
    if uris.to_uri(site) is None:
        message = "give an absolute http(s) URL, such as https://example.com/"
        raise UsageError(f"not a site {urls.without_user(site)!r}: {message}")
    setup = setup_of(IndexNow.about, settings.of("indexnow"), os.environ, is_named=True)
    assert setup is not None  # or it would have been told what is missing
    key = setup.secrets["INDEXNOW_KEY"]
    location = IndexNow(setup).key_file(urls.site(site))
    with closing(Sender(retries=1, allow_private=allow_private, say=Console().say)) as sender:
        wrong, _ = run(verify(key, location), sender, [key])
    if wrong:
        raise InputError(masked(wrong, [key]))
    click.echo(f"{masked(location, [key])}: right", err=True)
