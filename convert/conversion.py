"""
Conversion from sources to an output, as by the command `sitemapx convert`.

    sources ─► reader ─► batches of entries ─► writer ─► output
"""

import functools
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from sitemapx.convert.disk.lock import folder_lock
from sitemapx.convert.disk.swap import is_pending, recover
from sitemapx.convert.formats.feeds.heads import find_newest_date, fit_head, override_head
from sitemapx.convert.formats.format import Context
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.intake import InputCounter
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.coercion import normalize_dates
from sitemapx.convert.model.document import Document, Head
from sitemapx.convert.model.problems import Problem, ProblemHandler, log
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.outputs.output import Output
from sitemapx.convert.outputs.published import own_pages
from sitemapx.convert.outputs.stream import StreamOutput, is_special
from sitemapx.convert.outputs.target import GROUPED_FIELDS, Target, require_target
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.sources.source import Source, SourcePart, is_storage
from sitemapx.convert.sources.urlmap import UrlMap
from sitemapx.convert.steps.step import Step, require_steps, save, used_fields
from sitemapx.convert.summary import SAFE, Safeguards, Summary
from sitemapx.convert.values import clock, uris
from sitemapx.convert.values.words import pluralize
from sitemapx.errors import UsageError
from sitemapx.optionnames import option

if TYPE_CHECKING:
    from sitemapx.convert.parallel.files import Encode


Progress = Callable[[int, int], None]


def convert(
    sources: Iterable[Source],
    target: Target,
    *,
    opener: Opener | None = None,
    head: Head | None = None,
    steps: Sequence[Step] = (),
    safeguards: Safeguards = SAFE,
    report: ProblemHandler = log,
    progress: Progress | None = None,
) -> Summary:
    """
    Read sources one after the other and write all their entries to one output.

    If `InputError` or `UsageError` is raised, an existing output is left unchanged.

    Args:
        sources: Paths, URLs, host names, `-` for standard input, or binary streams.
        target: Path, format and options of the output; see `target_of`.
        opener: Options for reading the sources, such as a format to use instead of detecting it.
        head: Metadata of a feed; fields that are set replace those of the first source.
        steps: Steps that filter, sort or change the entries; see `sitemapx.convert.steps`.
        safeguards: Conditions under which the output is written.
        report: Called with each problem when it is found; by default, problems are logged.
        progress: Called repeatedly with the numbers of entries and (compressed) bytes read.

    Returns:
        Summary of what was read, written and lost; `failure` has the reason if a safeguard
            prevented writing.

    Raises:
        InputError: If a source cannot be read.
        OutputError: If the output cannot be written.
        UsageError: If an option does not fit a source, or the output needs more than one file but
            the target has no base URL.

    Examples:
        >>> import io, tempfile, os
        >>> from sitemapx.convert import target_of
        >>> path = os.path.join(tempfile.mkdtemp(), "sitemap.xml")
        >>> urls = io.BytesIO(b"https://example.com/")
        >>> convert([urls], target_of(path)).written
        1

    """
    require_target(target)
    require_steps(steps)
    opener = opener or Opener()
    if target.base_url and target.path != "-":
        home = UrlMap(target.base_url, os.path.dirname(target.path) or os.curdir)
        opener = opener._replace(home=home)
    opener = opener._replace(with_source=opener.with_source or target.with_source)
    # Without steps between reader and writer, entries are encoded by the processes that read them.
    does_more = target.grouping or target.format.head or target.format.arrange
    is_alone = not (steps or does_more or opener.with_source)
    encode = _encoding_for(target) if is_alone and opener.jobs != 1 else None
    grouped = GROUPED_FIELDS.get(target.grouping.by, ()) if target.grouping else ()
    used = used_fields(steps, (*target.format.holds, *target.format.uses, *grouped))
    wanted = None if None in [step.needs for step in steps] else used
    own = own_pages(target.path) if target.format.is_paged else None
    opener = opener._replace(page_fields=used, skips_page=own)
    inputs = functools.partial(opener.open, sources, wanted=wanted, encode=encode)
    conversion = _Conversion(
        target, head or Head(), report, progress or _no_progress, opener.fetcher
    )
    summary = conversion.run(inputs, steps, safeguards).logged(report)
    if not summary.failure:
        save(steps, is_complete=not summary.has_errors)
    return summary


def write(
    document: Document | Callable[[ProblemHandler], Document],
    target: Target,
    *,
    head: Head | None = None,
    steps: Sequence[Step] = (),
    safeguards: Safeguards = SAFE,
    report: ProblemHandler = log,
) -> Summary:
    """
    Write the entries of a document to an output; see `convert` for other arguments and the result.

    Args:
        document: A document, or a function that takes the problem handler and opens a document,
            whose problems then count for the safeguards.

    Raises:
        InputError: If the document cannot be read to its end.
        OutputError: If the output cannot be written.
        UsageError: If the output needs more than one file but the target has no base URL.

    Examples:
        >>> import tempfile, os
        >>> from sitemapx.convert import Entry, target_of
        >>> path = os.path.join(tempfile.mkdtemp(), "urls.txt")
        >>> document = Document.from_entries([Entry(loc="https://example.com/")])
        >>> write(document, target_of(path)).written
        1

    """
    if not (isinstance(document, Document) or callable(document)):
        kind = type(document).__name__
        raise UsageError(f"document is of type {kind}: pass Document.from_entries(…)")
    require_target(target)
    require_steps(steps)

    def inputs(report: ProblemHandler, on_read: Callable[[int], None]) -> Iterator[SourcePart]:
        opened = document if isinstance(document, Document) else document(report)
        if not opened.format:
            opened.batches = normalize_dates(opened.batches, Reporter(report))
        yield SourcePart.from_document(opened)

    conversion = _Conversion(target, head or Head(), report, _no_progress)
    return conversion.run(inputs, steps, safeguards).logged(report)


def _encoding_for(target: Target) -> "Encode":
    source, keeps = target.path if target.path != "-" else None, target.limits is not None
    return functools.partial(_encode, format=target.format, source=source, keeps=keeps)


def _encode(batches: Iterable[Batch], report: ProblemHandler, **options: Any) -> Iterator[Batch]:
    from sitemapx.convert.parallel import encoding

    return encoding.encode(batches, report, **options)


def _no_progress(entries: int, size: int) -> None:
    pass


def _are_same(path: str, other: str) -> bool:
    """Return whether both paths exist and lead to the same file."""
    return os.path.exists(path) and os.path.exists(other) and os.path.samefile(path, other)


#: Opens inputs; the arguments are called with problems, and with the number of bytes read.
_Inputs = Callable[[ProblemHandler, Callable[[int], None]], Iterator[SourcePart]]


class _Conversion:
    def __init__(
        self,
        target: Target,
        head: Head,
        report: ProblemHandler,
        progress: Progress,
        fetcher: Fetcher | None = None,
    ) -> None:
        self._target = target
        self._fetcher = fetcher
        self._head = head
        self._report = report
        self._progress = progress
        self._context = Context(self._count, source=target.path if target.path != "-" else None)
        self._lacks_date = False
        self._newest: str | None = None
        self.summary = Summary()

    def _count(self, problem: Problem) -> None:
        self.summary.count(problem)
        self._report(problem)

    def run(self, inputs: _Inputs, steps: Sequence[Step], safeguards: Safeguards) -> Summary:
        if not isinstance(safeguards, Safeguards):
            kind = type(safeguards).__name__
            raise UsageError(f"safeguards are of type {kind}: pass Safeguards(…)")
        summary, output = self.summary, None
        _recover_output(self._target)
        counter = InputCounter(
            self._target.format, steps, summary, self._progress, self._set_head, self._context
        )
        parts = self._reject_overwrite(inputs(self._count, counter.on_read))
        unchanged = counter.batches(parts)
        batches: Iterator[Batch] = unchanged
        for step in steps:
            batches = self._run_step(step, batches)
        dropped = {name for step in steps for name in step.drops}
        try:
            for batch in self._arrange(batches, dropped):
                output = output or self._open(batch, safeguards.strict)
                if self._lacks_date and output.can_revise:
                    self._newest = find_newest_date(batch.entries, self._newest)
                output.add_batch(self._without_inherited(batch))
            unchanged.close()  # a step may have stopped before the end
            output = output or self._open(None, safeguards.strict)
            self._date_head(output)
            self._report_losses()
            self._report_limits(output)
            self._context.close()
            summary.failure = summary.reason_against(
                output, safeguards, self._context.problem
            ) or self._why_empty(output, steps, safeguards)
            if summary.failure:
                output.abort()
            else:
                summary.files = output.finish(self._head)
        except BaseException:
            if output:
                output.abort()
            raise
        return summary

    def _why_empty(self, output: Output, steps: Sequence[Step], safeguards: Safeguards) -> str:
        """Return why an output without entries must not be written; empty if writing is allowed."""
        if output.entries or safeguards.allow_empty or safeguards.partial:
            return ""
        return next(filter(None, (step.why_empty() for step in steps)), "")

    def _reject_overwrite(self, parts: Iterator[SourcePart]) -> Iterator[SourcePart]:
        """Raise UsageError if the output would replace a source in an unrelated format."""
        path, name, family = self._target.path, self._target.format.name, self._target.format.family
        for part in parts:
            is_alike = part.format in ("", name) or (part.family and part.family == family)
            if part.source and not is_alike and _are_same(path, part.source):
                raise UsageError(
                    f"{path}: the output would overwrite this source, which is in another "
                    f"format ({part.format} instead of {name}); pass another file"
                )
            yield part

    def _set_head(self, head: Head) -> None:
        self._head = override_head(head, self._head)

    def _arrange(self, batches: Iterator[Batch], dropped: Collection[str]) -> Iterator[Batch]:
        counted_batches = (self._count_not_held(batch, dropped) for batch in batches)
        target = self._target
        target_format, arranged = target.format.arranged(counted_batches, self._context)
        self._target = target._replace(format=target_format)
        yield from arranged

    def _run_step(self, step: Step, batches: Iterator[Batch]) -> Iterator[Batch]:
        def count(batches: Iterator[Batch], sign: int) -> Iterator[Batch]:
            for batch in batches:
                self.summary.left_out[step.name] += sign * len(batch)
                yield batch

        return count(step.run(count(batches, 1), self._context), -1)

    def _open(self, batch: Batch | None, strict: bool) -> Output:
        target_format = self._target.format
        if target_format.head:
            entries = batch.entries if batch else ()
            first = next((entry for entry in entries if entry.loc and uris.to_uri(entry.loc)), None)
            self._head = fit_head(self._head, first, target_format, self._context)
        if "updated" in target_format.head_needs and not self._head.updated:
            self._lacks_date = True
            self._head = replace(self._head, updated=clock.now())
        return _open_output(
            self._target, self._head, self._context, self._fetcher, is_buffered=strict
        )

    def _without_inherited(self, batch: Batch) -> Batch:
        """Drop authors that equal the authors of the feed, as Atom entries inherit them."""
        authors = self._head.authors
        if "authors" not in self._target.format.head_needs or "authors" not in batch.field_counts():
            return batch
        column = batch.column("authors")
        if authors not in column:
            return batch
        return batch.with_column("authors", [() if names == authors else names for names in column])

    def _date_head(self, output: Output) -> None:
        """Date a feed without a date by its newest entry if possible, else by the current time."""
        if not self._lacks_date:
            return
        origin = "the time of this run"
        if self._newest and output.can_revise:
            origin = "the date of its newest entry"
            self._head = replace(self._head, updated=self._newest)
        message = f"feed has no date; wrote {self._head.updated}, {origin}"
        self._context.problem("filled-in", message)

    def _report_limits(self, output: Output) -> None:
        limits, target = self._target.format.limits, self._target
        is_whole = not (target.base_url or target.limits or target.format.is_paged)
        is_meant = is_whole and (target.format.requires or target.path != "-")
        if limits and is_meant and output.entries > limits.entries:
            message = f"{output.entries:,} entries in one file: search engines accept"
            message += f" {limits.entries:,}; pass {option('base_url')} to write a set"
            self._context.problem("over-limit", message)

    def _count_not_held(self, batch: Batch, dropped: Collection[str]) -> Batch:
        if self._target.has_chosen_columns:
            return batch
        field_counts = batch.field_counts()
        for name in field_counts.keys() - self._target.format.holds:
            if name not in dropped:
                self.summary.not_held[name] += field_counts[name]
        return batch

    def _report_losses(self) -> None:
        summary, name = self.summary, self._target.format.name
        if summary.read and summary.read == summary.left_out.total():
            self._context.problem("empty", f"no entries left of {summary.read:,} read")
        elif not summary.read and summary.problems["listed-sitemap-skipped"]:
            self._context.problem("empty", "no entries read: no listed sitemap is selected")
        if summary.not_held:
            fields = _list_counts(summary.not_held)
            message = f"{name} does not support {fields}; dropped"
            self._context.problem("dropped-field", message, count=len(summary.not_held))


def _list_counts(counts: Counter[str]) -> str:
    """
    Format the number of entries per field; equal numbers are shown only once.

    >>> _list_counts(Counter(title=2, authors=2)), _list_counts(Counter(title=2, authors=1))
    ('authors, title (2 entries)', 'authors (1 entry), title (2 entries)')
    """
    numbers = {name: pluralize(counts[name], "entry", "entries") for name in sorted(counts)}
    if len(set(numbers.values())) == 1:
        return f"{', '.join(numbers)} ({min(numbers.values())})"
    return ", ".join(f"{name} ({number})" for name, number in numbers.items())


# ---- the output for a target: a stream, a file or set on disk, or a set in cloud storage


def _recover_output(target: Target) -> None:
    folder = os.path.dirname(os.path.realpath(target.path))
    if target.path != "-" and not is_storage(target.path) and is_pending(folder):
        with folder_lock(folder):
            recover(folder)


def _open_output(
    target: Target,
    head: Head,
    reporter: Reporter,
    fetcher: Fetcher | None = None,
    *,
    is_buffered: bool = False,
) -> Output:
    """Open an output; with `is_buffered`, nothing is written to a stream before `finish`."""
    fetcher = fetcher or Fetcher()
    if target.path == "-" or is_special(target.path):
        needs = (
            ("group_by", target.grouping),
            ("index", target.has_index),
            ("previous", target.previous),
        )
        if name := next((name for name, value in needs if value), ""):
            raise UsageError(f"{option(name)} is for a set of files: pass {option('output')}")
        return StreamOutput(target, head, reporter, is_buffered)
    if is_storage(target.path):
        from sitemapx.convert.outputs.storage import StorageOutput

        return StorageOutput(target, head, reporter, fetcher)
    from sitemapx.convert.outputs.sets import SetOutput

    return SetOutput(target, head, reporter, fetcher)
