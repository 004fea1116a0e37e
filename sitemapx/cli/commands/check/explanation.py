"""`sitemapx check --list` and `--explain`: the rules in words."""

from collections.abc import Iterable, Mapping
from typing import Any

import click

from sitemapx.check.rules.registry import RULES
from sitemapx.check.selection import matching_codes
from sitemapx.cli.options.types import split_words
from sitemapx.cli.terminal.groups import GroupedOption
from sitemapx.errors import UnknownNameError

__all__ = ["RuleList", "explain_rule"]


class RuleList(GroupedOption):
    """
    Option `--list`: prints the rules that `--select` and `--ignore` on the command line leave.

    It is eager, so that it works with damaged settings, too.
    """

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        """Print the rules, a line each, and exit."""
        if opts.get("list"):
            select, ignore = (
                matching_codes(split_words(opts.get(name, ()))) for name in ("select", "ignore")
            )
            _list_rules((select or frozenset(RULES)) - ignore)
            ctx.exit()
        return super().handle_parse_result(ctx, opts, args)


def _list_rules(codes: Iterable[str]) -> None:
    widest = max(map(len, RULES))
    for code in sorted(codes):
        rule = RULES[code]
        option = "fix" if rule.is_fixable else rule.requires
        how = f"  (--{option})" if option else ""
        click.echo(f"{code:{widest}}  {rule.severity:7}  {rule.wrong}{how}")


def explain_rule(ctx: click.Context, param: click.Parameter, code: str | None) -> None:
    """Print all that there is to say of a code."""
    if code is None:
        return
    if code not in RULES:
        raise UnknownNameError("rule", code, RULES, "`sitemapx check --list` shows all rules")
    rule = RULES[code]
    lines = [f"{code} ({rule.severity}): {rule.wrong}", "", rule.why, rule.source, "", rule.fix]
    if rule.is_fixable:
        lines.append("Fixable with --fix in sitemaps, indexes and URL lists on disk.")
    if rule.requires:
        lines.append(f"Checked with --{rule.requires} only.")
    if rule.schema:
        lines.append("An XML sitemap with this problem fails schema (XSD) validation.")
    click.echo("\n".join(lines))
    ctx.exit()
