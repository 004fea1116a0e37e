"""Groups of commands imported on demand, and options grouped under headings."""

import os
import re
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any, TypeVar

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from sitemapx.errors import UnknownNameError, UsageError
from sitemapx.suggestions import find_closest

Command = TypeVar("Command", bound=Callable[..., Any])
_is_word = re.compile(r"\w[\w-]*").fullmatch


class _HelpFormatter(click.HelpFormatter):
    """Prints headings in bold; click removes the style on outputs without colour."""

    def write_heading(self, heading: str) -> None:
        super().write_heading(click.style(heading, bold=True))

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, click.style(prefix or "Usage:", bold=True).strip() + " ")


class _HelpContext(click.Context):
    formatter_class = _HelpFormatter


class LazyGroup(click.Group):
    """
    A group of commands, some or all of which are imported on demand.

    Args:
        lazy: For each command, the module that defines it as `command`, or `module:name`; and one
            line of help.
        synonyms: Maps wrong names that users try to the commands to suggest.

    """

    context_class = _HelpContext

    def __init__(
        self,
        *args: Any,
        lazy: Mapping[str, tuple[str, str]],
        synonyms: Mapping[str, str] | None = None,
        **attributes: Any,
    ) -> None:
        super().__init__(*args, **attributes)
        self._lazy = lazy
        self._synonyms = synonyms or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self._lazy, *self.commands]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known = self.list_commands(ctx)
        if not ctx.resilient_parsing and args[0] not in known and not args[0].startswith("-"):
            meant = self._synonyms.get(args[0], "")
            raise UnknownNameError("command", args[0], known, meant=meant)
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._lazy:
            return super().get_command(ctx, cmd_name)
        return _import_command(self._lazy[cmd_name][0])

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        own = [(name, command.get_short_help_str(80)) for name, command in self.commands.items()]
        with formatter.section("Commands"):
            formatter.write_dl([*((name, line) for name, (_, line) in self._lazy.items()), *own])


def _import_command(reference: str) -> click.Command:
    module, _, name = reference.partition(":")
    command = getattr(import_module(module), name or "command")
    assert isinstance(command, click.Command)
    return command


class GroupedOption(click.Option):
    def __init__(self, *args: Any, heading: str, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.heading = heading


def option_group(heading: str) -> partial[Callable[[Command], Command]]:
    """Return a `click.option` whose options are listed under a heading."""
    return partial(click.option, cls=GroupedOption, heading=heading)


def add_options(command: Command, *options: Callable[[Command], Command]) -> Command:
    """Add options to a command, in the order in which its help lists them."""
    for option in reversed(options):
        command = option(command)
    return command


def find_given_options(*headings: str) -> set[str]:
    """Return the options under these headings that were passed on the command line."""
    context = click.get_current_context()
    return {
        param.opts[-1]
        for param in context.command.params
        if isinstance(param, GroupedOption)
        and param.heading in headings
        and context.get_parameter_source(str(param.name)) is ParameterSource.COMMANDLINE
    }


class GroupedCommand(click.Command):
    """A command whose help lists its options under headings; options without one come last."""

    context_class = _HelpContext

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        groups: dict[str, list[tuple[str, str]]] = {}
        options = (param for param in self.get_params(ctx) if isinstance(param, click.Option))
        for option in sorted(options, key=lambda option: not isinstance(option, GroupedOption)):
            if record := option.get_help_record(ctx):
                groups.setdefault(getattr(option, "heading", "Other options"), []).append(record)
        for heading, records in groups.items():
            with formatter.section(heading):
                formatter.write_dl(records)


class WithCommands(GroupedCommand):
    """A command that also has subcommands, imported on demand; see `LazyGroup` for `lazy`."""

    def __init__(self, *args: Any, lazy: Mapping[str, tuple[str, str]], **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self._lazy = lazy

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """
        Dispatch to a subcommand, if the first argument is its name.

        Raises:
            UsageError: If the first argument resembles the name of a subcommand, and is not the
                name of a file.

        """
        if args and args[0] in self._lazy:
            command = self.get_command(args[0])
            return command.make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)
        if args and _is_word(args[0]) and not os.path.lexists(args[0]):
            meant = find_closest(args[0], self._lazy)
            if meant and not extra.get("resilient_parsing"):
                message = f"{args[0]!r} is neither a file nor a command of {self.name}"
                raise UsageError(f"{message}. Did you mean {meant!r}?")
        return super().make_context(info_name, args, parent, **extra)

    @property
    def names(self) -> list[str]:
        return list(self._lazy)

    def get_command(self, name: str) -> click.Command:
        return _import_command(self._lazy[name][0])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in self._lazy.items()])
        super().format_options(ctx, formatter)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        names = [CompletionItem(name) for name in self._lazy if name.startswith(incomplete)]
        return [*names, *super().shell_complete(ctx, incomplete)]
