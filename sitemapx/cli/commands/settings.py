"""The command `sitemapx settings`: shows the settings, or their JSON Schema."""

import os
from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

import click
import msgspec

from sitemapx.cli.options.schema import settings_schema
from sitemapx.cli.options.settings import ConfiguredCommand, config_option
from sitemapx.cli.options.types import debug_option, list_format_option
from sitemapx.cli.terminal.groups import GroupedCommand
from sitemapx.cli.terminal.tables import print_table
from sitemapx.settingsfile import FILE_NAME, SettingsFile
from sitemapx.submit.engines.registry import engine_by_name
from sitemapx.submit.settings import KEYS, settings_of

_NAMES = ("convert", "check", "submit")


class _Row(NamedTuple):
    """A setting such as `convert.output`, its value, and the place that sets the value."""

    setting: str
    value: Any
    origin: str


@click.command(
    "settings",
    cls=GroupedCommand,
    epilog="""\b
Examples:
  sitemapx settings
  sitemapx settings --config other.toml --format json
  sitemapx settings --schema > sitemapx.schema.json

Exit status: 0 success; 2 the settings file is missing or invalid.""",
)
@list_format_option
@click.option("--schema", is_flag=True, help="Print the JSON Schema of the settings file instead.")
@config_option
@debug_option
def command(list_format: str, schema: bool, config: str | None) -> None:
    """
    Show the settings in force, and the file and line that each is from.

    Options on the command line override settings. The secrets of search engines are not shown.
    """
    commands = _configured_commands()
    if schema:
        text = msgspec.json.encode(settings_schema(commands))
        click.echo(msgspec.json.format(text, indent=2))
        return
    file = SettingsFile.load(config)
    if file is None:
        click.echo(
            f"no settings: {FILE_NAME} does not exist (`sitemapx init` creates it)", err=True
        )
        return
    settings_of(file)
    for each in commands:
        each.settings(file)
    rows = list(_rows(file))
    if list_format == "json":
        for row in rows:
            found = {"setting": row.setting, "value": row.value, "from": row.origin}
            click.echo(msgspec.json.encode(found))
        return
    cells = [(row.setting, _as_text(row.value), row.origin) for row in rows]
    print_table(("SETTING", "VALUE", "FROM"), cells)


def _configured_commands() -> list[ConfiguredCommand]:
    context = click.get_current_context().find_root()
    assert isinstance(context.command, click.Group)
    found = (context.command.get_command(context, name) for name in _NAMES)
    return [each for each in found if isinstance(each, ConfiguredCommand)]


def _rows(file: SettingsFile) -> Iterator[_Row]:
    for key in filter(file.values.__contains__, KEYS):
        yield _Row(key, file.values[key], file.place_of(key))
    for name, table in file.values.get("engines", {}).items():
        for key, value in table.items():
            yield _Row(f"engines.{name}.{key}", value, file.place_of(key, f"engines.{name}"))
        if "secret" not in table:
            for variable in engine_by_name(name).about.secrets:
                state = "set" if os.environ.get(variable) else "not set"
                yield _Row(f"engines.{name}.secret", state, f"environment, {variable}")
    for table, values in chain.from_iterable(map(file.tables, _NAMES)):
        for key, value in values.items():
            yield _Row(f"{table}.{key}", value, file.place_of(key, table))


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
