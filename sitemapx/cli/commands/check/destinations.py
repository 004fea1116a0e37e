"""Which reports `sitemapx check` writes, and where to."""

import os
import sys
from typing import Any, NamedTuple

import click
from click.shell_completion import CompletionItem

from sitemapx.cli.reports.registry import REPORTS, format_of
from sitemapx.errors import UnknownNameError, UsageError
from sitemapx.suggestions import closest_suffix

__all__ = ["REPORT", "Destination", "destinations_of"]


class Destination(NamedTuple):
    """
    A report that is to be written.

    Attributes:
        format: The name of its format, a key of `REPORTS`.
        path: The file to write, or `-` for standard output.

    """

    format: str
    path: str


class _ReportType(click.ParamType[Destination]):
    """FORMAT, or FORMAT=FILE; without a file, the path is empty."""

    name = "report"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Destination:
        name, equals, path = str(value).partition("=")
        if name not in REPORTS:
            raise UnknownNameError("format", name, REPORTS, meant=format_of(f".{name}"))
        if equals and not path:
            self.fail(f"missing file name in {value!r}: expected {name} or {name}=FILE", param, ctx)
        return Destination(name, path)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(name) for name in REPORTS if name.startswith(incomplete)]


REPORT = _ReportType()


def destinations_of(options: dict[str, Any]) -> list[Destination]:
    """
    List the reports: first the one for standard output or the file of `-o`.

    Raises:
        UsageError: If two of them would be written to one place.

    """
    output, given = options["output"], list(options["formats"])
    if options["statistics"]:
        given.append(Destination("statistics", ""))
    main = [one.format for one in given if not one.path or _place(one.path) == _place(output)]
    others = [one for one in given if one.path and _place(one.path) != _place(output)]
    if len(main) > 1:
        where = "standard output" if output == "-" else output
        raise UsageError(
            f"{' and '.join(main)} would both be written to {where}; pass FORMAT=FILE for one"
        )
    for number, one in enumerate(others):
        if _place(one.path) in (_place(other.path) for other in others[:number]):
            raise UsageError(
                f"two reports would be written to {one.path}; pass a different file for each"
            )
    if others and options["dry_run"]:
        raise UsageError("--dry-run prints a diff and no report; remove --format FORMAT=FILE")
    return [Destination(main[0] if main else _default_format(options), output), *others]


def _place(path: str) -> str:
    return path if path == "-" else os.path.realpath(path)


def _default_format(options: dict[str, Any]) -> str:
    """
    Return the format that a file is named after, or else the one for a program or for people.

    Raises:
        UsageError: If the name of the file ends as that of none.

    """
    output = options["output"]
    if found := format_of(output):
        return found
    if options["report"] == "json":
        return "json"
    if os.path.splitext(output)[1] and not options["dry_run"]:  # whose diff has any name
        endings = [ending for one in REPORTS.values() for ending in one.endings[:1]]
        meant = closest_suffix(output, endings)
        asked = f". Did you mean {meant!r}? Or" if meant else ";"
        raise UsageError(
            f"cannot infer the report format from {output!r}{asked} pass --format FORMAT "
            f"(choose from {', '.join(REPORTS)})"
        )
    return "grouped" if output == "-" and sys.stdout.isatty() else "concise"
