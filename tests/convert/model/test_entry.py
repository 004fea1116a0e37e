"""Properties and documentation of `Entry`."""

import io
from contextlib import redirect_stdout
from datetime import UTC, datetime, timedelta, timezone

import pytest

from sitemapx.convert import Entry


@pytest.mark.parametrize(
    ("date", "moment"),
    [
        (None, None),
        ("2026", datetime(2026, 1, 1, tzinfo=UTC)),
        ("2026-11-24", datetime(2026, 11, 24, tzinfo=UTC)),
        ("2026-11-24T14:30:15Z", datetime(2026, 11, 24, 14, 30, 15, tzinfo=UTC)),
        ("2026-11-24T14:30", datetime(2026, 11, 24, 14, 30, tzinfo=UTC)),
        (
            "2026-11-24T14:30:15.5+02:00",
            datetime(2026, 11, 24, 14, 30, 15, 500000, timezone(timedelta(hours=2))),
        ),
    ],
)
def test_date_becomes_the_moment_it_begins(date: str | None, moment: datetime | None) -> None:
    entry = Entry(lastmod=date, published=date)
    assert entry.lastmod_datetime == entry.published_datetime == moment


def test_help_describes_the_fields() -> None:
    shown = io.StringIO()
    with redirect_stdout(shown):
        help(Entry)
    assert "lastmod: Date of the last change (W3C Datetime, with the precision" in shown.getvalue()
