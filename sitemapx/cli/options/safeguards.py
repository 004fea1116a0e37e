"""Options of `submit` that each disable a safeguard, and `--force`, which disables all."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sitemapx.cli.terminal.groups import Command, add_options, option_group

_safeguards = option_group("Safeguards")
#: Option -> help.
_OPTIONS = {
    "--ignore-findings": "Send even if `check` finds errors in the sitemap set.",
    "--ignore-robots": "Send even if robots.txt blocks crawlers, or cannot be fetched.",
    "--ignore-probe": "Send even if all --probe pages fail.",
    "--ignore-interval": "Resend URLs that were sent less than 10 minutes ago.",
    "--no-wait": "Send even if a server asked to wait (429).",
}


def safeguard_options(options: Sequence[str] = ()) -> Callable[[Command], Command]:
    """Return a decorator that adds these options (all if empty) and `--force`."""
    names = [name for name in _OPTIONS if not options or name in options]

    def add(command: Command) -> Command:
        return add_options(
            command,
            *(_safeguards(name, is_flag=True, help=_OPTIONS[name]) for name in names),
            _safeguards("--force", is_flag=True, help="Send even if a safety check fails."),
        )

    return add


def is_disabled(options: Mapping[str, Any], name: str) -> bool:
    """
    Return whether an option, or `--force`, disables its safeguard.

    >>> is_disabled({"force": False, "no_wait": True}, "--no-wait")
    True

    """
    assert name in _OPTIONS
    parameter = name.removeprefix("--").replace("-", "_")
    return bool(options.get("force") or options.get(parameter))
