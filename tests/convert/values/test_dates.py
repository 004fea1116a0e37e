"""Dates in the formats of the protocol and of feeds, and invalid ones."""

import json
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

import pytest

from sitemapx.convert.values.dates import parse_date, parse_feed_date
from sitemapx.convert.values.w3cdate import are_schema_dates, are_w3c, is_w3c, moment
from sitemapx.convert.values.w3cdate import to_schema_date as schema
from sitemapx.convert.values.zones import offset

_W3C = [
    "1997",
    "1997-07",
    "1997-07-16",
    "1997-07-16T19:20+01:00",
    "1997-07-16T19:20Z",
    "1997-07-16T19:20:30+01:00",
    "1997-07-16T19:20:30.45-05:30",
    "2024-02-29",
    "2000-02-29",
    "1997-07-16T19:20:30",
]
_NO_DATES = [
    "",
    "0000-00-00",
    "2023-02-29",
    "1900-02-29",
    "2024-04-31",
    "2024-13-01",
    "2024-05-08T24:00:00Z",
    "2024-05-08T10:60:00Z",
    "2024-05-08T10:00:00+15:00",
    "2024-05-08 08:53:11 AM",
    "1715158391",
    "08/05/2024",
    "yesterday",
]


@pytest.mark.parametrize("date", _W3C)
def test_w3c_datetime_is_kept(date: str) -> None:
    assert is_w3c(date)
    assert are_w3c([date, "", date])
    assert parse_date(f" {date}\n") == date
    assert parse_feed_date(date) == date


@pytest.mark.parametrize("text", _NO_DATES)
def test_ambiguous_text_is_not_a_date(text: str) -> None:
    assert not is_w3c(text)
    assert are_w3c([text]) == (text == "")
    assert parse_date(text) is None


@pytest.mark.parametrize(
    ("date", "written"),
    [
        ("2024-05-08", "2024-05-08"),
        ("2024-05-08T10:00:00Z", "2024-05-08T10:00:00Z"),
        ("2024-05-08T10:00:00.5+02:00", "2024-05-08T10:00:00.5+02:00"),
        ("2024-05-08T10:00+02:00", "2024-05-08T10:00:00+02:00"),
        ("2024-05-08T10:00:00", "2024-05-08"),
        ("2024-06-30T23:59:60Z", "2024-06-30T23:59:59Z"),
        ("2024-05", None),
        ("2024", None),
        ("2024-02-30", None),
    ],
)
def test_date_is_converted_to_schema_form(date: str, written: str | None) -> None:
    assert schema(date)[0] == written
    assert are_schema_dates([date]) == (written == date)


@pytest.mark.parametrize("zone", ["IST", "GST", "SST", "XYZ", "Europe/Berlin", "IST (India)"])
@pytest.mark.parametrize(
    "text", ["Wed, 08 May 2024 08:53 {}", "2024-05-08 08:53 {}", "May 8, 2024 08:53 {}"]
)
def test_unknown_zone_leaves_local_time(text: str, zone: str) -> None:
    unknown: list[str] = []
    assert parse_feed_date(text.format(zone), unknown.append) == "2024-05-08T08:53"
    assert unknown == [zone.partition(" ")[0]]
    assert parse_feed_date(text.format("25:00 IST"), unknown.append) is None
    assert len(unknown) == 1


def test_offsets_match_the_tz_database() -> None:
    result: dict[str, set[str]] = {}
    for name in available_timezones():
        with suppress(ZoneInfoNotFoundError):
            for month in (1, 7):
                time = datetime(2025, month, 1, tzinfo=ZoneInfo(name))
                result.setdefault(time.tzname() or "", set()).add(time.isoformat()[19:])
    decided = {"CST", "MST", "PST", "CDT"}
    known = {name: offset(name) for name in result if name.isalpha() and name not in decided}
    assert [
        name
        for name, zone in known.items()
        if zone and {zone.replace("Z", "+00:00")} != result[name]
    ] == []


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("Wed, 08 May 2024 08:53:11 GMT", "2024-05-08T08:53:11Z"),
        ("Wed, 08 May 2024 08:53:11 +0200", "2024-05-08T08:53:11+02:00"),
        ("Wed, 08 May 2024 08:53:11 +02:00", "2024-05-08T08:53:11+02:00"),
        ("Wed, 08 May 2024 08:53:11 -0000", "2024-05-08T08:53:11Z"),
        ("8 May 24 08:53 EST", "2024-05-08T08:53-05:00"),
        ("01 Jan 80 00:00:00 UT", "1980-01-01T00:00:00Z"),
        ("Fri, 08 May 2024 08:53:11 GMT", "2024-05-08T08:53:11Z"),
        ("Wed, 8 May 2024", "2024-05-08"),
        ("08 September 2024 08:53:11 PT", "2024-09-08T08:53:11-08:00"),
        ("Wed, 08 May 2024 08:53:11", "2024-05-08T08:53:11"),
        ("Wed May  8 08:53:11 2024", "2024-05-08T08:53:11"),
        ("20240508", "2024-05-08"),
        ("2024-129", "2024-05-08"),
        ("2024-366", "2024-12-31"),
        ("2023-366", None),
        ("-0405", "2004-05"),
        ("2004-07-08 23:56:58.0", "2004-07-08T23:56:58.0"),
        ("Thu, 30 Feb 2024 08:53:11 GMT", None),
        ("Wed, 08 May 2024 25:00:00 GMT", None),
        ("Wed, 08 May 2024 08:53:11 AEST", "2024-05-08T08:53:11+10:00"),
        ("Wed, 08 May 2024 08:53:11 ACST", "2024-05-08T08:53:11+09:30"),
        ("Wed, 08 May 2024 08:53:11 MET", "2024-05-08T08:53:11+01:00"),
        ("Wed, 08 May 2024 08:53 hkt", "2024-05-08T08:53+08:00"),
        ("Wed, 08 May 2024 08:53:11 UTC+2", "2024-05-08T08:53:11+02:00"),
        ("Wed, 08 May 2024 08:53:11 GMT-03:30", "2024-05-08T08:53:11-03:30"),
        ("Wed, 08 May 2024 08:53:11 +2", "2024-05-08T08:53:11+02:00"),
        ("Wed, 08 May 2024 08:53:11 +530", "2024-05-08T08:53:11+05:30"),
        ("Wed, 08 May 2024 08:53:11 Etc/GMT+2", "2024-05-08T08:53:11-02:00"),
        ("Wed, 08 May 2024 08:53:11 A", "2024-05-08T08:53:11Z"),
        ("Wed May  8 08:53:11 AEST 2024", "2024-05-08T08:53:11+10:00"),
        ("2024-05-08 08:53:11 EST", "2024-05-08T08:53:11-05:00"),
        ("2024-05-08T08:53 UTC+2", "2024-05-08T08:53+02:00"),
        ("Wed, 08 May 2024 08:53:11 +20", None),
        ("Wed, 08 May 2024 08:53:11 PM", None),
        ("May 8, 2024 08:53 P", None),
        ("2024-05-08 08:53 A", None),
        ("Wed, 08 May 2024 08:53:11 pm IST", None),
        ("Wed, 08 May 2024 08:53:11 of old", None),
        ("soon", None),
    ],
)
def test_feed_date_is_converted(text: str, date: str | None) -> None:
    assert parse_feed_date(text) == date


def test_foreign_test_vectors_give_the_same_moments(shared: Path) -> None:
    vectors = shared / "corpus" / "vectors" / "dates.jsonl"
    if not vectors.is_file():
        pytest.skip("the vectors are not there")

    def instant(date: str | None) -> datetime | None:
        return moment(date).replace(microsecond=0) if date else None

    lines = vectors.read_text(encoding="utf-8").splitlines()
    cases = [case for case in map(json.loads, lines) if "utc" in case]
    expected = {case["in"]: instant(case["utc"]) for case in cases}
    assert {text: instant(parse_feed_date(text)) for text in expected} == expected
