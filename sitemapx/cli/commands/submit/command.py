"""`sitemapx submit`; its other commands are in modules of their own."""

from collections.abc import Sequence
from contextlib import closing
from typing import Any

import click

from sitemapx.cli.commands.submit import COMMANDS
from sitemapx.cli.commands.submit.options import SubmitGroup, sending_options
from sitemapx.cli.commands.submit.preflight import Preflight, require_root
from sitemapx.cli.commands.submit.rehearsal import Rehearsal
from sitemapx.cli.commands.submit.resources import SubmitResources
from sitemapx.cli.commands.submit.sources import Sources, choose_sources
from sitemapx.cli.commands.submit.waiting import (
    BuiltFiles,
    wait_for_deployment,
    waiting_options,
)
from sitemapx.cli.options.dates import adding_options, dates_of
from sitemapx.cli.options.safeguards import safeguard_options
from sitemapx.cli.options.sources import opener_of, reading_options, sources_argument, total_size
from sitemapx.cli.options.types import CheckedText, WholeNumber, console_options
from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.groups import grouped
from sitemapx.convert.model.problems import PROBLEMS
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.steps.step import Step, save
from sitemapx.convert.summary import LOSSES
from sitemapx.convert.values.clock import since_test
from sitemapx.convert.values.urls import without_user
from sitemapx.submit.journal.listing import LIST, Listing
from sitemapx.submit.journal.queries import record_heads
from sitemapx.submit.urlset.published import ROBOTS_FORMATS, PublishedSource
from sitemapx.submit.urlset.reader import SetReader, read_list

__all__ = ["command", "run"]

_choosing = grouped("What to submit")


@click.command(
    "submit",
    cls=SubmitGroup,
    lazy=COMMANDS,
    epilog="""\b
Examples:
  sitemapx submit
  sitemapx submit https://example.com/sitemap.xml --engine indexnow --dry-run
  sitemapx submit public/sitemap.xml --source-url https://example.com/sitemap.xml
  sitemapx diff old.xml new.xml --to text | sitemapx submit --urls -

Exit status: 0 everything was accepted, or nothing had to be sent; 1 something was
refused, could not be sent, or failed a safety check; 2 usage error. `sitemapx engines`
lists search engines. Details: https://sitemapx.github.io/sitemapx/submit.html""",
)
@sources_argument("[SITEMAP]...", required=False)
@_choosing("--all", "everything", is_flag=True, help="Send everything, even if already accepted.")
@_choosing(
    "--urls",
    "lists",
    metavar="FILE",
    multiple=True,
    type=click.Path(allow_dash=True),
    help="Send the URLs in this list, even if unchanged. Repeatable.",
)
@_choosing(
    "--since",
    type=CheckedText(since_test),
    metavar="WHEN",
    help="Send only URLs changed since WHEN, a date or an age such as 7d.",
)
@_choosing(
    "--robots",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Add the URLs of the sitemaps to this robots.txt first.",
)
@_choosing(
    "--probe",
    type=WholeNumber(0),
    metavar="N",
    help="Fetch N pages first, and send nothing if all of them fail.",
)
@waiting_options
@sending_options
@safeguard_options()
@reading_options
@adding_options
@console_options
def command(sources: tuple[str, ...], **options: Any) -> int:
    """
    Submit what changed since the last submission to search engines.

    A SITEMAP is anything that `convert` reads. The journal records what each search engine has
    accepted. Those that accept URLs get the ones added, changed or removed since then; those that
    accept sitemaps get the URL of each changed sitemap; with `--engine websub`, the hubs of each
    feed get its URL.

    Nothing is sent if robots.txt disallows the site, or if the sitemap set has errors. Each
    safety check can be disabled by the option that its message names.
    """
    return run(sources, options, Console.of(options))


def run(
    sources: Sequence[str],
    options: dict[str, Any],
    console: Console,
    rehearsal: Rehearsal | None = None,
) -> int:
    """
    Submit as the options say, and return the exit status.

    Args:
        sources: The sitemaps; none for those of the settings.
        rehearsal: The dry run, if it is one; None for the usual one.

    """
    with closing(SubmitResources(options, console, rehearsal)) as resources:
        chosen = choose_sources(sources, options, resources.settings)
        with resources.turn():
            return _SubmitCommand(chosen, options, resources).submit()


class _SubmitCommand:
    """A run of `submit`, as the options want it."""

    def __init__(
        self, sources: Sources, options: dict[str, Any], resources: SubmitResources
    ) -> None:
        self._sources, self._owner, self._mappings = sources
        self._options = options
        self._resources = resources
        self._console = resources.console
        self._listing = Listing(resources.journal)
        self._steps: list[Step] = []
        self._listed: list[tuple[str, str]] = []

    def submit(self) -> int:
        """Read all, look whether anything speaks against it, and send."""
        options, settings = self._options, self._resources.settings
        opener = self._opener()
        with closing(Preflight(options, self._resources, self._sources, opener)) as preflight:
            published = self._read(opener, preflight)
            preflight.check(
                self._listing,
                [one.address for one in published if one.address],
                transport=self._resources.sender,
                probe=settings.probe if options["probe"] is None else options["probe"],
                asks_site=self._resources.asks_site,
                wait=lambda: wait_for_deployment(
                    options,
                    BuiltFiles(published, self._listed, opener.mappings),
                    self._resources,
                ),
            )
        self._resources.record_pauses()
        robots = settings.robots if options["robots"] is None else options["robots"]
        if robots:
            self._edit(robots, [one.address for one in published if one.format in ROBOTS_FORMATS])
        self._hint_websub(published)
        is_whole, sets = self._publish(published)
        if not options["dry_run"]:
            save(self._steps, is_complete=is_whole)
        run = self._resources.prepare(
            self._listing,
            published,
            sets=sets,
            is_whole=is_whole,
            is_part=bool(options["since"]),
            everything=options["everything"] or bool(options["lists"]),
        )
        return self._resources.send(run.submit)

    def _read(self, opener: Opener, preflight: Preflight) -> list[PublishedSource]:
        options, console = self._options, self._console
        total = total_size(self._sources)
        self._listing.begin()
        self._steps = dates_of(self._sources, options, opener)
        reader = SetReader(
            listing=self._listing,
            opener=opener,
            steps=self._steps,
            is_selected=since_test(options["since"]) if options["since"] else None,
            checking=preflight.checking,
            report=preflight.report,
            progress=lambda entries, size: console.progress(entries, size, total),
        )
        published = reader.read(self._sources)
        self._listed = reader.listed
        for path in options["lists"]:
            read_list(self._listing, path, preflight.report)
        digests = {one.set_id: one.digest for one in published}
        # Of a set that was read twice in parts, nothing is known by their digests.
        self._listing.finish(digests if len(digests) == len(published) else {})
        console.close()
        return published

    def _opener(self) -> Opener:
        """Make what opens the sources; where the site is on disk is known from the settings."""
        opener = opener_of(self._options, self._console.notice, self._sources)
        if opener.fetcher:
            self._resources.obey_pauses(opener.fetcher)
        require_root(self._resources.settings)
        return opener._replace(mappings=[*opener.mappings, *self._mappings])

    def _hint_websub(self, published: list[PublishedSource]) -> None:
        """Say how hubs are notified, if feeds name some and nobody asked for that."""
        names = {selected.engine.about.name for selected in self._resources.engines}
        if any(one.head.hubs for one in published) and "websub" not in names:
            self._console.notice("a feed has a WebSub hub; pass --engine websub to notify it")

    def _edit(self, path: str, addresses: list[str | None]) -> None:
        """Put the addresses of the sitemaps into a robots.txt."""
        from sitemapx.submit.robots.edit import edit
        from sitemapx.submit.robots.file import RobotsFile

        known = [address for address in addresses if address]
        if not known:
            self._console.notice(
                f"{path} not updated: the sitemap's URL is unknown; pass --source-url"
            )
            return

        def change(robots: RobotsFile) -> None:
            for address in known:
                robots.add(address)

        is_dry = self._options["dry_run"]
        edited = edit(path, change, write=not is_dry)
        self._console.notice(f"{path}: {edited.summary(is_dry=is_dry)}")

    def _publish(self, published: Sequence[PublishedSource]) -> tuple[bool, list[int]]:
        """
        Record what the sources list now.

        Returns:
            Whether all of it is known, so that what is missing was removed; and the sets.

        """
        if self._options["lists"]:
            self._listing.publish(())
            return False, [LIST]
        heads = {one.set_id: one.head for one in published}
        is_whole = self._is_whole()
        owner = self._owner if is_whole else None
        retired = record_heads(self._resources.journal, heads, owner or None)
        empty = self._listing.empty_sets(heads)
        if is_whole:
            for one in published:
                if one.set_id in empty and not one.is_feed:
                    self._notice_empty(one.source)
                for name in one.empty:
                    self._notice_empty(name)
        kept = {*empty, *(one.set_id for one in published if one.empty)}
        whole = [number for number in heads if number not in kept] + retired
        self._listing.publish(whole if is_whole else ())
        return is_whole, [*heads, *retired]

    def _notice_empty(self, name: str) -> None:
        self._console.notice(f"{without_user(name)}: no URLs, so nothing counts as removed")

    def _is_whole(self) -> bool:
        """Return whether all URLs of the sources are known: else nothing was surely removed."""
        options = ("no_follow", "children", "trust_index")
        if any(map(self._options.get, options)) or not self._listing.count:
            return False
        errors = {code for code, kind in PROBLEMS.items() if kind.severity == "error"}
        unread = (LOSSES | errors) - {"no-loc"}  # items of feeds need no URL
        if unread.isdisjoint(self._console.problems):
            return True
        self._console.notice("some sources could not be read, so nothing counts as removed")
        return False
