"""Writes the entries of all tasks of a job as one set of XML sitemaps."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from logging import getLogger
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from uuid import uuid4

from pyspark.sql.datasource import DataSourceArrowWriter, WriterCommitMessage

from sitemapx.convert.arrow.columns import DERIVED
from sitemapx.convert.disk.atomic import FileDraft
from sitemapx.convert.formats.arrow.columnar import ColumnarReader
from sitemapx.convert.formats.csv.header import find_field
from sitemapx.convert.formats.format import Context
from sitemapx.convert.model.batch import FIELDS
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.problems import LOSSLESS, Problem
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.outputs.splitter import FileSplitter
from sitemapx.convert.outputs.target import target_of
from sitemapx.convert.sources.source import is_storage, local_path, source_name
from sitemapx.convert.values.words import join_words, pluralize
from sitemapx.errors import OutputError, UsageError
from sitemapx.spark.options import WriterOptions, spark_name
from sitemapx.spark.shipping import Shipped
from sitemapx.spark.storedset import StoredSet

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass
class TaskResult(WriterCommitMessage):
    """
    Result that a task sends to the driver.

    Attributes:
        files: Names of the stored files.
        entries: Number of written entries.
        problems: Number of problems, by code.
        examples: First problem of each code, as text.
        unsupported: Number of entries with a value that sitemaps do not support, by field.

    """

    files: list[str] = field(default_factory=list)
    entries: int = 0
    problems: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    unsupported: Counter[str] = field(default_factory=Counter)

    def count_problem(self, problem: Problem) -> None:
        """
        Count a problem by its code; ignore "empty", as a task may have no rows.

        Raises:
            OutputError: If rows cannot be read.

        """
        if problem.code == "truncated":
            raise OutputError(f"rows cannot be read: {problem.message}")
        if problem.code != "empty":
            self.problems[problem.code] += problem.times
            self.examples.setdefault(problem.code, str(problem))

    def report_missing_urls(self, count: int) -> None:
        Reporter(self.count_problem).problem("no-loc", "rows without a URL; skipped", count=count)

    def merge(self, other: "TaskResult") -> None:
        self.files += other.files
        self.entries += other.entries
        self.problems += other.problems
        self.examples = other.examples | self.examples
        self.unsupported += other.unsupported


class SitemapSetWriter(Shipped, DataSourceArrowWriter):
    """
    Writes a set: tasks store files, and the driver publishes them together.

    Raises:
        OutputError: If storage cannot be accessed, or the job cannot add to the present set.
        UsageError: If an option or a column is invalid.

    """

    def __init__(self, options: WriterOptions, columns: Sequence[str], overwrite: bool) -> None:
        _check_columns(columns)
        folder = local_path(options.folder)
        if folder is None:
            name = source_name(options.folder)
            raise UsageError(f"cannot write to {name}: pass a path or an fsspec URL")
        folder = folder.rstrip("/") if is_storage(folder) else os.path.abspath(folder)
        path = f"{folder}/{options.name}.xml{'.gz' * options.compress}"
        if os.path.isdir(path):
            raise OutputError.from_os_error(path, IsADirectoryError())
        self._target = target_of(
            path,
            base_url=options.base_url,
            max_urls=options.max_urls or None,
            max_bytes=options.max_bytes or None,
        )
        self._strict = options.strict
        self._overwrite = overwrite
        self._set = StoredSet(self._target, uuid4().hex[:12])
        self._set.reject_sibling()
        self._before = self._set.read_published()
        if overwrite and not self._before.is_own:
            message = "%s was not made by sitemapx with this baseUrl, and will be replaced"
            getLogger("sitemapx").warning(message, self._set.name)
        if not (overwrite or self._before.is_own):
            message = "is not the index of a set by sitemapx with this baseUrl, or was edited"
            raise OutputError(f"{self._set.name} {message}; use mode('overwrite') to replace it")
        self._set.mark_running()

    def write(self, iterator: "Iterator[pa.RecordBatch]") -> TaskResult:
        task = TaskResult()
        first = next(iterator, None)
        if first is None:
            return task
        reader = ColumnarReader(first.schema, Context(task.count_problem, source="row"))
        rows = _drop_rows_without_url(chain([first], iterator), task)
        target, reporter, attempt = self._target, Reporter(task.count_problem), uuid4().hex
        with TemporaryDirectory(prefix="sitemapx-") as folder:

            def new_draft(number: str) -> FileDraft:
                return FileDraft(os.path.join(folder, number), packer=target.packer)

            writer = target.format.writer(reporter)
            files = FileSplitter(writer, Head(), target.limits, reporter, new_draft)
            for batch in reader.batches(rows):
                for name, count in batch.field_counts().items():
                    if name not in (*target.format.holds, "source"):
                        task.unsupported[name] += count
                files.add_batch(batch)
                self._store_full_files(files, task, attempt, is_last=False)
            files.finish()
            self._store_full_files(files, task, attempt, is_last=True)
        return task

    def _store_full_files(
        self, files: FileSplitter, task: TaskResult, attempt: str, *, is_last: bool
    ) -> None:
        """Store full files, or all if `is_last`, and remove them from the disk of the worker."""
        full = files.files if is_last else files.files[:-1]
        for file in full[len(task.files) :]:
            if not file.entries:
                continue
            name = f"{attempt}-{file.name}{'.gz' * self._target.compress}"
            self._set.store(file.draft.path, name)
            file.draft.discard()
            task.files.append(name)
            task.entries += file.entries

    def commit(self, messages: "list[WriterCommitMessage | None]") -> None:
        """Publish the files of all tasks, unless `_reject_losses` raises an error."""
        job = TaskResult()
        for message in messages:
            if isinstance(message, TaskResult):
                job.merge(message)
        try:
            self._reject_losses(job)
            self._set.publish(job.files, self._before, overwrite=self._overwrite)
        finally:
            self._set.clear()

    def _reject_losses(self, job: TaskResult) -> None:
        """Log problems; raise OutputError if `strict` forbids them, or if there are no entries."""
        log = getLogger("sitemapx")
        for code, count in job.problems.items():
            log.warning("%s, such as %s", pluralize(count, "problem"), job.examples[code])
        for name, count in job.unsupported.items():
            lost = pluralize(count, "entry", "entries")
            log.warning("sitemap does not support %r (dropped in %s)", name, lost)
        reasons = []
        if losses := job.problems.keys() - LOSSLESS:
            reasons.append(f"there are problems ({join_words(sorted(losses), 'and')})")
        if job.unsupported:
            names = join_words(sorted(job.unsupported), "and")
            reasons.append(f"sitemaps do not support all columns ({names})")
        if self._strict and reasons:
            message = f"{', and '.join(reasons)}, with {spark_name('strict', 'true')}"
            raise OutputError(f"nothing was written to {self._set.name}: {message}")
        if not job.entries:
            why = f" ({next(iter(job.examples.values()))})" if job.examples else ""
            message = f"nothing was written to {self._set.name}: there are no entries"
            raise OutputError(f"{message}{why}")

    def abort(self, messages: "list[WriterCommitMessage | None]") -> None:
        self._set.clear()


def _drop_rows_without_url(
    records: "Iterator[pa.RecordBatch]", task: TaskResult
) -> "Iterator[pa.RecordBatch]":
    for record in records:
        (column,) = (name for name in record.schema.names if find_field(name) == "loc")
        locs = record.column(column)
        if locs.null_count:
            task.report_missing_urls(locs.null_count)
            record = record.filter(locs.is_valid())  # noqa: PLW2901
        yield record


def _check_columns(columns: Sequence[str]) -> None:
    """Raise UsageError for unknown or ambiguous columns, or if there is no URL column."""
    unknown = [name for name in columns if not (name in DERIVED or find_field(name))]
    if unknown:
        names, known = join_words(list(map(repr, unknown)), "and"), ", ".join(FIELDS)
        raise UsageError(f"entries have no column {names}: drop it, or rename it (to {known})")
    fields = [find_field(name) for name in columns if name not in DERIVED]
    for name in columns:
        if fields.count(find_field(name)) > 1:
            raise UsageError(f"column {name!r} is one of two for the same field: drop one")
    if "loc" not in fields:
        raise UsageError(f"no column with URLs: expected loc (its columns: {', '.join(columns)})")
