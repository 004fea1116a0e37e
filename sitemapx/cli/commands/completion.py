"""`sitemapx completion`."""

import click
from click.shell_completion import BashComplete, ShellComplete, get_completion_class

from sitemapx.cli.options.types import one_of

#: Bash splits words at `:` and `=` as well, which are parts of some values.
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
    shell_class: type[ShellComplete] | None = (
        _Bash if shell == "bash" else get_completion_class(shell)
    )
    assert shell_class is not None
    root = ctx.find_root().command
    click.echo(shell_class(root, {}, "sitemapx", "_SITEMAPX_COMPLETE").source())
