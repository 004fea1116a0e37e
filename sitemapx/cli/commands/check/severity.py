"""Options of `sitemapx check` that change the severity of rules."""

from typing import Any, ClassVar

import click
from click.shell_completion import CompletionItem

from sitemapx.check.selection import LEVELS, Level, levels_by_code, matching_codes
from sitemapx.cli.options.types import RULE_CODES, check_names, split_words
from sitemapx.cli.terminal.groups import Command, add_options, option_group

_chosen = option_group("Findings")
_LEVELS: dict[str, Level] = {level: level for level in LEVELS}


class _CodesAndLevel(click.ParamType[tuple[str, Level]]):
    """Option value `CODES=LEVEL`; in settings, a table that maps codes to levels."""

    name = "severity"
    #: JSON Schema of the values in the table.
    table_values: ClassVar = {"enum": LEVELS}

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Level]:
        codes, equals, level = str(value).rpartition("=")
        if not (equals and codes.strip()):
            self.fail(f"invalid value {value!r}: expected CODES=LEVEL", param, ctx)
        check_names("severity", [level], LEVELS)
        for code in split_words([codes]):
            matching_codes([code])
        return codes, _LEVELS[level]

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        codes, equals, level = incomplete.rpartition("=")
        if equals:
            return [
                CompletionItem(f"{codes}={known}") for known in LEVELS if known.startswith(level)
            ]
        found = RULE_CODES.shell_complete(ctx, param, incomplete)
        return [CompletionItem(f"{item.value}=") for item in found]

    def of_table(self, table: dict[str, Any]) -> list[str]:
        return [f"{code}={level}" for code, level in table.items()]


def severity_options(command: Command) -> Command:
    return add_options(
        command,
        _chosen(
            "--severity",
            type=_CodesAndLevel(),
            multiple=True,
            metavar="CODES=LEVEL",
            help="Report these rules as error, warning or note, or not at all (off). Repeatable.",
        ),
        _chosen(
            "--error",
            type=RULE_CODES,
            multiple=True,
            metavar="CODES",
            help="Short for --severity CODES=error.",
        ),
        _chosen(
            "--warn",
            type=RULE_CODES,
            multiple=True,
            metavar="CODES",
            help="Short for --severity CODES=warning.",
        ),
    )


def changed_levels(options: dict[str, Any]) -> dict[str, Level]:
    """Return the severities in the options, by code; --error and --warn override --severity."""
    levels: list[tuple[str, Level]] = [
        (code, level) for codes, level in options["severity"] for code in split_words([codes])
    ]
    errors: list[tuple[str, Level]] = [(code, "error") for code in split_words(options["error"])]
    warnings: list[tuple[str, Level]] = [(code, "warning") for code in split_words(options["warn"])]
    return levels_by_code(levels) | levels_by_code([*errors, *warnings])
