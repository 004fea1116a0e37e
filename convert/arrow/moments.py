"""W3C Datetimes as moments: most of them by Arrow itself, many at once."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.compute as pc

from sitemapx.convert.arrow.schema import MOMENT
from sitemapx.convert.values.w3cdate import moment

__all__ = ["moments_of"]

_ENDS = (datetime.min, datetime.max)
#: The length of a date with a day, and without a time.
_DAY = 10
#: What is missing at the end of a shorter date of so many characters.
_MISSING = {4: "-01-01T00:00:00Z", 7: "-01T00:00:00Z"}
#: The type of a day when it is parsed.
_NAIVE = pa.timestamp("us")

_FIRST, _LAST = (pa.scalar(end.replace(tzinfo=UTC), MOMENT).value for end in _ENDS)


def moments_of(dates: pa.Array) -> pa.Array:
    """
    Return the moments at which the periods of dates begin, in UTC; null for what is no date.

    >>> found = moments_of(pa.array(["2024-05", "2024-05-08T10:53:11+02:00", None]))
    >>> [str(moment) for moment in found]
    ['2024-05-01 00:00:00+00:00', '2024-05-08 08:53:11+00:00', 'None']

    """
    try:
        found = _by_arrow(dates)
    except pa.ArrowInvalid:
        return _one_by_one(dates)
    return found if _are_in_calendar(found) else _one_by_one(dates)


def _by_arrow(dates: pa.Array) -> pa.Array:
    """Convert days, which have no time, apart from all else."""
    are_days = pc.call_function("equal", [pc.call_function("binary_length", [dates]), _DAY])
    days = pc.cast(pc.call_function("if_else", [are_days, dates, None]), _NAIVE)
    others = pc.call_function("if_else", [are_days, None, dates])
    return pc.call_function(
        "coalesce", [pc.cast(days, MOMENT), pc.cast(_completed(others), MOMENT)]
    )


def _completed(dates: pa.Array) -> pa.Array:
    """Complete years and months by the beginning of their period."""
    lengths = pc.call_function("binary_length", [dates])
    found: Sequence[int | None] = lengths.unique().to_pylist()
    for length, missing in _MISSING.items():
        if length in found:
            is_short = pc.call_function("equal", [lengths, length])
            completed = pc.call_function("binary_join_element_wise", [dates, missing, ""])
            dates = pc.call_function("if_else", [is_short, completed, dates])
    return dates


def _are_in_calendar(moments: pa.Array) -> bool:
    """Return whether no moment is before the year 1, or after 9999, since its zone is not UTC."""
    ends = pc.call_function("min_max", [moments]).values()
    return all(not end.is_valid or _FIRST <= end.value <= _LAST for end in ends)


def _one_by_one(dates: pa.Array) -> pa.Array:
    encoded = dates.dictionary_encode()
    found = pa.array(list(map(_moment, encoded.dictionary.to_pylist())), MOMENT)
    return found.take(encoded.indices)


def _moment(date: str) -> datetime | None:
    try:
        return moment(date).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
