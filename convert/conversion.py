"""
The whole way from sources to an output; what `sitemapx convert` does.

    sources ─► reader ─► batches of entries ─► writer ─► output
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import partial
from itertools import chain

from sitemapx.convert.document import Batch, Document, Head
from sitemapx.convert.entry import Entry
from sitemapx.convert.following import Input
from sitemapx.convert.heads import completed, overridden
from sitemapx.convert.opening import Opener
from sitemapx.convert.outputs import Output, Written, open_output
from sitemapx.convert.problems import PROBLEMS, Context, Problem, Report, ignore
from sitemapx.convert.reading import Source
from sitemapx.convert.steps import Step
from sitemapx.convert.targets import Target

__all__ = ["Summary", "convert", "write"]

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
        left_out: How many entries each step left out, by its name.
        not_held: How many entries had a value for which the target format has no place, by field.
        failure: Why the output was not written; empty if it was.

    """

    read: int = 0
    files: list[Written] = dataclass_field(default_factory=list)
    problems: Counter[str] = dataclass_field(default_factory=Counter)
    left_out: Counter[str] = dataclass_field(default_factory=Counter)
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


def convert(
    sources: Iterable[Source],
    target: Target,
    *,
    opener: Opener | None = None,
    head: Head | None = None,
    steps: Sequence[Step] = (),
    strict: bool = False,
    report: Report = ignore,
    progress: Progress | None = None,
) -> Summary:
    """
    Read sources one after the other, and write all their entries to one output.

    Args:
        sources: Paths, http(s) URLs, hosts, `-` for standard input, or binary streams.
        target: What to write; `target_of` makes one.
        opener: How to open the sources, where their contents do not tell all.
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
    >>> from sitemapx.convert import target_of
    >>> path = os.path.join(tempfile.mkdtemp(), "sitemap.xml")
    >>> urls = io.BytesIO(b"https://example.com/")
    >>> convert([urls], target_of(path)).written
    1

    """
    inputs = partial((opener or Opener()).open, sources, wanted=_wanted(steps, target))
    run = _Run(target, head or Head(), report, progress or _no_progress)
    return run.do(inputs, steps, strict=strict)


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
    >>> from sitemapx.convert import Entry, target_of
    >>> path = os.path.join(tempfile.mkdtemp(), "urls.txt")
    >>> write(Document.of([Entry(loc="https://example.com/")]), target_of(path)).written
    1

    """
    inputs = [Input.of(document)]
    return _Run(target, head or Head(), report, _no_progress).do(
        lambda report, on_read: iter(inputs), steps, strict=strict
    )


def _wanted(steps: Sequence[Step], target: Target) -> Collection[str] | None:
    """List the fields that anybody looks at; None for all."""
    needs = [step.needs for step in steps]
    return None if None in needs else {*target.format.holds, *chain(*filter(None, needs))}


def _no_progress(entries: int, size: int) -> None:
    pass


#: Opens inputs, given whom to tell of problems, and of bytes that were read.
_Inputs = Callable[[Report, Callable[[int], None]], Iterator[Input]]


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
        self._progress(self.summary.read, self._size)

    def do(self, inputs: _Inputs, steps: Sequence[Step], *, strict: bool) -> Summary:
        """Read, write, and let the output appear."""
        summary, left_out, output = self.summary, self.summary.left_out, None
        batches = self._read(inputs(self._count, self._on_read))
        for step in steps:
            batches = self._through(step, batches)
        try:
            for batch in batches:
                self._count_not_held(batch)
                output = output or self._open(batch.entries[0], strict)
                output.add(batch)
            output = output or self._open(None, strict)
            self._report_losses()
            self._context.close()
            if strict and summary.problems:
                summary.failure = "there are problems, and --strict lets none pass"
            elif summary.problems.keys() - _NO_LOSS and not output.entries + left_out.total():
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

    def _read(self, inputs: Iterator[Input]) -> Iterator[Batch]:
        """Read one source after the other; the head of the first is that of the output."""
        is_first = True
        for one in inputs:
            batches = one.batches
            if is_first:
                is_first, self._head = False, overridden(one.head, self._head)
            if one.family and self._target.format.family not in ("", one.family):
                batches = self._without_extras(batches)
            for batch in batches:
                self.summary.read += len(batch)
                self._progress(self.summary.read, self._size)
                yield batch

    def _without_extras(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        for batch in batches:
            if count := batch.census().get("extras"):
                self.summary.not_held["extras"] += count
            yield batch.without(["extras"])

    def _through(self, step: Step, batches: Iterator[Batch]) -> Iterator[Batch]:
        """Let a step run, and count what it leaves out."""

        def counted(batches: Iterator[Batch], sign: int) -> Iterator[Batch]:
            for batch in batches:
                self.summary.left_out[step.name] += sign * len(batch)
                yield batch

        return counted(step.run(counted(batches, 1), self._context), -1)

    def _open(self, first: Entry | None, strict: bool) -> Output:
        head = self._head
        if self._target.format.family == "feed":
            head = completed(head, first, self._context)
        return open_output(self._target, head, self._context, keep_back=strict)

    def _count_not_held(self, batch: Batch) -> None:
        census = batch.census()
        for name in census.keys() - self._target.format.holds:
            self.summary.not_held[name] += census[name]

    def _report_losses(self) -> None:
        summary, name = self.summary, self._target.format.name
        if summary.read and summary.read == summary.left_out.total():
            self._context.problem("empty", f"none of {summary.read:,} entries is left")
        for field, count in sorted(summary.not_held.items()):
            entries = "entry" if count == 1 else "entries"
            said = f"{name} has no place for {field} ({count:,} {entries})"
            self._context.problem("not-held", said)
