"""Groups of commands that are imported when they are called, and of options under headings."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, TypeVar

import click

__all__ = ["GroupedCommand", "LazyGroup", "grouped"]

Command = TypeVar("Command", bound=Callable[..., Any])


class LazyGroup(click.Group):
    """A group of commands, some or all of which are imported when they are called."""

    def __init__(self, *args: Any, lazy: Mapping[str, tuple[str, str]], **attributes: Any) -> None:
        """
        Make the group.

        Args:
            lazy: Name -> (module that has it as `command`, one line of help).

        """
        super().__init__(*args, **attributes)
        self._lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names in the order in which they were written down."""
        return [*self.commands, *self._lazy]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Find a command; the overview needs none of them."""
        if cmd_name not in self._lazy:
            return super().get_command(ctx, cmd_name)
        command = import_module(self._lazy[cmd_name][0]).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the overview."""
        own = [(name, one.get_short_help_str(80)) for name, one in self.commands.items()]
        with formatter.section("Commands"):
            formatter.write_dl([*own, *((name, line) for name, (_, line) in self._lazy.items())])


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
