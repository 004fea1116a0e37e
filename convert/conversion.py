"""
The whole way from sources to an output; what `sitemapx convert` does.

    sources ─► reader ─► batches of entries ─► writer ─► output
"""

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import partial
from typing import NamedTuple

from sitemapx.convert.document import Batch, Document, Head
from sitemapx.convert.entry import Entry
from sitemapx.convert.following import Mapping, follow
from sitemapx.convert.formats import Format, Limits, by_name, by_suffix
from sitemapx.convert.heads import completed, overridden
from sitemapx.convert.outputs import Output, Target, Written, open_output
from sitemapx.convert.problems import PROBLEMS, Context, Problem, Report, ignore
from sitemapx.convert.reading import Source, read
from sitemapx.convert.steps import Step, without
from sitemapx.errors import UsageError

__all__ = ["Summary", "convert", "target_of", "write"]

#: Problems that cost no entry: with these alone an empty output is what the source says.
_NO_LOSS = frozenset({"empty", "namespace", "doctype", "encoding", "completed", "unknown-element"})
Progress = Callable[[int, int], None]


@dataclass
class Summary:
    """
    What a conversion did.

    Attributes:
        read: How many entries were read.
        files: What was written; empty if the run failed under `strict`.
        problems: How often each code was reported.
        not_held: How many entries had a value for which the target format has no place, by field.
        failure: Why the output was not written; empty if it was.

    """

    read: int = 0
    files: list[Written] = dataclass_field(default_factory=list)
    problems: Counter[str] = dataclass_field(default_factory=Counter)
    not_held: Counter[str] = dataclass_field(default_factory=Counter)
    failure: str = ""

    @property
    def written(self) -> int:
        """How many entries were written."""
        return sum(one.entries for one in self.files if not one.is_index)

    @property
    def has_errors(self) -> bool:
        """Whether more was lost than single entries and values."""
        return any(PROBLEMS[code].severity == "error" for code in self.problems)


def target_of(
    output: str,
    *,
    format: str | None = None,
    base_url: str | None = None,
    max_urls: int | None = None,
    max_bytes: int | None = None,
    compress: bool = False,
) -> Target:
    """
    Make a target of what a person says of it.

    Args:
        output: A file, a folder, or `-` for standard output.
        format: The name of the format; else the name of the output tells it.
        base_url: Where the output will be served.
        max_urls: Fewer entries for each file than the format allows.
        max_bytes: Fewer bytes likewise.
        compress: Whether to gzip; also if the output is called `.gz`.

    Raises:
        UsageError: If the format is not said or not known, or a limit is above the format's.

    """
    form = by_name(format) if format else by_suffix(output)
    if form is None:
        if output == "-":
            raise UsageError("no format to write; name it with --to")
        raise UsageError(f"the name {output} tells no format to write; name it with --to")
    if os.path.isdir(output) or output.endswith(os.sep):
        suffix = form.suffixes[0] if form.suffixes else ".xml"
        output = os.path.join(output, f"sitemap{suffix}")
    compress = compress or output.endswith(".gz")
    if compress and output != "-" and not output.endswith(".gz"):
        output += ".gz"
    if base_url is not None:
        base_url = base_url.rstrip("/") + "/"
    asks_for_limits = base_url is not None or max_urls is not None or max_bytes is not None
    limits = form.limits if form.is_published or asks_for_limits else None
    if max_urls is not None or max_bytes is not None:
        limits = _lowered(form, max_urls, max_bytes)
    return Target(output, form, limits, base_url, compress)


def _lowered(form: Format, max_urls: int | None, max_bytes: int | None) -> Limits:
    most = form.limits or Limits(2**63, 2**63)
    if (max_urls or 0) > most.entries or (max_bytes or 0) > most.size:
        raise UsageError(
            f"a file of the format {form.name} holds at most {most.entries:,} URLs "
            f"and {most.size:,} bytes"
        )
    return most._replace(entries=max_urls or most.entries, size=max_bytes or most.size)


def convert(
    sources: Iterable[Source],
    target: Target,
    *,
    source_format: str | None = None,
    source_url: str | None = None,
    follow_indexes: bool = True,
    mappings: Sequence[Mapping] = (),
    head: Head | None = None,
    steps: Sequence[Step] = (),
    strict: bool = False,
    report: Report = ignore,
    progress: Progress | None = None,
) -> Summary:
    """
    Read sources one after the other, and write all their entries to one output.

    Args:
        sources: Paths, `-` for standard input, or binary streams.
        target: What to write; `target_of` makes one.
        source_format: The format of the sources, where their contents are not to decide.
        source_url: Where the source is published.
        follow_indexes: Whether an index stands for the sitemaps that it lists, or for itself.
        mappings: Where the files of an index are on disk.
        head: What a feed is to say of itself, instead of what the first source says.
        steps: What to do with the entries on the way (see `sitemapx.convert.steps`).
        strict: Whether a problem, of whatever kind, keeps the output from being written.
        report: Is told of problems as they come.
        progress: Is told from time to time how many entries and (packed) bytes were read so far.

    Raises:
        InputError: If a source cannot be read; the output is left as it was.
        OutputError: If the output cannot be written, likewise.
        UsageError: If the target cannot take what is in the sources, likewise.

    >>> import io, tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "sitemap.xml")
    >>> urls = io.BytesIO(b"https://example.com/")
    >>> convert([urls], target_of(path)).written
    1

    """
    wanted = None if steps else target.format.holds
    inputs = _Inputs(source_format, source_url, follow_indexes, mappings, wanted)
    return _Run(target, head or Head(), report, progress or _no_progress).do(
        partial(inputs.open, sources), steps, strict=strict
    )


def write(
    document: Document,
    target: Target,
    *,
    head: Head | None = None,
    steps: Sequence[Step] = (),
    strict: bool = False,
    report: Report = ignore,
) -> Summary:
    """
    Write the entries of a document to an output.

    Raises:
        OutputError: If the output cannot be written; it is left as it was.
        UsageError: If the target cannot take what is in the document, likewise.

    >>> import tempfile, os
    >>> from sitemapx.convert import Entry
    >>> path = os.path.join(tempfile.mkdtemp(), "urls.txt")
    >>> write(Document.of([Entry(loc="https://example.com/")]), target_of(path)).written
    1

    """
    inputs = [_Input(document.head, document.family, document.batches)]
    return _Run(target, head or Head(), report, _no_progress).do(
        lambda report, on_read: iter(inputs), steps, strict=strict
    )


def _no_progress(entries: int, size: int) -> None:
    pass


class _Input(NamedTuple):
    """A source: its head, the family of its format, and its batches."""

    head: Head
    family: str
    batches: Iterator[Batch]


#: Opens inputs, given whom to tell of problems, and of bytes that were read.
_Opener = Callable[[Report, Callable[[int], None]], Iterator[_Input]]


class _Inputs(NamedTuple):
    """How to open sources, and follow indexes."""

    format: str | None
    url: str | None
    follows: bool
    mappings: Sequence[Mapping]
    wanted: Collection[str] | None

    def open(
        self, sources: Iterable[Source], report: Report, on_read: Callable[[int], None]
    ) -> Iterator[_Input]:
        """Open one source after the other; each is closed when the next is asked for."""
        opened = partial(read, report=report, on_read=on_read, wanted=self.wanted)
        for source in sources:
            with opened(source, format=self.format, source_url=self.url) as document:
                batches = document.batches
                if document.is_index and self.follows:
                    context = Context(report, source=str(source))
                    mappings = [*self.mappings, *self._neighbours(source)]
                    seen = {os.path.realpath(str(source))}
                    batches = follow(document, opened, mappings, context, seen)
                yield _Input(document.head, document.family, batches)

    def _neighbours(self, source: Source) -> Iterator[Mapping]:
        """Where a file is and where it is published says the same of the files beside it."""
        if self.url and isinstance(source, str | os.PathLike) and source != "-":
            folder = os.path.dirname(os.fspath(source)) or "."
            yield Mapping.of(self.url.rpartition("/")[0], folder)


class _Run:
    """One run: all that is read is counted on its way to the output."""

    def __init__(self, target: Target, head: Head, report: Report, progress: Progress) -> None:
        self._target = target
        self._head = head
        self._report = report
        self._progress = progress
        self._context = Context(self._count, source=target.path if target.path != "-" else None)
        self._size = 0
        self.summary = Summary()

    def _count(self, problem: Problem) -> None:
        self.summary.problems[problem.code] += 1
        self._report(problem)

    def _on_read(self, count: int) -> None:
        self._size += count

    def do(self, inputs: _Opener, steps: Sequence[Step], *, strict: bool) -> Summary:
        """Read, write, and let the output appear."""
        summary, output = self.summary, None
        batches = self._read(inputs(self._count, self._on_read))
        for step in steps:
            batches = step(batches)
        try:
            for batch in batches:
                self._count_not_held(batch)
                output = output or self._open(batch.entries[0], strict)
                output.add(batch)
                self._progress(summary.read, self._size)
            output = output or self._open(None, strict)
            self._report_not_held()
            self._context.close()
            if strict and summary.problems:
                summary.failure = "there are problems, and --strict lets none pass"
            elif not output.entries and summary.problems.keys() - _NO_LOSS:
                summary.failure = "no entry is left of what was read"
            if summary.failure:
                output.abort()
            else:
                summary.files = output.finish()
        except BaseException:
            if output:
                output.abort()
            raise
        return summary

    def _read(self, inputs: Iterator[_Input]) -> Iterator[Batch]:
        """Read one source after the other; the head of the first is that of the output."""
        is_first = True
        for head, family, batches in inputs:
            if is_first:
                is_first, self._head = False, overridden(head, self._head)
            if family and self._target.format.family not in ("", family):
                batches = without(["extras"])(self._noting_extras(batches))  # noqa: PLW2901
            for batch in batches:
                self.summary.read += len(batch)
                yield batch

    def _noting_extras(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        for batch in batches:
            if count := batch.census().get("extras"):
                self.summary.not_held["extras"] += count
            yield batch

    def _open(self, first: Entry | None, strict: bool) -> Output:
        head = self._head
        if self._target.format.family == "feed":
            head = completed(head, first, self._context)
        return open_output(self._target, head, self._context, keep_back=strict)

    def _count_not_held(self, batch: Batch) -> None:
        census = batch.census()
        for name in census.keys() - self._target.format.holds:
            self.summary.not_held[name] += census[name]

    def _report_not_held(self) -> None:
        name = self._target.format.name
        for field, count in sorted(self.summary.not_held.items()):
            entries = "entry" if count == 1 else "entries"
            said = f"{name} has no place for {field} ({count:,} {entries})"
            self._context.problem("not-held", said)
