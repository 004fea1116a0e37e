"""
Findings as one HTML page, which needs neither a network nor JavaScript, and allows none.

Grouped by severity and code, with what is in the files as plots.
"""

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from itertools import groupby

from sitemapx import __version__
from sitemapx.check.findings import SEVERITIES, Finding
from sitemapx.check.result import CheckResult
from sitemapx.check.rules.registry import RULES
from sitemapx.cli.reports.html.elements import HtmlElement, render, table, tag
from sitemapx.cli.reports.html.figures import figures
from sitemapx.cli.reports.writer import Grouped
from sitemapx.convert.values import clock, urls
from sitemapx.convert.values.words import counted

__all__ = ["HtmlReport"]

_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
"""
_MEANINGS = {
    "error": "Engines leave the URL or the file out, or the official schema refuses it.",
    "warning": "An engine may ignore or misread something.",
    "note": "Worth knowing, and perhaps meant.",
}
#: So many places are shown at once; more are folded.
_OPEN = 10
#: So many names are listed; the rest is counted.
_NAMES = 20


class HtmlReport(Grouped):
    """One page, written when all is known."""

    def end(self, checked: CheckResult) -> None:
        """Write the page."""
        style = files("sitemapx.cli.reports.html").joinpath("page.css").read_text("utf-8")
        counts = checked.severities
        title = ", ".join(counted(counts[one], one) for one in SEVERITIES if counts[one])
        title = f"{title or 'Nothing found'} - sitemapx check"
        self._write(_HEAD.format(title=escape(title), style=style))
        for part in self._parts(checked):
            self._write(f"{part if isinstance(part, str) else render(part)}\n")
        self._write("</body>\n</html>\n")

    def _parts(self, checked: CheckResult) -> Iterator[str | HtmlElement]:
        groups = sorted(self._groups.values(), key=lambda group: -checked.codes[group[0].code])
        groups.sort(key=lambda group: SEVERITIES.index(group[0].severity))
        plots = list(figures(checked.survey)) if checked.survey else []
        yield tag("a", "Skip to the content", href="#main", class_="skip")
        yield _header(checked, has_plots=bool(plots))
        yield '<main id="main">'
        yield _summary(checked, groups)
        for severity, some in groupby(groups, key=lambda group: group[0].severity):
            yield from _section(f"{severity}s", severity, _MEANINGS[severity])
            for group in some:
                yield _group(group, checked.codes[group[0].code])
            yield "</section>"
        if plots:
            about = "Counted by the way: pages, and not the sitemaps that an index lists."
            yield from _section("contents", "contents", about)
            yield from plots
            yield "</section>"
        yield "</main>"
        yield tag("footer", tag("p", f"Made by sitemapx {__version__}."))


_TITLES = {
    "errors": "Errors",
    "warnings": "Warnings",
    "notes": "Notes",
    "contents": "What is in the files",
}


def _section(name: str, kind: str, about: str) -> Iterator[str | HtmlElement]:
    """Begin a section."""
    yield f'<section class="{kind}" aria-labelledby="{name}">'
    yield tag("h2", _TITLES[name], id=name)
    yield tag("p", about)


def _header(checked: CheckResult, *, has_plots: bool) -> HtmlElement:
    now = clock.now()
    day, time = now[:10], now[11:16]
    links = [(f"{one}s", checked.severities[one]) for one in SEVERITIES if checked.severities[one]]
    items = [
        tag("li", tag("a", _TITLES[name], href=f"#{name}"), f" {count:,}") for name, count in links
    ]
    if has_plots:
        items.append(tag("li", tag("a", _TITLES["contents"], href="#contents")))
    nav = [tag("nav", tag("ul", *items), aria_label="On this page")] if items else []
    engine = tag("code", checked.engine) if checked.engine else None
    judged = [tag("p", "Judged as ", engine, " says that it does.")] if engine is not None else []
    made = tag("time", f"{day}, {time} UTC", datetime=now)
    return tag(
        "header",
        tag("h1", "Sitemap check"),
        tag("p", "Checked on ", made, ":"),
        _names(checked.names),
        *judged,
        *nav,
    )


def _names(names: Sequence[str]) -> HtmlElement:
    """List names, unless they are too many."""
    items = [tag("li", tag("code", name)) for name in names[:_NAMES]]
    if left := len(names) - len(items):
        items.append(tag("li", f"and {left:,} more"))
    return tag("ul", *items, class_="names")


def _summary(checked: CheckResult, groups: Sequence[Sequence[Finding]]) -> HtmlElement:
    found = checked.severities
    tiles = [_tile(counted(found[one], one), one if found[one] else "none") for one in SEVERITIES]
    tiles.append(_tile(counted(checked.files, "file")))
    tiles.append(_tile(counted(checked.entries, "entry", "entries")))
    parts = [tag("h2", "Summary", id="summary"), tag("ul", *tiles, class_="tiles")]
    if checked.refused:
        parts += [tag("p", "Refused by the official schema:"), _names(sorted(checked.refused))]
    if groups:
        rows = [_line(group[0], checked.codes[group[0].code]) for group in groups]
        parts.append(table("What was found", ["What", "Severity", "Times"], rows))
    else:
        parts.append(tag("p", "Nothing was found.", class_="fine"))
    return tag("section", *parts, aria_labelledby="summary")


def _tile(text: str, kind: str = "") -> HtmlElement:
    count, noun = text.split()
    return tag("li", tag("strong", count), f" {noun}", class_=kind)


def _line(finding: Finding, count: int) -> tuple[HtmlElement, HtmlElement, int]:
    wrong = RULES[finding.code].wrong
    link = tag("a", _sentence(wrong), href=f"#code-{finding.code}")
    severity = tag("span", finding.severity, class_=f"badge {finding.severity}")
    return tag("div", link, " ", tag("code", finding.code)), severity, count


def _group(group: Sequence[Finding], count: int) -> HtmlElement:
    """Write all findings of one code."""
    first, name = group[0], f"code-{group[0].code}"
    rule = tag("a", "the rule", href=first.rule, rel="noreferrer")
    rows = [
        (one.where or ("…" if one.count else "all files together"), tag("div", *_description(one)))
        for one in group
    ]
    places = table(f"Where {first.code} was found", ["Place", "What"], rows)
    folded = {} if len(group) > _OPEN else {"open": ""}
    is_part = any(one.count for one in group)
    shown = f": the first {sum(not one.count for one in group):,}" if is_part else ""
    summary = tag("summary", f"{counted(count, 'place')}{shown}")
    return tag(
        "section",
        tag("h3", _sentence(RULES[first.code].wrong), " ", tag("code", first.code), id=name),
        tag("p", tag("b", "Why: "), f"{first.why} (", rule, ")"),
        tag("p", tag("b", "To do: "), first.fix),
        tag("details", summary, places, **folded),
        aria_labelledby=name,
    )


def _description(finding: Finding) -> Iterator[str | HtmlElement]:
    """Return what is wrong, and with which URL."""
    if finding.fixed:
        yield tag("b", "Fixed: ", class_="fine")
    yield finding.message
    if finding.loc and finding.loc not in finding.message:
        is_link = urls.is_absolute(finding.loc) and finding.loc.isprintable()
        loc = tag("bdi", finding.shown_loc)
        yield tag("br")
        yield tag("a", loc, href=finding.loc, rel="noreferrer nofollow") if is_link else loc


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
