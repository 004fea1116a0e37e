"""Options of `sitemapx submit` and its subcommands: submission, journal, safeguards."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click
from click.shell_completion import CompletionItem

from sitemapx.cli.options.settings import ConfiguredCommand, config_option
from sitemapx.cli.options.types import ENGINE_NAMES, URL, Seconds, WholeNumber
from sitemapx.cli.terminal.groups import Command, WithCommands, add_options, option_group
from sitemapx.convert.values.urls import without_user
from sitemapx.submit.settings import KEYS

_sending = option_group("Submission")
_journal = option_group("Journal and settings")
#: Options of commands that send requests, but submit nothing.
_REQUESTS = ("engine", "endpoint", "budget")


class SubmitGroup(WithCommands, ConfiguredCommand):
    """Command `submit`, some of whose settings are at the top level of the file."""

    def settable(self) -> dict[str, click.Parameter]:
        taken = {"sources", *KEYS}
        return {name: param for name, param in super().settable().items() if name not in taken}

    def misplaced(self, key: str) -> str:
        if key == "sources":
            return "list the sources of submissions in sitemaps, at the top of the file"
        return super().misplaced(key)


class _Endpoint(click.ParamType[tuple[str, str]]):
    """Option value `NAME=URL`: another endpoint of a search engine."""

    name = "endpoint"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        name, equals, url = str(value).partition("=")
        if not equals:
            self.fail(f"invalid value {value!r}: expected NAME=URL", param, ctx)
        if without_user(url) != url:
            self.fail("an endpoint must not contain a user name or password", param, ctx)
        return name, URL.convert(url, param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [
            CompletionItem(f"{item.value}=")
            for item in ENGINE_NAMES.shell_complete(ctx, param, incomplete)
        ]


#: Name -> function that adds the option.
_SENDING: dict[str, Callable[[Any], Any]] = {
    "engine": _sending(
        "--engine",
        "engines",
        type=ENGINE_NAMES,
        multiple=True,
        metavar="NAME",
        help="Search engine to notify. Repeatable.  [default: those in sitemapx.toml, else "
        "all active ones with credentials configured]",
    ),
    "limit": _sending(
        "--limit",
        type=WholeNumber(1),
        metavar="N",
        help="Send each search engine at most N URLs; later runs send the rest.",
    ),
    "dry-run": _sending("--dry-run", is_flag=True, help="Print the requests, and send nothing."),
    "verbose": _sending(
        "-v",
        "--verbose",
        is_flag=True,
        help="With --dry-run: print requests in full.",
    ),
    "endpoint": _sending(
        "--endpoint",
        "endpoints",
        type=_Endpoint(),
        multiple=True,
        metavar="NAME=URL",
        help="URL for requests to a search engine. Repeatable; the first that responds counts.",
    ),
    "budget": _sending(
        "--budget",
        type=Seconds(0),
        metavar="SECONDS",
        default=600,
        help="Maximum total time for sending, including retries. [600]",
    ),
    "allow-removals": _sending(
        "--allow-removals",
        is_flag=True,
        help="Send removals even if a large part of a sitemap is missing.",
    ),
    "exit-zero": _sending(
        "--exit-zero",
        is_flag=True,
        help="Exit with status 0 even if something was refused or not sent, so that a deployment "
        "does not depend on search engines.",
    ),
    "lock-timeout": _sending(
        "--lock-timeout",
        type=Seconds(0),
        metavar="SECONDS",
        default=600,
        help="Maximum time to wait for another run to finish. [600]",
    ),
}


def sending_options(command: Command) -> Command:
    return journal_options(add_options(command, *_SENDING.values()))


def request_options(*more: str) -> Callable[[Command], Command]:
    """Return a decorator that adds the options for requests and the journal, and `more`."""
    adds = [add for name, add in _SENDING.items() if name in (*_REQUESTS, *more)]

    def add(command: Command) -> Command:
        return journal_options(add_options(command, *adds))

    return add


def submit_config_option(command: Command) -> Command:
    return config_option(command, _journal)


def journal_options(command: Command) -> Command:
    return add_options(
        command,
        _journal(
            "--journal",
            type=click.Path(dir_okay=False),
            metavar="FILE",
            help="Submission journal (SQLite).  [default: in your state directory]",
        ),
        submit_config_option,
    )


# ---- safeguards, each disabled by an option, and all by --force

_safeguards = option_group("Safeguards")
#: Option -> help.
_SAFEGUARDS = {
    "--ignore-findings": "Send even if `check` finds errors in the sitemap set.",
    "--ignore-robots": "Send even if robots.txt blocks crawlers, or cannot be fetched.",
    "--ignore-probe": "Send even if all --probe pages fail.",
    "--ignore-interval": "Resend URLs that were sent less than 10 minutes ago.",
    "--no-wait": "Send even if a server asked to wait (429).",
}


def safeguard_options(options: Sequence[str] = ()) -> Callable[[Command], Command]:
    """Return a decorator that adds `--force` and options to disable safeguards, by default all."""
    names = [name for name in _SAFEGUARDS if not options or name in options]

    def add(command: Command) -> Command:
        return add_options(
            command,
            *(_safeguards(name, is_flag=True, help=_SAFEGUARDS[name]) for name in names),
            _safeguards("--force", is_flag=True, help="Send even if a safety check fails."),
        )

    return add


def is_disabled(options: Mapping[str, Any], name: str) -> bool:
    """
    Return whether an option, or `--force`, disables its safeguard.

    >>> is_disabled({"force": False, "no_wait": True}, "--no-wait")
    True

    """
    assert name in _SAFEGUARDS
    parameter = name.removeprefix("--").replace("-", "_")
    return bool(options.get("force") or options.get(parameter))
