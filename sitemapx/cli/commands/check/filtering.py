"""Findings that `sitemapx check` hides: those in a baseline, and rules ignored in some files."""

from collections.abc import Callable, Collection, Iterator
from typing import Any, ClassVar, Literal

import click
from click.shell_completion import CompletionItem

from sitemapx.check.findings import Finding
from sitemapx.check.selection import matching_codes
from sitemapx.check.suppressions import FileIgnores
from sitemapx.cli.options.types import RULE_CODES, split_words
from sitemapx.cli.terminal.groups import Command, add_options, option_group
from sitemapx.cli.terminal.outputs import open_output
from sitemapx.convert.values.words import pluralize
from sitemapx.errors import UsageError

_chosen = option_group("Findings")


class _PerFile(click.ParamType[tuple[str, Collection[str]]]):
    """Option value `PATTERN:CODES`; in settings, a table that maps patterns to codes."""

    name = "ignore"
    #: JSON Schema of the values in the table.
    table_values: ClassVar = {
        "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]
    }

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Collection[str]]:
        pattern, _, codes = str(value).rpartition(":")
        if not (pattern and codes):
            self.fail(f"invalid value {value!r}: expected PATTERN:CODES", param, ctx)
        return pattern, matching_codes(split_words([codes]))

    @staticmethod
    def relocate(text: str, beside: Callable[[str], str]) -> str:
        inversion, pattern = text[: text.startswith("!")], text.removeprefix("!")
        is_anywhere = "/" not in pattern or pattern.startswith("*")
        return text if is_anywhere else f"{inversion}{beside(pattern)}"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        pattern, colon, codes = incomplete.rpartition(":")
        known = RULE_CODES.shell_complete(ctx, param, codes) if colon else []
        return [CompletionItem(f"{pattern}:{item.value}") for item in known]

    def of_table(self, table: dict[str, Any]) -> list[str]:
        return [
            f"{pattern}:{','.join(map(str, codes)) if isinstance(codes, list) else codes}"
            for pattern, codes in table.items()
        ]


def filter_options(command: Command) -> Command:
    return add_options(
        command,
        _chosen(
            "--per-file-ignores",
            type=_PerFile(),
            multiple=True,
            metavar="PATTERN:CODES",
            help="Disable rules in the files that match PATTERN, e.g. 'old/*.xml:bad-date'. "
            "Repeatable.",
        ),
        _chosen(
            "--baseline",
            metavar="FILE",
            type=click.Path(dir_okay=False),
            help="Report only findings that are not in the baseline FILE.",
        ),
        _chosen(
            "--write-baseline",
            metavar="FILE",
            type=click.Path(dir_okay=False),
            help="Write all findings to the baseline FILE, and report none of them.",
        ),
    )


class FindingFilter:
    """
    Hides findings that a baseline contains, or whose rule is ignored in their file.

    Args:
        shown: Converts each finding to the form in which reports and baselines have it.

    Raises:
        InputError: If the baseline cannot be read.
        UsageError: If options contradict each other.

    """

    def __init__(
        self, options: dict[str, Any], shown: Callable[[Finding], Finding] | None = None
    ) -> None:
        self._shown, self._root = shown, options["root"]
        self._ignores = FileIgnores(options["per_file_ignores"])
        self._path, new = options["baseline"], options["write_baseline"]
        if new and options["fix"]:
            raise UsageError("--write-baseline cannot be combined with --fix; run --fix first")
        self._new, self._names = new, set[str]()
        self._baseline = self._writer = None
        if new:  # even if the settings name a baseline
            from sitemapx.check.suppressions import BaselineWriter

            self._writer = BaselineWriter(new)
        elif self._path:
            from sitemapx.check.suppressions import Baseline

            self._baseline = Baseline(self._path)

    def add_file(self, name: str) -> None:
        self._names.add(name)

    def ignored(self, source: str) -> frozenset[str]:
        """Return the codes that `--per-file-ignores` disables in a file."""
        return self._ignores.codes(source)

    @property
    def hidden(self) -> Literal["all", "known"] | None:
        """Hidden findings: "all" while a baseline is written, "known" if one is used, else None."""
        return "all" if self._writer else "known" if self._baseline else None

    def hides(self, finding: Finding) -> bool:
        """Return whether to hide a finding; call once per finding, as each call changes counts."""
        finding = self._shown(finding) if self._shown else finding
        if self._ignores.hides(finding):
            return True
        known = self._baseline or self._writer
        return bool(known and known.hides(finding))

    def finish_baseline(self, *, is_complete: bool) -> Iterator[str]:
        """
        Write the baseline of `--write-baseline`, and yield lines about baselines for the summary.

        Unless all sources were read, nothing is written: findings of unread ones would be lost.
        """
        if self._writer and not is_complete:
            yield f"{self._new} not written: some sources could not be read"
        elif self._writer:
            with open_output(self._new) as write:
                self._writer.write(write)
            yield f"{pluralize(self._writer.count, 'finding')} written to {self._new}"
        if self._baseline:
            if count := self._baseline.hidden:
                verb = "is" if count == 1 else "are"
                yield f"{pluralize(count, 'finding')} in the baseline {verb} hidden"
            if count := self._baseline.count_resolved(self._names, self._root):
                verb = "was" if count == 1 else "were"
                yield (
                    f"{pluralize(count, 'finding')} in the baseline {verb} not found this time; "
                    f"pass --write-baseline {self._path} to update it"
                )
