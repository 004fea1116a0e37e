"""`sitemapx submit key`: creates and verifies IndexNow keys and their key files."""

import os
import secrets
import shlex
from contextlib import closing

import click

from sitemapx.cli.commands.submit.options import submit_config_option
from sitemapx.cli.options.types import debug_option
from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.groups import LazyGroup
from sitemapx.convert.values import uris, urls
from sitemapx.errors import InputError, OutputError, UsageError
from sitemapx.submit.engines.indexnow import IndexNow, is_below_root, verify
from sitemapx.submit.secrets.secret import mask_secrets
from sitemapx.submit.selection import make_setup
from sitemapx.submit.settings import load_settings
from sitemapx.submit.transport.transport import run_steps
from sitemapx.suggestions import suggest_file


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
    """Create an IndexNow key and its key file, or verify that a site serves the file."""


@command.command("new")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(file_okay=False))
@click.option(
    "--secret",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write the key to FILE, readable only by you, instead of printing it.",
)
@submit_config_option
@debug_option
def new(folder: str | None, secret: str | None, config: str | None) -> None:
    """
    Create a key and its key file.

    The key is printed, so that you can store it as a secret; the key file is public. It is written
    to DIR, the directory published as the root of the site, by default `root` in sitemapx.toml.
    """
    folder = folder or load_settings(config).root
    if folder is None:
        raise UsageError("missing DIR: pass the directory published as the root of the site")
    if not os.path.isdir(folder):
        raise UsageError(f"{folder}: no such directory{suggest_file(folder)}")
    key = secrets.token_hex(16)
    path = os.path.join(folder, f"{key}.txt")
    _create_file(path, key)
    if secret:
        try:
            _create_file(secret, f"{key}\n", 0o600)
        except OutputError:
            os.unlink(path)
            raise
    site = load_settings(config).site
    verification = ["sitemapx", "submit", "key", "verify", *([] if site else ["SITE"])]
    command = shlex.join([*verification, *(["--config", config] if config else [])])
    if secret:
        click.echo(
            f'wrote the key to {secret}; in sitemapx.toml: secret = "file:{secret}"', err=True
        )
        shown, where = "KEY.txt", f" (KEY is the key in {secret})"
        first = "publish it"
    else:
        click.echo(key)
        shown, where, first = f"{key}.txt", "", "publish it and set INDEXNOW_KEY to the key"
    shown = os.path.join(folder, shown)
    click.echo(f"wrote {shown}{where}; {first}, then run `{command}`", err=True)
    if site and is_below_root(site):
        click.echo(
            f"warning: {site} is below a path; a key file there is valid only for URLs below it: "
            "publish it at the root of the host, or set key-location in sitemapx.toml",
            err=True,
        )


def _create_file(path: str, text: str, mode: int = 0o666) -> None:
    """Create a file with this text, or leave none if it cannot be written completely."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            with open(descriptor, "w", encoding="ascii") as file:
                file.write(text)
        except OSError:
            os.unlink(path)
            raise
    except OSError as error:
        raise OutputError.from_os_error(path, error) from error


@command.command("verify")
@click.argument("site", metavar="[SITE]", required=False)
@submit_config_option
@click.option(
    "--allow-private", is_flag=True, help="Allow requests to private and loopback addresses."
)
@debug_option
def verify_(site: str | None, config: str | None, *, allow_private: bool) -> None:
    """Fetch the key file of SITE, as search engines do, and verify it."""
    from sitemapx.submit.transport.sender import Sender

    settings = load_settings(config)
    site = site or settings.site
    if site is None:
        raise UsageError("missing SITE: pass one, such as https://example.com/")
    if uris.to_uri(site) is None:
        message = "expected an absolute http(s) URL, such as https://example.com/"
        raise UsageError(f"invalid site {urls.without_user(site)!r}: {message}")
    setup = make_setup(IndexNow.about, settings, os.environ, is_named=True)
    assert setup is not None  # with `is_named`, a missing key raises an error
    key = setup.secrets["INDEXNOW_KEY"]
    location = IndexNow(setup).key_file(urls.site(site))
    with closing(Sender(retries=1, allow_private=allow_private, say=Console().say)) as sender:
        found = run_steps(verify(key, location), sender, [key])
    if message := "; ".join(filter(None, found)):
        raise InputError(mask_secrets(message, [key]))
    click.echo(f"key file OK: {mask_secrets(location, [key])}", err=True)
