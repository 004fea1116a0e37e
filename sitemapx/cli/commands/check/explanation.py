"""`sitemapx check --list` and `--explain`: descriptions of rules, as text or JSON."""

from collections.abc import Iterable, Mapping
from typing import Any

import click
import msgspec

from sitemapx.check.edits import fixable_files
from sitemapx.check.findings import Rule
from sitemapx.check.rules.registry import RULES
from sitemapx.check.selection import matching_codes
from sitemapx.cli.options.types import split_words
from sitemapx.cli.terminal.groups import GroupedOption
from sitemapx.convert.model.problems import PROBLEMS, ProblemKind
from sitemapx.errors import UnknownNameError, UsageError


class _RuleOption(GroupedOption):
    """
    An option that prints rules in the format of `--format`, and exits.

    The option has to be eager (`is_eager` of click), so that click handles it before the others.
    """

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        if str(self.name) in opts:
            codes = self.codes(opts)
            if self._prints_json(opts):
                for code in codes:
                    click.echo(_as_json(code))
            else:
                self.print_text(codes)
            ctx.exit()
        return super().handle_parse_result(ctx, opts, args)

    def codes(self, opts: Mapping[str, Any]) -> list[str]:
        raise NotImplementedError

    def print_text(self, codes: Iterable[str]) -> None:
        raise NotImplementedError

    def _prints_json(self, opts: Mapping[str, Any]) -> bool:
        formats = set(opts.get("formats", ()))
        if formats - {"json"} or opts.get("output", "-") != "-":
            raise UsageError(
                f"--{self.name} prints text, or JSON with --format json, to standard output; "
                "remove other formats and -o"
            )
        return bool(formats) or opts.get("report") == "json"


class RuleList(_RuleOption):
    """Option `--list`: prints the rules selected by `--select` and `--ignore`."""

    def codes(self, opts: Mapping[str, Any]) -> list[str]:
        select, ignore = (
            matching_codes(split_words(opts.get(name, ()))) for name in ("select", "ignore")
        )
        return sorted((select or frozenset(RULES)) - ignore)

    def print_text(self, codes: Iterable[str]) -> None:
        widest = max(map(len, RULES))
        for code in codes:
            rule = RULES[code]
            option = "fix" if rule.is_fixable else rule.requires
            how = f"  (--{option})" if option else ""
            click.echo(f"{code:{widest}}  {rule.severity:7}  {rule.wrong}{how}")


class RuleExplanation(_RuleOption):
    """Option `--explain CODE`: prints the rule, and the meaning of the code in other commands."""

    def codes(self, opts: Mapping[str, Any]) -> list[str]:
        """Return the code as a list of one; raise UnknownNameError if no command reports it."""
        from sitemapx.submit.robots.lint import FINDINGS

        code = opts["explain"]
        known = {**RULES, **PROBLEMS, **FINDINGS}
        if code not in known:
            raise UnknownNameError("code", code, known, "`sitemapx check --list` shows all rules")
        return [code]

    def print_text(self, codes: Iterable[str]) -> None:
        for code in codes:
            parts = [_describe_rule(code, RULES[code])] if code in RULES else []
            parts += [
                f"{code} ({kind.severity} of {command}): {kind.meaning}"
                + (f"\n\n{kind.remedy}" if kind.remedy else "")
                for command, kind in _other_reports(code)
            ]
            click.echo("\n\n".join(parts))


def _describe_rule(code: str, rule: Rule) -> str:
    lines = [f"{code} ({rule.severity}): {rule.wrong}", "", rule.why, rule.source, ""]
    lines.append(rule.fix)
    if rule.is_fixable:
        lines.append(f"Fixable with --fix in {fixable_files(code)} on disk.")
    if rule.requires:
        lines.append(f"Checked with --{rule.requires} only.")
    if rule.schema:
        lines.append("An XML sitemap with this problem fails schema (XSD) validation.")
    return "\n".join(lines)


def _other_reports(code: str) -> list[tuple[str, ProblemKind]]:
    """Return each command besides `check` that reports a code, with the kind of the problem."""
    from sitemapx.submit.robots.lint import FINDINGS

    tables = (("convert", PROBLEMS), ("robots check", FINDINGS))
    return [(command, table[code]) for command, table in tables if code in table]


def _as_json(code: str) -> str:
    others = {command: kind.meaning for command, kind in _other_reports(code)}
    if code in RULES:
        rule = RULES[code]
        fields: dict[str, Any] = {
            "code": code,
            "severity": rule.severity,
            "title": rule.wrong,
            "why": rule.why,
            "rule": rule.source,
            "fix": rule.fix,
            "fixable": rule.is_fixable,
            "schema": rule.schema,
            "requires": rule.requires or None,
        }
    else:
        ((_, kind), *_) = _other_reports(code)
        fields = {
            "code": code,
            "severity": kind.severity,
            "title": kind.meaning,
            "fix": kind.remedy,
        }
    return msgspec.json.encode(fields | ({"reported_by": others} if others else {})).decode()
