"""
Converts the time zones of dates, which are offsets or names, to offsets from UTC.

EST, CST, MST, PST and their summer times have the offsets of RFC 822, 5.1. The other names have the
offset of the tz database (https://www.iana.org/time-zones, 2025b) or of common use; BST is British.
IST, GST, SST and others are ambiguous and in no RFC, so they count as unknown.
"""

import re
from collections.abc import Callable

from sitemapx.convert.values.w3cdate import is_w3c
from sitemapx.patterns import lazy_pattern

#: Suffix of the message about a date with an unknown time zone: the date is kept.
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
#: Matches zones with the opposite sign, as in POSIX.
_POSIX = lazy_pattern(r"Etc/GMT([+-])(\d{1,2})", re.IGNORECASE)
#: Matches only names of zones, not AM or PM.
_UNKNOWN = lazy_pattern(r"(?!(?:AM|PM)\b)(?:[A-Z]{2,6}|[A-Z][A-Za-z]+(?:/[A-Z][A-Za-z_-]+)+)")


def ignore(name: str) -> None:
    """Handle an unknown time zone by doing nothing."""


def loss(zone: str, text: str) -> str:
    """Return the message about an unknown time zone in the date `text`; `KEPT` may follow."""
    return f"unknown time zone {zone!r} in {text!r}"


def done_about(code: str) -> str:
    """Return the suffix of messages with a problem code: `KEPT` for "unknown-zone", else ""."""
    return KEPT if code == "unknown-zone" else ""


def add_zone(time: str, zone: str, unknown: Callable[[str], object] = ignore) -> str | None:
    """
    Append the offset of a zone to a W3C Datetime; None if either is invalid.

    `unknown` is called with the name of an unknown zone, which is not appended.

    >>> add_zone("2024-05-08T10:00", "AEST"), add_zone("2024-05-08T25:00", "IST", print)
    ('2024-05-08T10:00+10:00', None)
    """
    utc_offset = offset(zone, unknown) if is_w3c(time) else None
    return None if utc_offset is None or not is_w3c(time + utc_offset) else time + utc_offset


def offset(zone: str, unknown: Callable[[str], object] = ignore) -> str | None:
    """
    Convert a zone to an offset: empty if the zone is missing or unknown, None if it is invalid.

    `unknown` is called with a zone that has the form of a name, but is unknown.

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
        number = f"{m[1]}{m[2]:0>2}:{m[3] or '00'}"
        return "Z" if number == "-00:00" else number
    if known := _OFFSETS.get(zone.partition(" ")[0].lower()):
        return known
    if not _UNKNOWN.fullmatch(zone):
        return None
    unknown(zone)
    return ""
