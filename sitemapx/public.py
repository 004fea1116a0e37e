"""The functions of `import sitemapx`, imported on first use."""
# They combine the packages, so this module is the highest layer.

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.model.document import Document
from sitemapx.convert.model.problems import ProblemHandler, log
from sitemapx.convert.outputs.target import Target, target_of
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.sources.source import Source, SourcePart
from sitemapx.convert.summary import SAFE, Safeguards, Summary
from sitemapx.errors import UsageError

if TYPE_CHECKING:
    from sitemapx.check.findings import Finding
    from sitemapx.check.result import CheckResult
    from sitemapx.convert.steps.step import Step
    from sitemapx.submit.outcome import Outcome

__all__ = ["check", "convert", "read", "submit", "write"]

Sources = Source | Iterable[Source]


def read(
    sources: Sources,
    *,
    format: str | None = None,
    source_url: str | None = None,
    follow: bool = True,
    fetcher: Fetcher | None = None,
    report: ProblemHandler = log,
) -> Document:
    """
    Open sources, and return a document: iterate over it to get the entries.

    The sitemaps that an index lists are read as well; for a host name, all sitemaps of the site are
    read, as on the command line.

    Args:
        sources: A path, an http(s) URL, a host name, `-` for standard input, a binary stream, or
            several of them.
        format: Name of the format of the sources; None to detect it.
        source_url: Public URL of a file or directory; relative URLs are resolved against it.
        follow: Whether to read the sitemaps that an index lists, instead of the index itself.
        fetcher: Fetches URLs; None for a fetcher with default settings.
        report: Called with each problem as it is found; by default, problems are logged.

    Raises:
        InputError: If a source cannot be read; may also be raised while iterating.
        UsageError: If an option does not fit a source.

    Examples:
        >>> import io
        >>> [entry.loc for entry in read(io.BytesIO(b"https://example.com/"))]
        ['https://example.com/']

    """
    opener = Opener(format=format, url=source_url, follows=follow, fetcher=fetcher)
    parts = opener.open(_listed(sources), report)
    part = SourcePart.combine(parts)
    return Document(
        part.batches,
        head=part.head,
        is_index=part.is_index,
        family=part.family,
        holds=part.holds,
        format=part.format,
        source=part.source,
        close=parts.close,
    )


def write(
    entries: Iterable[object],
    output: str | os.PathLike[str],
    *,
    base_url: str | None = None,
    format: str | None = None,
    max_urls: int | None = None,
    safeguards: Safeguards = SAFE,
    report: ProblemHandler = log,
) -> Summary:
    """
    Write entries to a sitemap, a feed or a list; too many for one file become a set with an index.

    Args:
        entries: `Entry` objects, URLs, dicts or rows of databases with names of fields, tuples
            `(loc, lastmod, changefreq, priority)` from which values at the end may be missing,
            objects with the attribute `loc`, or a document from `read`. Dates and datetimes become
            W3C Datetimes; a datetime without a time zone is UTC.
        output: Path of the file, or of a directory.
        base_url: Public URL of the directory of the output. Relative URLs are resolved against it,
            and a set of files with an index requires it.
        format: Name of the format of the output; None to infer it from the name of the output.
        max_urls: Maximum number of entries per file, if lower than the limit of the format.
        safeguards: Conditions under which an existing output is replaced.
        report: Called with each problem as it is found; by default, problems are logged.

    Returns:
        Summary of what was written and lost; `failure` has the reason if a safeguard prevented
            writing.

    Raises:
        OutputError: If the output cannot be written.
        UsageError: If an entry or an option is invalid.

    Examples:
        >>> import tempfile
        >>> from datetime import date
        >>> path = os.path.join(tempfile.mkdtemp(), "sitemap.xml")
        >>> rows = [{"loc": "/", "lastmod": date(2026, 1, 1)}, {"loc": "/about"}]
        >>> write(rows, path, base_url="https://example.com/").written
        2

    """
    from sitemapx.convert.conversion import write as write_document

    target = target_of(output, format=format, base_url=base_url, max_urls=max_urls)
    if not isinstance(entries, Document):
        entries = Document.from_entries(_rows(entries), base_url)
    steps = _unique_steps(target)
    return write_document(entries, target, steps=steps, safeguards=safeguards, report=report)


def convert(
    sources: Sources,
    output: str | os.PathLike[str],
    *,
    base_url: str | None = None,
    format: str | None = None,
    source_url: str | None = None,
    follow: bool = True,
    steps: "Sequence[Step]" = (),
    max_urls: int | None = None,
    fetcher: Fetcher | None = None,
    safeguards: Safeguards = SAFE,
    report: ProblemHandler = log,
) -> Summary:
    """
    Read sources and write their entries to an output.

    Args:
        sources: See `read`.
        output: Path of the file, or of a directory.
        base_url: Public URL of the directory of the output; required for a set with an index.
        format: Name of the format of the output; None to infer it from the name of the output.
        source_url: Public URL of a file or directory; relative URLs are resolved against it.
        follow: Whether to read the sitemaps that an index lists, instead of the index itself.
        steps: Filters and changes; see `sitemapx.convert.steps`.
        max_urls: Maximum number of entries per file, if lower than the limit of the format.
        fetcher: Fetches URLs; None for a fetcher with default settings.
        safeguards: Conditions under which an existing output is replaced.
        report: Called with each problem as it is found; by default, problems are logged.

    Returns:
        Summary of what was read, written and lost; `failure` has the reason if a safeguard
            prevented writing.

    Raises:
        InputError: If a source cannot be read.
        OutputError: If the output cannot be written.
        UsageError: If an option does not fit a source or the output.

    """
    from sitemapx.convert.conversion import convert as convert_sources

    target = target_of(output, format=format, base_url=base_url, max_urls=max_urls)
    return convert_sources(
        _listed(sources),
        target,
        opener=Opener(url=source_url, follows=follow, fetcher=fetcher),
        steps=[*steps, *_unique_steps(target)],
        safeguards=safeguards,
        report=report,
    )


def check(
    sources: Sources,
    *,
    format: str | None = None,
    source_url: str | None = None,
    follow: bool = True,
    engine: str | None = None,
    codes: Collection[str] | None = None,
    fetcher: Fetcher | None = None,
    report: "Callable[[Finding], object] | None" = None,
) -> "CheckResult":
    """
    Check sources, and return the findings; an unreadable source is a finding as well.

    Args:
        sources: See `read`.
        format: Name of the format of the sources; None to detect it.
        source_url: Public URL of a file, to check the URLs that it may list.
        follow: Whether to check the sitemaps that an index lists.
        engine: Search engine whose documented rules are applied; None for the rules of the
            protocol.
        codes: Enabled codes; None for all.
        fetcher: Fetches URLs; None for a fetcher with default settings.
        report: Called with each finding instead of collecting it in the result.

    Raises:
        OutputError: If there is no space on disk for temporary data.
        UsageError: If an option does not fit a source, or `engine` or a code is unknown.

    Examples:
        >>> import io
        >>> urls = io.BytesIO(b"https://example.com/" + bytes([10]) + b"page 2")
        >>> [finding.code for finding in check(urls).findings]
        ['not-a-url']

    """
    from sitemapx.check.checker import check as check_sources

    opener = Opener(format=format, url=source_url, follows=follow, fetcher=fetcher)
    return check_sources(_listed(sources), opener=opener, engine=engine, codes=codes, report=report)


def submit(
    sources: "str | os.PathLike[str] | Iterable[str | os.PathLike[str]]" = (), **options: object
) -> "list[Outcome]":
    """
    Submit new, changed and removed URLs to search engines, like `sitemapx submit`.

    Args:
        sources: Path or URL of a sitemap, or several of them; empty for the sitemaps in the
            settings.
        options: Options of the command, such as `engine="indexnow"`, `dry_run=True`, `journal=path`
            or `source_url=url`; a list for an option that may be repeated. `--from` is `format`.

    Returns:
        The outcome of each batch: `engine`, `state`, the numbers of items that were `sent`,
        `accepted` and `refused`, and the `reason`; empty if nothing had to be sent. In a dry run,
        the outcomes of a submission in which everything is accepted.

    Raises:
        InputError: If a source cannot be read, or a safety check fails; nothing was sent.
        OutputError: If the journal or robots.txt cannot be written.
        UsageError: If an option is unknown or invalid, or no search engine is configured.

    """
    from sitemapx.cli.commands.submit.library import submit as run_submit

    names = [sources] if isinstance(sources, str | os.PathLike) else [*sources]
    for name in names:
        if not isinstance(name, str | os.PathLike):
            raise UsageError(f"source is of type {type(name).__name__}: pass a path or URL")
    return run_submit([os.fspath(name) for name in names], options)


def _unique_steps(target: Target) -> "list[Step]":
    """Return the step that keeps the IDs of a feed unique, as the command line does."""
    if not target.format.unique:
        return []
    from sitemapx.convert.steps.filters import unique

    return [unique(target.format.unique)]


def _listed(sources: Sources) -> Iterable[Source]:
    """Return sources as an iterable, even if the argument is a single source."""
    is_path = isinstance(sources, str | bytes | os.PathLike)
    is_single = is_path or hasattr(sources, "read") or hasattr(sources, "columns")
    if is_single or not isinstance(sources, Iterable):
        return [cast("Source", sources)]
    return cast("Iterable[Source]", sources)


def _rows(entries: Any) -> Iterator[object]:
    if isinstance(entries, str | bytes | os.PathLike | Mapping):
        raise UsageError(f"entries are a single {type(entries).__name__}: pass [{entries!r}]")
    # The results of SQLAlchemy, which can be iterated over, have a method of this name.
    if hasattr(entries, "columns") and not callable(entries.columns):
        kind = type(entries).__name__
        advice = (
            'df.to_dicts() of polars, df.to_dict("records") of pandas, '
            "or table.to_pylist() of pyarrow"
        )
        raise UsageError(f"entries are a {kind}: pass its rows as dicts: {advice}")
    try:
        return iter(entries)
    except TypeError:
        kind = type(entries).__name__
        raise UsageError(f"entries are of type {kind}: pass a list of them") from None
