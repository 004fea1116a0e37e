"""What `sitemapx check` checks: the sources, and what they are compared with."""

import fnmatch
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

from sitemapx.check.checker import check
from sitemapx.check.result import CheckResult
from sitemapx.check.rules.registry import RULES
from sitemapx.check.selection import codes_of
from sitemapx.cli.commands.check.completeness import built_of, required_of
from sitemapx.cli.commands.check.destinations import Destination
from sitemapx.cli.commands.check.hiding import Hiding
from sitemapx.cli.commands.check.output import refuse_sources
from sitemapx.cli.commands.check.robots import robots_of
from sitemapx.cli.options.live import live_of
from sitemapx.cli.options.sources import opener_of, total_size
from sitemapx.cli.options.types import split_words
from sitemapx.cli.reports.registry import REPORTS
from sitemapx.cli.terminal.console import Console
from sitemapx.errors import UsageError

__all__ = ["Check", "check_of", "selected_codes"]

Check = Callable[..., CheckResult]


def selected_codes(options: dict[str, Any]) -> frozenset[str]:
    """
    Return the codes that are looked for.

    Raises:
        UsageError: If a pattern selects none, or only codes that need an option.

    """
    select = split_words(options["select"])
    for pattern in select:
        needed = {RULES[code].requires for code in fnmatch.filter(RULES, pattern)}
        if needed and not any(not name or options[name] for name in needed):
            raise UsageError(f"--select {pattern} requires --{min(needed)}")
    return codes_of(select, split_words(options["ignore"]))


def check_of(
    sources: Sequence[str],
    outputs: Sequence[Destination],
    codes: Collection[str],
    hiding: Hiding,
    console: Console,
    options: dict[str, Any],
) -> Check:
    """
    Return what checks the sources as the options say, and reports what it finds.

    Raises:
        InputError: If robots.txt or the list of required URLs cannot be read.
        UsageError: If an option is invalid, or has nothing to do with any of them.

    """
    opener = opener_of(options, console.say, sources)
    if options["fix"]:  # no file is changed because of its name alone
        opener = opener._replace(beside=None)
    total = total_size(sources)
    if required := required_of(options, sources):
        hiding.see(required.name)

    def on_file(name: str) -> None:
        refuse_sources(outputs, [name])
        hiding.see(name)

    return partial(
        check,
        sources,
        opener=opener,
        codes=codes,
        engine=options["engine"],
        robots=robots_of(sources, options, opener.fetcher),
        live=live_of(options, opener, console),
        root=built_of(options, sources),
        require=required,
        with_survey=any(REPORTS[one.format].with_survey for one in outputs),
        progress=lambda entries, size: console.progress(entries, size, total),
        on_file=on_file,
        hides=hiding.hides,
        marks_fixable=not options["fix"],
    )
