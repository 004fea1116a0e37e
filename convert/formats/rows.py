"""Rows of values that a person or a program wrote, as entries."""

from functools import partial
from typing import Any, TypeVar

from msgspec.structs import replace

from sitemapx.convert.formats.format import Context
from sitemapx.convert.model.entry import Entry, News, Video
from sitemapx.convert.values import datatypes, dates, relative, urls, zones

_Dated = TypeVar("_Dated", News, Video)


#: Fields whose values are few, or between two numbers.
_JUDGED = {name: datatypes.CORE[name] for name in ("changefreq", "priority")}
#: Fields whose text says something, or is none.
_TEXTS = frozenset({"title", "description", "id", "language"})
#: Fields that are lists of texts.
_LISTS = frozenset({"authors", "categories"})


def _left_out(name: str, context: Context, number: int, code: str, message: str) -> None:
    context.problem(code, f"{name}: {message}", done="; dropped", line=number)


def _date(name: str, text: str, context: Context, number: int) -> str | None:
    lost: list[str] = []
    date = dates.parse_date(text, lost.append)
    for zone in lost:
        message = f"{name}: {zones.loss(zone, text)}"
        context.problem("unknown-zone", message, done=zones.KEPT, line=number)
    if date is None:
        message = f"{name}: invalid date {text!r}"
        context.problem("bad-date", message, done="; dropped", line=number)
    return date


def _with_dates(name: str, part: _Dated, context: Context, number: int) -> _Dated:
    """Parse the dates of a part of an entry."""
    found = {
        field: _date(f"{name}.{field}", text, context, number)
        for field in ("publication_date", "expiration_date")
        if (text := getattr(part, field, None)) is not None
    }
    return replace(part, **found) if found else part


def entry_of_row(fields: dict[str, Any], context: Context, number: int) -> Entry | None:
    """Make an entry of a row; values that cannot be read are reported and left out."""
    for name in ("lastmod", "published"):
        if (text := fields.get(name)) is not None:
            fields[name] = _date(name, text, context, number)
    if news := fields.get("news"):
        fields["news"] = _with_dates("news", news, context, number)
    if videos := fields.get("videos"):
        fields["videos"] = tuple(
            _with_dates(f"videos[{at}]", video, context, number) for at, video in enumerate(videos)
        )
    for name, kind in _JUDGED.items():
        if (value := fields.get(name)) is not None:
            on_problem = partial(_left_out, name, context, number)
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
            context.problem("mended-loc", f"whitespace in URL {loc!r}; removed", line=number)
        found = relative.resolve(urls.clean(loc), context.url)
        if found is None:
            done = f"; dropped{relative.remedy(loc, context.url)}"
            context.problem("relative-loc", relative.describe(loc), done=done, line=number)
            return None
        if not urls.is_absolute(found):
            context.problem("bad-loc", relative.describe(loc), line=number)
        fields["loc"] = found
    return Entry(**fields)
