"""`sitemapx check --list` and `--explain`: the rules in words."""

import click

from sitemapx.check.rules.registry import RULES
from sitemapx.errors import UnknownNameError

__all__ = ["explain_rule", "list_rules"]


def list_rules(ctx: click.Context, param: click.Parameter, is_asked: bool) -> None:
    """Print all codes, a line each."""
    if is_asked:
        widest = max(map(len, RULES))
        for code, rule in sorted(RULES.items()):
            option = "fix" if rule.is_fixable else rule.requires
            how = f"  (--{option})" if option else ""
            click.echo(f"{code:{widest}}  {rule.severity:7}  {rule.wrong}{how}")
        ctx.exit()


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
