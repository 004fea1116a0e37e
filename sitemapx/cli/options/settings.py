"""Settings of commands: tables of the settings file, such as `[convert]` and `[check]`."""

import os
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import click

from sitemapx.cli.terminal.groups import Command, GroupedCommand
from sitemapx.cli.terminal.usage import plain
from sitemapx.errors import UsageError
from sitemapx.settingsfile import SettingsFile, unknown_key_message

if TYPE_CHECKING:
    from sitemapx.convert.sources.urlmap import UrlMap
    from sitemapx.submit.settings import Settings

_HELP = {"-h", "--help"}


def config_option(
    command: Command, make: Callable[..., Callable[[Command], Command]] = click.option
) -> Command:
    """Add `--config`; `make` creates the option, such as the result of `option_group`."""
    return make(
        "--config",
        type=click.Path(dir_okay=False),
        metavar="FILE",
        help="Settings file.  [default: sitemapx.toml in the current directory, if it exists]",
    )(command)


def default_mappings(settings: "Settings") -> list[tuple[str, str]]:
    """Return `site` and `root` of the settings as values of `--map`; empty unless both are set."""
    return [(settings.site, settings.root)] if settings.site and settings.root else []


def find_sitemaps(path: str | None, settings: "Settings") -> "tuple[list[str], list[UrlMap]]":
    """
    Return the sitemaps of a site, and mappings from its URLs to directories.

    The sitemaps are those in the setting `sitemaps`, else the files that `[convert]` writes.

    Args:
        path: Path of the settings file; None for the default.
        settings: The settings of that file.

    """
    from sitemapx.convert.sources.urlmap import UrlMap

    built, mappings = _find_built_sitemaps(path)
    mappings += [UrlMap.create(site, root) for site, root in default_mappings(settings)]
    return list(settings.sitemaps) or built, mappings


def _find_built_sitemaps(path: str | None) -> "tuple[list[str], list[UrlMap]]":
    from sitemapx.convert.outputs.target import target_of
    from sitemapx.convert.sources.source import is_storage
    from sitemapx.convert.sources.urlmap import UrlMap

    file = SettingsFile.load(path)
    paths: list[str] = []
    mappings: list[UrlMap] = []
    for _, table in file.tables("convert") if file else ():
        output = file.beside(table.get("output", "-")) if file else "-"
        if not table.get("sources") or output == "-" or is_storage(output):
            continue
        base_url = table.get("base-url")
        target = target_of(
            output, format=table.get("to"), base_url=base_url, compress=table.get("gzip", False)
        )
        paths.append(target.path)
        if target.base_url:
            mappings.append(UrlMap(target.base_url, os.path.dirname(target.path) or os.curdir))
    return paths, mappings


def _relocate(text: str, kind: click.ParamType[Any], file: SettingsFile) -> str:
    """Make the paths in a value relative to the current directory, not to the settings file."""
    if not file.folder:
        return text
    if relocate := getattr(kind, "relocate", None):
        return str(relocate(text, file.beside))
    if not isinstance(kind, click.Path):
        return text
    from sitemapx.convert.sources.discovery import site_of

    path = file.beside(text)
    return text if site_of(text) and not os.path.exists(path) else path


class ConfiguredCommand(GroupedCommand):
    """
    A command whose arguments and options have defaults in a table of the settings file.

    Attributes:
        has_jobs: Whether there may be several tables, one for each run.

    """

    has_jobs = False

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        # shell completion has to ignore invalid settings
        is_run = _HELP.isdisjoint(args) and not extra.get("resilient_parsing")
        if is_run and (file := SettingsFile.load(self.settings_path(args))):
            self._check_rest(file, parent)
            return self.make_configured(info_name, args, parent, self.settings(file))
        return super().make_context(info_name, args, parent, **extra)

    def make_configured(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None,
        tables: list[dict[str, Any]],
    ) -> click.Context:
        """Create the context of a run, with the defaults that `settings` returned."""
        return super().make_context(info_name, args, parent, default_map=tables[0])

    def settings_path(self, args: list[str]) -> str | None:
        path = None
        for arg, value in pairwise([*args, ""]):
            name, equals, rest = arg.partition("=")
            if name == "--config":
                path = rest if equals else value
        return path

    def settings(self, file: SettingsFile) -> list[dict[str, Any]]:
        """Validate the tables of this command; return the values of each by parameter name."""
        known = self.settable()
        return [
            {
                str(known[key].name): self._value(known[key], key, value, file, name)
                for key, value in table.items()
            }
            for name, table in self.tables(file)
        ]

    def tables(self, file: SettingsFile) -> list[tuple[str, dict[str, Any]]]:
        """
        Return a pair for each table of this command: the name for error messages, and the values.

        Raises:
            UsageError: If a key is unknown, or there are several tables without `has_jobs`.

        """
        known, command = self.settable(), str(self.name)
        tables = file.tables(command)
        for name, table in tables:
            for key in table:
                if key not in known:
                    message = self.misplaced(key) or unknown_key_message(key, known, command)
                    raise file.error(key, message, name)
        if not self.has_jobs and tables[0][0] != command:
            raise file.error(command, f"expected a single table; write [{command}]")
        return tables

    def misplaced(self, key: str) -> str:
        """Return a message about a key that belongs elsewhere in the file, or an empty string."""
        from sitemapx.submit.settings import KEYS

        return f"{key} belongs at the top of the file, before all tables" if key in KEYS else ""

    def _check_rest(self, file: SettingsFile, parent: click.Context | None) -> None:
        """Validate the other tables of the file, since a misspelt table would have no effect."""
        from sitemapx.submit.settings import settings_of

        settings_of(file)
        if parent and isinstance(parent.command, click.Group):
            for name in file.values:
                other = parent.command.get_command(parent, name) if name != self.name else None
                if isinstance(other, ConfiguredCommand):
                    other.settings(file)

    def settable(self) -> dict[str, click.Parameter]:
        """Return the parameters that settings may set, by key, such as `base-url`."""
        in_order = sorted(self.params, key=lambda param: isinstance(param, click.Argument))
        return {  # arguments come last, as they override an option of the same name
            opt.removeprefix("--"): param
            for param in in_order
            if param.expose_value and not param.is_eager and param.name != "config"
            for opt in param.opts
            if opt.startswith("--") or isinstance(param, click.Argument)
        }

    @staticmethod
    def _value(param: click.Parameter, key: str, value: Any, file: SettingsFile, name: str) -> Any:
        """Validate the value of a setting in a table, and convert it to a default for click."""
        if isinstance(param, click.Option) and param.is_flag:
            if not isinstance(value, bool):
                raise file.error(key, f"expected true or false for {key}", name)
            return value
        if isinstance(value, dict) and (of_table := getattr(param.type, "of_table", None)):
            value = of_table(value)
        is_list = param.multiple or param.nargs == -1
        values = value if is_list and isinstance(value, list) else [value]
        # Numbers are valid for options, but not for sources.
        wrong = (bool, list, dict) + (int, float) * isinstance(param, click.Argument)
        if any(isinstance(element, wrong) for element in values):
            value_noun = "text" if isinstance(param, click.Argument) else "value"
            noun = f"a {value_noun}, or a list of {value_noun}s," if is_list else "one value"
            raise file.error(key, f"expected {noun} for {key}", name)
        texts = [_relocate(str(value), param.type, file) for value in values]
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
