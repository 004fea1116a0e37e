"""
Findings as one HTML page.

Grouped by severity and code, with what is in the files as plots.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from sitemapx.check.findings import SEVERITIES, Finding
from sitemapx.check.result import CheckResult
from sitemapx.check.rules.registry import RULES
from sitemapx.cli.reports.html.elements import HtmlElement, table, tag
from sitemapx.cli.reports.html.figures import figures
from sitemapx.cli.reports.html.shell import Part, page
from sitemapx.cli.reports.writer import Grouped, fixable_lines
from sitemapx.convert.values import clock, urls
from sitemapx.convert.values.words import counted

__all__ = ["HtmlReport"]

_MEANINGS = {
    "error": "Search engines skip the URL or the file, or it fails schema validation.",
    "warning": "A search engine may ignore or misread something.",
    "note": "Worth knowing, and possibly intended.",
}
#: So many places are shown at once; more are folded.
_OPEN = 10
#: So many names are listed; the rest is counted.
_NAMES = 20


class HtmlReport(Grouped):
    """One page, written when all is known."""

    def end(self, checked: CheckResult) -> None:
        """Write the page."""
        counts = checked.severities
        title = ", ".join(counted(counts[one], one) for one in SEVERITIES if counts[one])
        plots = list(figures(checked.survey)) if checked.survey else []
        header = _header(checked, has_plots=bool(plots))
        title = f"{title or 'No problems'} - sitemapx check"
        for text in page(title, header, self._parts(checked, plots)):
            self._write(text)

    def _parts(self, checked: CheckResult, plots: Sequence[HtmlElement]) -> Iterator[Part]:
        groups = sorted(self._groups.values(), key=lambda group: _rank(group[0].code, checked))
        groups.sort(key=lambda group: SEVERITIES.index(group[0].severity))
        yield _summary(checked, groups)
        for severity, some in groupby(groups, key=lambda group: group[0].severity):
            yield from _section(f"{severity}s", severity, _MEANINGS[severity])
            for group in some:
                yield _group(group, checked.codes[group[0].code])
            yield "</section>"
        if plots:
            about = "Figures count pages, not the sitemaps listed in an index."
            yield from _section("contents", "contents", about)
            yield from plots
            yield "</section>"


_TITLES = {
    "errors": "Errors",
    "warnings": "Warnings",
    "notes": "Notes",
    "contents": "Contents of the files",
}


def _section(name: str, kind: str, about: str) -> Iterator[Part]:
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
    judged = (
        [tag("p", "Checked by the documented rules of ", engine, ".")] if engine is not None else []
    )
    made = tag("time", f"{day}, {time} UTC", datetime=now)
    return tag(
        "header",
        tag("h1", "Sitemap check"),
        *_sources(checked, made),
        *judged,
        *nav,
    )


def _sources(checked: CheckResult, made: HtmlElement) -> Iterator[HtmlElement]:
    """List the sources that were not checked, if there are any, and those that were."""
    unread = set(checked.unread)
    if unread:
        yield tag("p", "Not checked, as they cannot be read:", class_="error")
        yield _names(checked.unread)
    names = [name for name in checked.names if name not in unread]
    yield tag("p", "Checked on ", made, ":" if names else ".")
    if names:
        yield _names(names)


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
        parts += [tag("p", "Files that fail schema validation:"), _names(sorted(checked.refused))]
    for line in fixable_lines(checked.fixable, checked.damaged, checked.codes.total()):
        before, option, after = line.partition("--fix")
        parts.append(tag("p", before, tag("code", option, class_="option"), f"{after}."))
    if groups:
        rows = [_line(group[0], checked.codes[group[0].code]) for group in groups]
        parts.append(table("Findings by rule", ["Rule", "Severity", "Count"], rows))
    else:
        parts.append(tag("p", "No problems found.", class_="fine"))
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
    rule = tag("a", "source", href=first.rule, rel="noreferrer")
    rows = [
        (one.where or ("…" if one.count else "all files"), tag("div", *_description(one)))
        for one in group
    ]
    places = table(f"Findings of {first.code}", ["Place", "Finding"], rows)
    folded = {} if len(group) > _OPEN else {"open": ""}
    is_part = any(one.count for one in group)
    shown = f": the first {sum(not one.count for one in group):,}" if is_part else ""
    summary = tag("summary", f"{counted(count, 'place')}{shown}")
    return tag(
        "section",
        tag("h3", _sentence(RULES[first.code].wrong), " ", tag("code", first.code), id=name),
        tag("p", tag("b", "Why: "), f"{first.why} (", rule, ")"),
        tag("p", tag("b", "How to fix: "), first.fix),
        tag("details", summary, places, **folded),
        aria_labelledby=name,
    )


def _description(finding: Finding) -> Iterator[Part]:
    """Return what is wrong, and with which URL."""
    if finding.fixed:
        yield tag("b", "Fixed: ", class_="fine")
    yield finding.message
    if finding.fixable and not finding.fixed:
        yield tag("span", " (fixable)", class_="fine")
    if finding.loc and finding.loc not in finding.message:
        is_link = urls.is_absolute(finding.loc) and finding.loc.isprintable()
        loc = tag("bdi", finding.shown_loc)
        yield tag("br")
        href = urls.without_user(finding.loc)
        yield tag("a", loc, href=href, rel="noreferrer nofollow") if is_link else loc


def _rank(code: str, checked: CheckResult) -> tuple[bool, int]:
    """Put what keeps a source from being checked first, and then what was found most often."""
    return code != "unreadable", -checked.codes[code]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
