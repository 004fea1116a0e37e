"""Converts rows of values, written by people or programs, to entries."""

from functools import partial
from typing import Any, TypeVar

from msgspec.structs import replace

from sitemapx.convert.formats.format import Context
from sitemapx.convert.model.entry import Entry, News, Video
from sitemapx.convert.values import datatypes, dates, relative, urls, zones

_Dated = TypeVar("_Dated", News, Video)


_CHECKED = {name: datatypes.CORE[name] for name in ("changefreq", "priority")}
#: Texts, which are dropped if blank.
_TEXTS = frozenset({"title", "description", "id", "language"})
#: Lists of texts, from which blank ones are dropped.
_LISTS = frozenset({"authors", "categories"})


def _report_dropped(name: str, context: Context, line_number: int, code: str, message: str) -> None:
    context.problem(code, f"{name}: {message}", done="; dropped", line=line_number)


def _parse_date(name: str, text: str, context: Context, line_number: int) -> str | None:
    lost: list[str] = []
    date = dates.parse_date(text, lost.append)
    for zone in lost:
        message = f"{name}: {zones.loss(zone, text)}"
        context.problem("unknown-zone", message, done=zones.KEPT, line=line_number)
    if date is None:
        message = f"{name}: invalid date {text!r}"
        context.problem("bad-date", message, done="; dropped", line=line_number)
    return date


def _parse_dates(name: str, part: _Dated, context: Context, line_number: int) -> _Dated:
    """Parse the dates in news or a video; `name` is what messages call this part of the entry."""
    found = {
        field: _parse_date(f"{name}.{field}", text, context, line_number)
        for field in ("publication_date", "expiration_date")
        if (text := getattr(part, field, None)) is not None
    }
    return replace(part, **found) if found else part


def make_entry(fields: dict[str, Any], context: Context, line_number: int) -> Entry | None:
    """
    Convert the values of a row to an entry; report and drop invalid values, except the URL.

    Changes `fields`. Returns None if the URL is relative and cannot be resolved.
    """
    for name in ("lastmod", "published"):
        if (text := fields.get(name)) is not None:
            fields[name] = _parse_date(name, text, context, line_number)
    if news := fields.get("news"):
        fields["news"] = _parse_dates("news", news, context, line_number)
    if videos := fields.get("videos"):
        fields["videos"] = tuple(
            _parse_dates(f"videos[{at}]", video, context, line_number)
            for at, video in enumerate(videos)
        )
    for name, kind in _CHECKED.items():
        if (value := fields.get(name)) is not None:
            on_problem = partial(_report_dropped, name, context, line_number)
            if isinstance(value, str):
                fields[name] = kind.parse(value.strip(), on_problem)
            elif kind.format(value, on_problem) is None:
                fields[name] = None
    for name in _TEXTS & fields.keys():
        if not (fields[name] or "").strip():
            fields[name] = None
    for name in _LISTS & fields.keys():
        fields[name] = tuple(text for text in fields[name] if text.strip())
    if not (loc := fields.get("loc") or "").strip():
        fields.pop("loc", None)
    else:
        if urls.is_wrapped(loc):
            context.problem("repaired-loc", f"whitespace in URL {loc!r}; removed", line=line_number)
        found = relative.resolve(urls.clean(loc), context.url)
        if found is None:
            done = f"; dropped{relative.remedy(loc, context.url)}"
            context.problem("relative-loc", relative.describe(loc), done=done, line=line_number)
            return None
        if not urls.is_absolute(found):
            context.problem("bad-loc", relative.describe(loc), line=line_number)
        fields["loc"] = found
    return Entry(**fields)
