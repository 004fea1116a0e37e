"""`sitemapx completion`."""

import click
from click.shell_completion import get_completion_class

from sitemapx.cli.options.types import one_of

__all__ = ["command"]


@click.command(
    "completion",
    epilog="""\b
Examples:
  bash: sitemapx completion bash > ~/.local/share/bash-completion/completions/sitemapx
  zsh:  sitemapx completion zsh > "${fpath[1]}/_sitemapx"
  fish: sitemapx completion fish > ~/.config/fish/completions/sitemapx.fish""",
)
@click.argument("shell", metavar="SHELL", type=one_of("shell", ["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the script that completes commands, options and formats in SHELL: bash, zsh or fish."""
    shell_class = get_completion_class(shell)
    assert shell_class is not None
    root = ctx.find_root().command
    click.echo(shell_class(root, {}, "sitemapx", "_SITEMAPX_COMPLETE").source())
