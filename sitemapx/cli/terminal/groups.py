"""Groups of commands that are imported when they are called, and of options under headings."""

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
from sitemapx.suggestions import closest

Command = TypeVar("Command", bound=Callable[..., Any])
_is_word = re.compile(r"\w[\w-]*").fullmatch


class _HelpFormatter(click.HelpFormatter):
    """Headings in bold, which click leaves out where there is no colour."""

    def write_heading(self, heading: str) -> None:
        """Write a heading."""
        super().write_heading(click.style(heading, bold=True))

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the usage."""
        super().write_usage(prog, args, click.style(prefix or "Usage:", bold=True).strip() + " ")


class _HelpContext(click.Context):
    formatter_class = _HelpFormatter


class LazyGroup(click.Group):
    """A group of commands, some or all of which are imported when they are called."""

    context_class = _HelpContext

    def __init__(
        self,
        *args: Any,
        lazy: Mapping[str, tuple[str, str]],
        synonyms: Mapping[str, str] | None = None,
        **attributes: Any,
    ) -> None:
        """
        Make the group.

        Args:
            lazy: Name -> (module that has it as `command`, or `module:name`, one line of help).
            synonyms: Name that people try -> command that is suggested for it.

        """
        super().__init__(*args, **attributes)
        self._lazy = lazy
        self._synonyms = synonyms or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names in the order in which they were written down, lazy ones first."""
        return [*self._lazy, *self.commands]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """
        Find the command that is called.

        Raises:
            UnknownNameError: If there is none.

        """
        known = self.list_commands(ctx)
        if not ctx.resilient_parsing and args[0] not in known and not args[0].startswith("-"):
            meant = self._synonyms.get(args[0], "")
            raise UnknownNameError("command", args[0], known, meant=meant)
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Find a command; the overview needs none of them."""
        if cmd_name not in self._lazy:
            return super().get_command(ctx, cmd_name)
        return _imported(self._lazy[cmd_name][0])

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the overview."""
        own = [(name, one.get_short_help_str(80)) for name, one in self.commands.items()]
        with formatter.section("Commands"):
            formatter.write_dl([*((name, line) for name, (_, line) in self._lazy.items()), *own])


def _imported(reference: str) -> click.Command:
    module, _, name = reference.partition(":")
    command = getattr(import_module(module), name or "command")
    assert isinstance(command, click.Command)
    return command


class GroupedOption(click.Option):
    """An option that knows its heading."""

    def __init__(self, *args: Any, heading: str, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.heading = heading


def grouped(heading: str) -> partial[Callable[[Command], Command]]:
    """Make a `click.option` whose options stand under this heading."""
    return partial(click.option, cls=GroupedOption, heading=heading)


def add_options(command: Command, *options: Callable[[Command], Command]) -> Command:
    """Add options to a command, whose help lists them in this order."""
    for option in reversed(options):
        command = option(command)
    return command


def given_in(*headings: str) -> set[str]:
    """List the options under these headings that were given to the command that runs."""
    context = click.get_current_context()
    return {
        param.opts[-1]
        for param in context.command.params
        if isinstance(param, GroupedOption)
        and param.heading in headings
        and context.get_parameter_source(str(param.name)) is ParameterSource.COMMANDLINE
    }


class GroupedCommand(click.Command):
    """A command whose help shows its options under their headings, in the order of the first."""

    context_class = _HelpContext

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section for each heading; what has none comes last."""
        groups: dict[str, list[tuple[str, str]]] = {}
        options = (one for one in self.get_params(ctx) if isinstance(one, click.Option))
        for param in sorted(options, key=lambda one: not isinstance(one, GroupedOption)):
            if record := param.get_help_record(ctx):
                groups.setdefault(getattr(param, "heading", "Other options"), []).append(record)
        for heading, records in groups.items():
            with formatter.section(heading):
                formatter.write_dl(records)


class WithCommands(GroupedCommand):
    """A command that does something itself, and has further commands, imported when called."""

    def __init__(self, *args: Any, lazy: Mapping[str, tuple[str, str]], **attributes: Any) -> None:
        """
        Make the command.

        Args:
            lazy: Likewise.

        """
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
        Give way to a further command, if the first word is its name.

        Raises:
            UsageError: If it is like a name, and there is no file that is called so.

        """
        if args and args[0] in self._lazy:
            command = self.get_command(args[0])
            return command.make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)
        if args and _is_word(args[0]) and not os.path.lexists(args[0]):
            meant = closest(args[0], self._lazy)
            if meant and not extra.get("resilient_parsing"):
                message = f"{args[0]!r} is neither a file nor a command of {self.name}"
                raise UsageError(f"{message}. Did you mean {meant!r}?")
        return super().make_context(info_name, args, parent, **extra)

    @property
    def names(self) -> list[str]:
        """The names of the further commands."""
        return list(self._lazy)

    def get_command(self, name: str) -> click.Command:
        """Import a further command."""
        return _imported(self._lazy[name][0])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the further commands, and then the options."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in self._lazy.items()])
        super().format_options(ctx, formatter)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the names of the further commands, too."""
        names = [CompletionItem(name) for name in self._lazy if name.startswith(incomplete)]
        return [*names, *super().shell_complete(ctx, incomplete)]
