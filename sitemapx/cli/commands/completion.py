"""The command `sitemapx completion`: prints scripts for shell completion."""

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from sitemapx.cli.options.types import Choice

#: Script that replaces the one of click, as bash splits words at `:` and `=`, which values may
#: contain.
_BASH = """\
%(complete_func)s() {
    local line=${COMP_LINE:0:COMP_POINT} words word prefix type value
    read -ra words <<<"$line"
    word=${words[-1]}
    if [[ $line == *' ' ]]; then word=; words+=(''); fi
    prefix=${word%%"${word##*[:=]}"}
    while IFS=, read -r type value; do
        case $type in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain)
                COMPREPLY+=("${value#"$prefix"}")
                if [[ $value == *= ]]; then compopt -o nospace; fi
                ;;
        esac
    done < <(COMP_WORDS=$line COMP_CWORD=$((${#words[@]} - 1)) %(complete_var)s=bash_complete "$1")
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""


class _Bash(BashComplete):
    source_template = _BASH


_SHELLS: dict[str, type[ShellComplete]] = {"bash": _Bash, "zsh": ZshComplete, "fish": FishComplete}


@click.command(
    "completion",
    epilog="""\b
Examples:
  bash: sitemapx completion bash > ~/.local/share/bash-completion/completions/sitemapx
  zsh:  sitemapx completion zsh > "${fpath[1]}/_sitemapx"
  fish: sitemapx completion fish > ~/.config/fish/completions/sitemapx.fish""",
)
@click.argument("shell", metavar="SHELL", type=Choice("shell", _SHELLS))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the script that completes commands, options and formats in SHELL: bash, zsh or fish."""
    root = ctx.find_root().command
    click.echo(_SHELLS[shell](root, {}, "sitemapx", "_SITEMAPX_COMPLETE").source())
