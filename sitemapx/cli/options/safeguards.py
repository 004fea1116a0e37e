"""The options of `submit` that switch off a safeguard each, and `--force`, which is all."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sitemapx.cli.terminal.groups import Command, add_options, grouped

__all__ = ["is_off", "safeguard_options"]

_safeguards = grouped("Safeguards")
#: Option -> help.
_OPTIONS = {
    "--ignore-findings": "Send a set in which `check` finds errors.",
    "--ignore-robots": "Send although robots.txt keeps crawlers away, or fails.",
    "--ignore-probe": "Send although none of the --probe pages answers.",
    "--ignore-interval": "Send again what an engine accepted less than 5 minutes ago.",
    "--no-wait": "Send although an engine asked to wait (429).",
}


def safeguard_options(options: Sequence[str] = ()) -> Callable[[Command], Command]:
    """Return what adds these options, or all, and `--force`."""
    names = [name for name in _OPTIONS if not options or name in options]

    def add(command: Command) -> Command:
        message = "all safeguards" if len(names) > 1 else "the safeguard"
        return add_options(
            command,
            *(_safeguards(name, is_flag=True, help=_OPTIONS[name]) for name in names),
            _safeguards("--force", is_flag=True, help=f"Switch off {message} above."),
        )

    return add


def is_off(options: Mapping[str, Any], name: str) -> bool:
    """
    Return whether a safeguard is switched off.

    >>> is_off({"force": False, "no_wait": True}, "--no-wait")
    True

    """
    assert name in _OPTIONS
    return any(options.get(one) for one in ("force", name.removeprefix("--").replace("-", "_")))
