"""
Time zones in dates: offsets as they are written, and the names that mean one offset.

RFC 822, 5.1 names those of North America, and RFC 2822, 4.3 says that its single letters mean no
more than UTC (https://www.rfc-editor.org/rfc/rfc2822#section-4.3). The other names are those that
had but one offset since there are feeds, in the tz database (https://www.iana.org/time-zones,
2025b) or, for the short American names, MEZ, MESZ, SGT, ART and BRT, in common use. Decided: CST,
MST and PST are those of RFC 822, BST is that of Britain, MSK that of today. Left open since they
mean several zones, none of them in an RFC: IST, GST, SST and others.
"""

import re
from collections.abc import Callable

from sitemapx.convert.values.w3cdate import is_w3c
from sitemapx.patterns import lazy_pattern

#: What is done about a date in a zone that is not known.
KEPT = "; kept without a time zone"

_NAMES = {
    "Z": "z ut utc gmt etc/gmt wet",
    "-10:00": "hst",
    "-09:00": "akst hdt",
    "-08:00": "pst pt akdt",
    "-07:00": "mst mt pdt",
    "-06:00": "cst ct mdt",
    "-05:00": "est et cdt",
    "-04:00": "ast at edt",
    "-03:30": "nst",
    "-03:00": "adt art brt",
    "-02:30": "ndt",
    "+01:00": "cet met mez bst west wat",
    "+02:00": "cest mest mesz eet cat sast",
    "+03:00": "eest msk eat",
    "+05:00": "pkt",
    "+07:00": "wib",
    "+08:00": "awst hkt sgt wita",
    "+09:00": "awdt jst kst wit",
    "+09:30": "acst",
    "+10:00": "aest chst",
    "+10:30": "acdt",
    "+11:00": "aedt",
    "+12:00": "nzst",
    "+13:00": "nzdt",
}
_OFFSETS = {name: offset for offset, names in _NAMES.items() for name in names.split()}
_NUMBER = lazy_pattern(
    r"(?:GMT|UTC?|Etc/GMT(?=.\d\d:?\d\d))?\s*([+-])\s*(\d{1,2})(?::?(\d\d))?", re.IGNORECASE
)
#: As in POSIX, whose sign is the other way round.
_POSIX = lazy_pattern(r"Etc/GMT([+-])(\d{1,2})", re.IGNORECASE)
#: What is surely the name of a zone, and no other word: not the half of a day, for example.
_UNKNOWN = lazy_pattern(r"(?!(?:AM|PM)\b)(?:[A-Z]{2,6}|[A-Z][A-Za-z]+(?:/[A-Z][A-Za-z_-]+)+)")


def ignore(name: str) -> None:
    """Be told of a zone by a caller who does not want to know."""


def loss(zone: str, text: str) -> str:
    """Return the message that a zone is not known; what is done about it is `KEPT`."""
    return f"unknown time zone {zone!r} in {text!r}"


def done_about(code: str) -> str:
    """Return what is done about a value with this problem that is kept."""
    return KEPT if code == "unknown-zone" else ""


def zoned(time: str, zone: str, unknown: Callable[[str], object] = ignore) -> str | None:
    """
    Put a zone to a W3C Datetime; None if one of them is none.

    >>> zoned("2024-05-08T10:00", "AEST"), zoned("2024-05-08T25:00", "IST", print)
    ('2024-05-08T10:00+10:00', None)

    """
    found = offset(zone, unknown) if is_w3c(time) else None
    return None if found is None or not is_w3c(time + found) else time + found


def offset(zone: str, unknown: Callable[[str], object] = ignore) -> str | None:
    """
    Make an offset of a zone.

    Args:
        zone: As it is written, perhaps with a comment in parentheses.
        unknown: Is told a name that is surely that of a zone, but not of which.

    Returns:
        The empty string if there is none, or its name is not known; None if this is no zone.

    >>> offset("UTC+2"), offset("AEST"), offset("+0530"), offset("IST"), offset("PM")
    ('+02:00', '+10:00', '+05:30', '', None)

    """
    zone, _, comment = zone.strip().partition("(")
    zone = zone.strip() or comment.strip(") ")
    if not zone:
        return ""
    if m := _POSIX.fullmatch(zone):
        return f"{'-' if m[1] == '+' else '+'}{m[2]:0>2}:00"
    if m := _NUMBER.fullmatch(zone):
        found = f"{m[1]}{m[2]:0>2}:{m[3] or '00'}"
        return "Z" if found == "-00:00" else found
    if known := _OFFSETS.get(zone.partition(" ")[0].lower()):
        return known
    if not _UNKNOWN.fullmatch(zone):
        return None
    unknown(zone)
    return ""
