"""Settings of commands: tables of the settings file, such as `[convert]` and `[check]`."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import click

from sitemapx.cli.terminal.groups import Command, GroupedCommand
from sitemapx.cli.terminal.tables import plain
from sitemapx.errors import UsageError
from sitemapx.settingsfile import SettingsFile, unknown_key

_HELP = {"-h", "--help"}


def config_option(
    command: Command, make: Callable[..., Callable[[Command], Command]] = click.option
) -> Command:
    """
    Add the option that names the settings file.

    Args:
        make: What makes the option; see `grouped`.

    """
    return make(
        "--config",
        type=click.Path(dir_okay=False),
        metavar="FILE",
        help="Settings file.  [default: sitemapx.toml in the current directory, if it exists]",
    )(command)


def site_maps(path: str | None) -> list[tuple[str, str]]:
    """Return where the site of the settings is published, as a value of --map; empty if unset."""
    file = SettingsFile.load(path)
    if file is None:
        return []
    from sitemapx.submit.settings import settings_of

    settings = settings_of(file)
    return [(settings.site, settings.root)] if settings.site and settings.root else []


class ConfiguredCommand(GroupedCommand):
    """A command whose sources and options may be set in the table of its name."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Take the settings for what is not on the command line."""
        # a shell that completes a command can do nothing about wrong settings
        is_run = _HELP.isdisjoint(args) and not extra.get("resilient_parsing")
        if is_run and (file := SettingsFile.load(self.settings_path(args))):
            extra["default_map"] = self.settings(file)
            self._check_rest(file, parent)
        return super().make_context(info_name, args, parent, **extra)

    def settings_path(self, args: list[str]) -> str | None:
        """Return the path of the settings file that --config names; None for the usual one."""
        path = None
        for arg, value in pairwise([*args, ""]):
            name, equals, rest = arg.partition("=")
            if name == "--config":
                path = rest if equals else value
        return path

    def settings(self, file: SettingsFile) -> dict[str, Any]:
        """
        Check the table of this command, and return its values by the names of the parameters.

        Raises:
            UsageError: If there is an unknown key or a wrong value.

        """
        known = self.settable()
        return {
            str(known[key].name): self._value(known[key], key, value, file)
            for key, value in self.table(file).items()
        }

    def table(self, file: SettingsFile) -> dict[str, Any]:
        """
        Return the table of this command.

        Raises:
            UsageError: If it is no table, or has an unknown key.

        """
        name = str(self.name)
        table = file.values.get(name, {})
        if not isinstance(table, dict):
            raise file.error(name, f"expected a table; write [{name}]")
        known = self.settable()
        for key in table:
            if key not in known:
                raise file.error(key, self.misplaced(key) or unknown_key(key, known, name), name)
        return table

    def misplaced(self, key: str) -> str:
        """Return where a key belongs that this table does not have; empty if nowhere."""
        from sitemapx.submit.settings import KEYS

        return f"{key} belongs at the top of the file, before all tables" if key in KEYS else ""

    def _check_rest(self, file: SettingsFile, parent: click.Context | None) -> None:
        """
        Check what is not for this command: a misspelled table would have no effect.

        Raises:
            UsageError: If there is an unknown table or key.

        """
        from sitemapx.submit.settings import settings_of

        settings_of(file)
        if parent and isinstance(parent.command, click.Group):
            for name in file.values:
                other = parent.command.get_command(parent, name) if name != self.name else None
                if isinstance(other, ConfiguredCommand):
                    other.settings(file)

    def settable(self) -> dict[str, click.Parameter]:
        """List the parameters that may be set: all but --config, and those that only print."""
        in_order = sorted(self.params, key=lambda param: isinstance(param, click.Argument))
        return {  # the sources themselves rather than an option of the same name
            opt.removeprefix("--"): param
            for param in in_order
            if param.expose_value and not param.is_eager and param.name != "config"
            for opt in param.opts
            if opt.startswith("--") or isinstance(param, click.Argument)
        }

    def _value(self, param: click.Parameter, key: str, value: Any, file: SettingsFile) -> Any:
        """Return a value as if it were on the command line, where nothing but flags has a type."""
        name = str(self.name)
        if isinstance(param, click.Option) and param.is_flag:
            if not isinstance(value, bool):
                raise file.error(key, f"expected true or false for {key}", name)
            return value
        if isinstance(value, dict) and (of_table := getattr(param.type, "of_table", None)):
            value = of_table(value)
        is_list = param.multiple or param.nargs == -1
        values = value if is_list and isinstance(value, list) else [value]
        # Numbers are values of options, but no sources.
        wrong = (bool, list, dict) + (int, float) * isinstance(param, click.Argument)
        if any(isinstance(one, wrong) for one in values):
            value_noun = "text" if isinstance(param, click.Argument) else "value"
            noun = f"a {value_noun}, or a list of {value_noun}s," if is_list else "one value"
            raise file.error(key, f"expected {noun} for {key}", name)
        texts = [str(one) for one in values]
        try:
            for text in texts:
                param.type.convert(text, param, None)
                if check := getattr(param.type, "check", None):
                    check(text)
        except click.BadParameter as error:
            raise file.error(key, f"{key}: {plain(error.message)}", name) from error
        except UsageError as error:
            raise file.error(key, f"{key}: {error}", name) from error
        return texts if is_list else texts[0]
