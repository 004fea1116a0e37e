"""Options under headings, so that the help of a command with many of them stays readable."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

__all__ = ["GroupedCommand", "grouped"]

Command = TypeVar("Command", bound=Callable[..., Any])


class _Option(click.Option):
    """An option that knows its heading."""

    def __init__(self, *args: Any, heading: str, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.heading = heading


def grouped(heading: str) -> Callable[..., Callable[[Command], Command]]:
    """Make a `click.option` whose options stand under this heading."""

    def option(*names: str, **attributes: Any) -> Callable[[Command], Command]:
        return click.option(*names, cls=_Option, heading=heading, **attributes)

    return option


class GroupedCommand(click.Command):
    """A command whose help shows its options under their headings, in the order of the first."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section for each heading; what has none comes last."""
        groups: dict[str, list[tuple[str, str]]] = {}
        options = (one for one in self.get_params(ctx) if isinstance(one, click.Option))
        for param in sorted(options, key=lambda one: not isinstance(one, _Option)):
            if record := param.get_help_record(ctx):
                groups.setdefault(getattr(param, "heading", "Other options"), []).append(record)
        for heading, records in groups.items():
            with formatter.section(heading):
                formatter.write_dl(records)
