"""Targets: path, format, limits and grouping of an output, and its location on disk."""

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from sitemapx.convert.disk.atomic import GzipPacker
from sitemapx.convert.disk.draft import Packer
from sitemapx.convert.disk.lock import folder_lock, remove_leftovers
from sitemapx.convert.disk.swap import Swap, recover, swap_in
from sitemapx.convert.formats.format import Format
from sitemapx.convert.formats.limits import Limits
from sitemapx.convert.formats.pages import Layout
from sitemapx.convert.formats.registry import all_formats, by_name, by_suffix
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.outputs.published import PublishedSet, set_names
from sitemapx.convert.sources.urlmap import folder_address
from sitemapx.convert.values.urls import Matcher, is_absolute, matcher
from sitemapx.convert.values.words import join_words, require_count, require_text
from sitemapx.errors import OutputError, UsageError
from sitemapx.optionnames import option
from sitemapx.patterns import lazy_pattern
from sitemapx.suggestions import find_closest_suffix

#: Matches names of groups: valid in file names, and distinct from names of indexes, halved groups,
#: and unnamed groups.
GROUP_NAME = lazy_pattern(r"(?!(?:root|undated)$|index-|.*\.[01]+$)[a-z0-9][a-z0-9._-]{0,79}")
#: Name of the group for URLs that belong to no other group.
REST = "rest"


#: Fields, besides the URL, that determine the group of an entry, by rule.
GROUPED_FIELDS = {
    "host": (),
    "year": ("lastmod", "published"),
    "age": ("lastmod", "published"),
    "changefreq": ("changefreq",),
    "language": ("language", "alternates", "news"),
    "kind": ("news", "videos", "images"),
}


class Grouping(NamedTuple):
    """
    Rule that groups URLs; each group becomes one or more files of the set.

    Attributes:
        by: "path", "name" or one of `GROUPED_FIELDS`.
        depth: For "path": number of directories, from the root.
        patterns: For "name": names of groups, and matchers of their URLs.

    """

    by: str
    depth: int = 1
    patterns: tuple[tuple[str, Matcher], ...] = ()

    @classmethod
    def parse(cls, texts: Sequence[str]) -> "Grouping":
        """
        Parse a rule such as `host` or `path:N`, or rules of the form `NAME=PATTERN`.

        Raises `UsageError` if a rule is invalid.

        >>> Grouping.parse(["path:2"])
        Grouping(by='path', depth=2, patterns=())
        """
        if len(texts) == 1 and "=" not in texts[0]:
            if texts[0] in GROUPED_FIELDS:
                return cls(texts[0])
            m = re.fullmatch(r"path(?::([1-9]))?", texts[0])
            if m is None:
                names = ", ".join(GROUPED_FIELDS)
                expected = f"expected {names}, or path:N for N directories"
                raise UsageError(f"cannot group by {texts[0]!r}: {expected}")
            return cls("path", int(m[1] or 1))
        patterns = []
        for text in texts:
            name, _, pattern = text.partition("=")
            if name == REST:
                raise UsageError(f"cannot group by {text!r}: {name} is reserved for all other URLs")
            if not (pattern and GROUP_NAME.fullmatch(name)):
                form = "lower-case letters, digits, '.', '-' and '_' (no number after a last dot)"
                raise UsageError(f"cannot group by {text!r}: expected NAME=PATTERN: {form}")
            patterns.append((name, matcher(pattern)))
        return cls("name", patterns=tuple(patterns))


class Target(NamedTuple):
    """
    Path, format and options of an output.

    Attributes:
        path: Path or cloud storage URL of the file, or `-` for standard output.
        format: Format of the file.
        limits: Limits of a single file; None for no limits.
        base_url: Public URL of the output directory, with a trailing slash. If it is set, an output
            that exceeds the limits becomes a set of files with an index.
        compress: Whether to compress the output with gzip.
        grouping: Rule that groups URLs into the files of a set; None to fill one file after the
            other.
        has_index: Whether there is an index even for a single file.
        previous: Path or URL of the index of an earlier build. Sitemaps that have not changed keep
            their date in that index; None to compare only with the files that are replaced.
        durable: Whether all files are flushed to disk before they replace the existing ones.
        layout: Layout of pages, for formats with pages.
        has_chosen_columns: Whether the caller chose the columns; other fields are not reported.
        with_source: Whether `convert` sets `Entry.source` to the source of each entry.

    """

    path: str
    format: Format
    limits: Limits | None = None
    base_url: str | None = None
    compress: bool = False
    grouping: Grouping | None = None
    has_index: bool = False
    previous: str | None = None
    durable: bool = False
    layout: Layout = Layout()
    has_chosen_columns: bool = False
    with_source: bool = False

    @property
    def packer(self) -> Callable[[], Packer] | None:
        """Function that creates the packer of a file; None if files are written as they are."""
        if self.compress:
            return GzipPacker
        return self.format.new_packer if self.format.packer else None

    @property
    def page_limit(self) -> int | None:
        """Maximum number of links on a page of a set of pages; None for a single page."""
        limits = None if self.layout.is_fragment else self.limits or self.format.limits
        return limits.entries if limits else None


def target_of(
    output: str | os.PathLike[str],
    *,
    format: str | None = None,
    base_url: str | None = None,
    max_urls: int | None = None,
    max_bytes: int | None = None,
    compress: bool = False,
    group_by: str | Sequence[str] | None = None,
    index: bool = False,
    previous: str | None = None,
    columns: Sequence[str] = (),
    with_source: bool = False,
    durable: bool = False,
    template: str | None = None,
    fragment: bool = False,
) -> Target:
    """
    Create a target; the format is inferred from the file name if it is not given.

    Args:
        output: Path of a file or a directory, cloud storage URL of a file, or `-` for standard
            output. In a directory, the file is called `sitemap` with the extension of the format.
        format: Name of the format; None to infer it from the name of the output.
        base_url: Public URL of the output directory; required for a set of files with an index.
        max_urls: Maximum number of entries per file, if lower than the limit of the format.
        max_bytes: Maximum size of a file in bytes, if lower than the limit of the format.
        compress: Whether to compress with gzip, and add `.gz` to the name; always if it ends so.
        group_by: How to group URLs into the files of a set: "host", "path" (first directory),
            "path:N" (first N directories), "year" (of the last change), "age" (the last change at
            most 7 or 30 days ago, or older), "changefreq", "language", "kind" (news, videos, images
            or pages), or a list of names with patterns of URLs such as `["blog=/blog/*"]`; URLs
            that belong to no group share the file `rest`.
        index: Whether to write an index even for a single file.
        previous: Path or http(s) URL of the index of an earlier build. Sitemaps that have not
            changed since then keep their date in that index, even if the output does not exist yet.
        columns: Columns of CSV, TSV, SQLite, Parquet or Arrow: names of `Entry` fields. In the
            first three, `loc` must be among them. In CSV and TSV, "languages" alone means a table
            with a row for each set of alternates and a column for each language.
        with_source: Whether `convert` writes the source of each entry (`Entry.source`); also if
            `columns` has "source".
        durable: Whether to flush all files to disk before they replace the existing ones.
        template: Path of a Jinja2 template for the pages of a site map in HTML.
        fragment: Whether to write a site map in HTML without the document around it.

    Raises:
        UsageError: If the output is a URL; if the format is unknown, cannot be inferred or written,
            or does not support an option or column; if a maximum is above the limit of the format;
            if `base_url` is not the URL of a directory; if `group_by` is invalid; or if `group_by`,
            `index` or `previous` is given without `base_url`.

    Examples:
        >>> target = target_of("public/sitemap.xml.gz", base_url="https://example.com")
        >>> target.format.name, target.compress, target.base_url
        ('sitemap', True, 'https://example.com/')

    """
    if not isinstance(output, str | os.PathLike):
        raise UsageError(f"output is of type {type(output).__name__}: pass the path of a file")
    output = os.fspath(output)
    if is_absolute(output):
        raise UsageError(
            f"{option('output')} is a URL: pass the path of a file; the public URL of its "
            f"directory is for {option('base_url')}"
        )
    target_format = by_name(format) if format else by_suffix(output)
    if target_format is None:
        raise UsageError(_why_unknown(output))
    if target_format.write is None:
        target_format.writer(Reporter())  # raises if the format can only be read
    target_format = _with_columns(target_format, columns, with_source=with_source)
    if os.path.isdir(output) or output.endswith(("/", os.sep)):
        suffix = target_format.suffixes[0] if target_format.suffixes else ".xml"
        output = os.path.join(output, f"sitemap{suffix}")
    compress = compress or output.endswith(".gz")
    sets = {"group_by": group_by, "index": index}
    divisions = {**sets, "max_bytes": max_bytes, "max_urls": max_urls}
    if target_format.magic:
        _reject_set_options(target_format, divisions)
    if compress and target_format.packer:
        extra = ".gz in the name" if output.endswith(".gz") else option("compress")
        raise UsageError(f"{target_format.name} files are always compressed: omit {extra}")
    if compress and output != "-" and not output.endswith(".gz"):
        output += ".gz"
    for name, most in {"max_urls": max_urls, "max_bytes": max_bytes}.items():
        if most is not None:
            require_count(name, most)
    if base_url is not None:
        require_text("base_url", base_url, "https://example.com/")
        base_url = folder_address(base_url)
    layout = Layout(template, fragment)
    _require_pages(target_format, layout)
    if target_format.is_paged:
        _reject_page_options(layout, divisions)
    has_limits = base_url is not None or max_urls is not None or max_bytes is not None
    limits = target_format.limits if target_format.is_published or has_limits else None
    if max_urls is not None or max_bytes is not None:
        limits = _lower_limits(target_format, max_urls, max_bytes)
    rules = [group_by] if isinstance(group_by, str) else list(group_by or ())
    grouping = Grouping.parse(rules) if rules else None
    for name in filter(sets.get, sets):
        if base_url is None:
            raise UsageError(
                f"{option(name)} writes a set with an index: pass {option('base_url')}, "
                "the public URL of the output directory"
            )
    if previous is not None:
        _require_index(target_format, base_url)
    chosen = (output, target_format, limits, base_url, compress, grouping, index, previous)
    return Target(
        *chosen,
        durable,
        layout,
        has_chosen_columns=bool(columns),
        with_source=with_source or (bool(columns) and "source" in target_format.holds),
    )


def _require_index(target_format: Format, base_url: str | None) -> None:
    if target_format.magic or target_format.is_paged:
        message = f"compares sitemaps with those of an index; {target_format.name} has none"
        raise UsageError(f"{option('previous')} {message}")
    if base_url is None:
        raise UsageError(
            f"{option('previous')} compares a set with that of an index: pass "
            f"{option('base_url')}, the public URL of the output directory"
        )


def _require_pages(target_format: Format, layout: Layout) -> None:
    if not target_format.is_paged and (layout.template or layout.is_fragment):
        name = option("template" if layout.template else "fragment")
        raise UsageError(f"{name} is for HTML; {target_format.name} does not support it")


def _reject_set_options(target_format: Format, divisions: Mapping[str, object]) -> None:
    for name in filter(divisions.get, divisions):
        message = f"makes a set with an index, which cannot list {target_format.name} files"
        raise UsageError(f"{option(name)} {message}")


def _reject_page_options(layout: Layout, divisions: Mapping[str, object]) -> None:
    if name := next((name for name in ("group_by", "index", "max_bytes") if divisions[name]), ""):
        raise UsageError(
            f"{option(name)} does not apply to HTML, which is divided by section: "
            f"use {option('max_urls')}"
        )
    if layout.is_fragment and (layout.template or divisions["max_urls"]):
        name = "template" if layout.template else "max_urls"
        raise UsageError(
            f"{option('fragment')} writes a single list without a document: omit {option(name)}"
        )


def _with_columns(target_format: Format, columns: Sequence[str], *, with_source: bool) -> Format:
    if columns and target_format.with_columns is None:
        names = join_words([known.name for known in all_formats() if known.with_columns], "and")
        raise UsageError(f"{option('columns')} is for {names}; {target_format.name} has no columns")
    chosen = target_format.having(columns) if columns else target_format
    if not with_source or "source" in chosen.holds:
        return chosen
    if target_format.with_columns is None:
        supporting = [
            known.name for known in all_formats() if known.with_columns or "source" in known.holds
        ]
        names = join_words(supporting, "and")
        message = f"is for {names}; {target_format.name} does not support it"
        raise UsageError(f"{option('with_source')} {message}")
    return target_format.having((*chosen.holds, "source"))


def _why_unknown(output: str) -> str:
    formats = [known for known in all_formats() if known.write]
    advice = f"pass {option('target_of(format)')}"
    choices = f"(choose from {', '.join(known.name for known in formats)})"
    if output == "-":
        return f"no output format: {advice} {choices}"
    suffixes = [suffix for known in formats for suffix in known.suffixes or ()]
    message = f"cannot infer the output format from {output!r}"
    if meant := find_closest_suffix(output.removesuffix(".gz"), suffixes):
        return f"{message}. Did you mean {meant!r}? Or {advice} {choices}"
    if output.lower().endswith((".xlsx", ".xls")):
        csv = f"{os.path.splitext(output)[0]}.csv"
        return f"{output}: Excel workbooks are not written; write {csv}, which Excel opens"
    return f"{message}; {advice} {choices}"


def require_target(target: object) -> None:
    if not isinstance(target, Target):
        raise UsageError(f"target is not a Target: pass target_of({target!r})")


def _lower_limits(target_format: Format, max_urls: int | None, max_bytes: int | None) -> Limits:
    most = target_format.limits
    if most is None or target_format.is_paged:
        most = Limits(2**63, 2**63)
    if (max_urls or 0) > most.entries or (max_bytes or 0) > most.size:
        name = "max_urls" if (max_urls or 0) > most.entries else "max_bytes"
        raise UsageError(
            f"{option(name)}: a {target_format.name} file holds at most {most.entries:,} URLs "
            f"and {most.size:,} bytes"
        )
    return most._replace(entries=max_urls or most.entries, size=max_bytes or most.size)


# ---- location on disk

#: Up to this many files (a single file, or a child and its index) are always flushed to disk before
#: the swap. Flushing more takes a few milliseconds per file.
_FEW = 2


class OutputLocation:
    """
    Location of a file or a set on disk; leftovers of killed runs are removed first.

    Attributes:
        names: Paths of the files. For a symbolic link, the target of the link is replaced.
        folder: The directory of the files.
        present: The published set.

    """

    def __init__(self, path: str, *, is_paged: bool) -> None:
        self._path = path
        self.names = set_names(os.path.realpath(path), is_paged=is_paged)
        self.folder = os.path.dirname(self.names.path)
        folder = os.path.dirname(path) or "."
        if os.path.isdir(self.names.path):
            raise OutputError.from_os_error(path, IsADirectoryError())
        if not os.path.isdir(folder):
            raise OutputError.from_os_error(path, FileNotFoundError())
        with folder_lock(self.folder):
            recover(self.folder)
            remove_leftovers(self.folder)
            self.present = PublishedSet(self.names)

    def display_path(self, path: str) -> str:
        """Return the path of a file in the form in which the caller gave the output path."""
        if os.path.islink(self._path):
            return path
        return os.path.join(os.path.dirname(self._path), os.path.basename(path))

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the output; raise `OutputError` if another run has changed it meanwhile."""
        with folder_lock(self.folder):
            recover(self.folder)
            if PublishedSet(self.names).state != self.present.state:
                message = "was changed during this run, possibly by another run"
                raise OutputError(f"{self._path} {message}; kept unchanged")
            yield

    def require_own_files(self, paths: Collection[str]) -> None:
        """Raise `OutputError` if any of these paths exists but does not belong to the set."""
        for path in paths:
            if path not in self.present.state and os.path.lexists(path):
                raise OutputError(
                    f"{self.display_path(path)} already exists and is not part of the set; move "
                    "this file or choose another output"
                )

    def swap(self, swaps: Sequence[Swap], stale: Sequence[str], *, durable: bool) -> None:
        """Move complete drafts into place and remove `stale` files; see `swap_in` for failures."""
        swap_in(swaps, stale, durable=durable or len(swaps) <= _FEW)
