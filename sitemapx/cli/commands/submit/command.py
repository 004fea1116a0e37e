"""The command `sitemapx submit`, and `submit retry`; other modules have more subcommands."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import Any, NamedTuple

import click

from sitemapx.cli.commands.submit import COMMANDS
from sitemapx.cli.commands.submit.connections import Connections, DryRun
from sitemapx.cli.commands.submit.options import SubmitGroup, safeguard_options, sending_options
from sitemapx.cli.commands.submit.preflight import Preflight, require_root
from sitemapx.cli.commands.submit.waiting import (
    waiting_options,
)
from sitemapx.cli.options.dates import build_date_steps, enrichment_options
from sitemapx.cli.options.fetching import http_options
from sitemapx.cli.options.settings import find_sitemaps
from sitemapx.cli.options.sources import build_opener, reading_options, sources_argument, total_size
from sitemapx.cli.options.types import CheckedText, WholeNumber, console_options
from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.groups import GroupedCommand, option_group
from sitemapx.convert.model.problems import PROBLEMS
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.sources.source import local_path
from sitemapx.convert.sources.urlmap import UrlMap
from sitemapx.convert.steps.step import Step, save
from sitemapx.convert.summary import LOSSES
from sitemapx.convert.values.clock import since_test
from sitemapx.convert.values.urls import without_user
from sitemapx.errors import UsageError
from sitemapx.submit.journal.currenturls import LIST, CurrentUrls
from sitemapx.submit.journal.queries import record_heads
from sitemapx.submit.outcome import Outcome
from sitemapx.submit.settings import Settings
from sitemapx.submit.urlset import ROBOTS_FORMATS, PublishedSource, SetReader, read_list

_choosing = option_group("What to submit")


class _Sources(NamedTuple):
    """
    The sources of a submission.

    Attributes:
        names: Paths and URLs of the sitemaps; empty if only lists are submitted.
        owner: The site in the settings if these list the sources; else empty.
        mappings: Directories of published URLs on disk, according to the settings.

    """

    names: Sequence[str]
    owner: str
    mappings: Sequence[UrlMap]


def _choose_sources(
    given: Sequence[str], options: Mapping[str, Any], settings: Settings
) -> _Sources:
    """Return the sources on the command line; without these and `--urls`, those in the settings."""
    found, mappings = find_sitemaps(options["config"], settings)
    if given and options["lists"]:
        raise UsageError("--urls cannot be combined with a SITEMAP; submit them in separate runs")
    if not (given or options["lists"]):
        if not found:
            raise UsageError(f"missing SITEMAP: pass one, or set sitemaps in {settings.path}")
        chosen = _Sources(found, settings.site or "", mappings)
    else:
        chosen = _Sources(given, "", mappings)
    if options["source_url"] and sum(local_path(name) is not None for name in chosen.names) > 1:
        raise UsageError("--source-url applies to a single file; pass --map URL=DIR for more")
    return chosen


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
refused, could not be sent, or failed a safety check; 2 usage error or no such file.
`sitemapx engines` lists search engines. Details: https://sitemapx.github.io/sitemapx/submit.html""",
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
@enrichment_options
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
    status = run(sources, options, Console.from_options(options))
    return 0 if options["exit_zero"] else status


def run(
    sources: Sequence[str],
    options: dict[str, Any],
    console: Console,
    dry_run: DryRun | None = None,
    on_outcome: Callable[[Outcome], object] | None = None,
) -> int:
    """
    Run `sitemapx submit` with these options, and return the exit status.

    Args:
        sources: The sitemaps; empty for those in the settings, unless `options` have lists.
        dry_run: Options for a dry run; None to use `--dry-run` as on the command line.
        on_outcome: Called with each outcome; None to print the outcomes.

    """
    with closing(Connections(options, console, dry_run, on_outcome)) as connections:
        chosen = _choose_sources(sources, options, connections.settings)
        with connections.wait_for_turn():
            return _SubmitCommand(chosen, options, connections).submit()


class _SubmitCommand:
    def __init__(
        self, sources: _Sources, options: dict[str, Any], connections: Connections
    ) -> None:
        self._sources, self._owner, self._mappings = sources
        self._options = options
        self._connections = connections
        self._console = connections.console
        self._current = CurrentUrls(connections.journal)
        self._steps: list[Step] = []

    def submit(self) -> int:
        options, settings = self._options, self._connections.settings
        opener = self._opener()
        with closing(Preflight(options, self._connections, self._sources, opener)) as preflight:
            published = self._read(opener, preflight)
            preflight.run_checks(self._current, published)
        self._connections.record_pauses()
        robots = settings.robots if options["robots"] is None else options["robots"]
        if robots:
            self._edit(
                robots, [source.address for source in published if source.format in ROBOTS_FORMATS]
            )
        self._hint_websub(published)
        is_whole, sets = self._publish(published)
        if not options["dry_run"]:
            save(self._steps, is_complete=is_whole)
        run = self._connections.prepare_run(
            self._current,
            published,
            sets=sets,
            is_whole=is_whole,
            is_part=bool(options["since"]),
            everything=options["everything"] or bool(options["lists"]),
        )
        return self._connections.submit_to_engines(run.submit)

    def _read(self, opener: Opener, preflight: Preflight) -> list[PublishedSource]:
        options, console = self._options, self._console
        total = total_size(self._sources)
        self._steps = build_date_steps(self._sources, options, opener)
        reader = SetReader(
            current=self._current,
            opener=opener,
            steps=self._steps,
            is_selected=since_test(options["since"]) if options["since"] else None,
            checking=preflight.checking,
            report=preflight.report,
            progress=lambda entries, size: console.show_progress(entries, size, total),
        )
        published = reader.read_sources(self._sources)
        for path in options["lists"]:
            read_list(self._current, path, preflight.report)
        digests = {source.set_id: source.digest for source in published}
        # If a set was read in several parts, their digests do not identify its contents.
        self._current.sort_urls(digests if len(digests) == len(published) else {})
        console.close()
        return published

    def _opener(self) -> Opener:
        opener = build_opener(self._options, self._console.notice, self._sources)
        if opener.fetcher:
            self._connections.obey_pauses(opener.fetcher)
        require_root(self._connections.settings)
        return opener._replace(mappings=[*opener.mappings, *self._mappings])

    def _hint_websub(self, published: list[PublishedSource]) -> None:
        names = {selected.engine.about.name for selected in self._connections.engines}
        if any(source.head.hubs for source in published) and "websub" not in names:
            self._console.notice("a feed has a WebSub hub; pass --engine websub to notify it")

    def _edit(self, path: str, addresses: list[str | None]) -> None:
        from sitemapx.submit.robots.edit import edit_robots_file
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
        edited = edit_robots_file(path, change, write=not is_dry)
        self._console.notice(f"{path}: {edited.summary(is_dry=is_dry)}")

    def _publish(self, published: Sequence[PublishedSource]) -> tuple[bool, list[int]]:
        """
        Record in the journal which URLs the sources list now.

        Returns:
            Whether all URLs of the sources were read, so that missing URLs count as removed; and
                the IDs of the sets to submit.

        """
        if self._options["lists"]:
            self._current.record_listed(())
            return False, [LIST]
        heads = {source.set_id: source.head for source in published}
        is_whole = self._is_whole()
        owner = self._owner if is_whole else None
        retired = record_heads(self._connections.journal, heads, owner or None)
        empty = self._current.empty_sets(heads)
        if is_whole:
            for sitemap in published:
                if sitemap.set_id in empty and not sitemap.is_feed:
                    self._notice_empty(sitemap.source)
                for name in sitemap.empty:
                    self._notice_empty(name)
        kept = {*empty, *(source.set_id for source in published if source.empty)}
        whole = [number for number in heads if number not in kept] + retired
        self._current.record_listed(whole if is_whole else ())
        return is_whole, [*heads, *retired]

    def _notice_empty(self, name: str) -> None:
        self._console.notice(f"{without_user(name)}: no URLs, so nothing counts as removed")

    def _is_whole(self) -> bool:
        """Return whether all URLs of the sources were read; False if the sources have none."""
        options = ("no_follow", "children", "trust_index")
        if any(map(self._options.get, options)) or not self._current.count:
            return False
        errors = {code for code, kind in PROBLEMS.items() if kind.severity == "error"}
        unread = (LOSSES | errors) - {"no-loc"}  # items of feeds need no URL
        if unread.isdisjoint(self._console.problems):
            return True
        self._console.notice("some sources could not be read, so nothing counts as removed")
        return False


@click.command("retry", cls=GroupedCommand)
@sending_options
@safeguard_options(["--ignore-interval", "--no-wait"])
@http_options
@console_options
def retry(**options: Any) -> int:
    """
    Resend URLs that were refused or got no response, and send those that are still due.

    URLs that were refused, or got an unreadable response, less than 10 minutes ago are left to a
    later run.

    A URL stays due until a search engine accepts or permanently refuses it, even if its feed no
    longer lists it or it came from `submit --urls`; `submit forget` drops it. Removals follow from
    what the sitemaps listed when they were last submitted.
    """
    connections = Connections(options, Console.from_options(options))
    with closing(connections), connections.wait_for_turn():
        run = connections.prepare_run(CurrentUrls(connections.journal))
        status = connections.submit_to_engines(run.retry)
    return 0 if options["exit_zero"] else status
