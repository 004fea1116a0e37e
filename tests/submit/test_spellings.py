"""Equivalent spellings of a URL are one URL, sent as the source spells it."""

import pytest

from tests.engines import IndexNow
from tests.loopback import Site
from tests.submit.conftest import User


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("{0}", "{0}/"),
        ("{0}/%7Ea", "{0}/~a"),
        ("{0}/caf%c3%a9", "{0}/caf%C3%A9"),
        ("HTTP://{1}/a", "{0}/a"),
        ("{0}/x/../a", "{0}/a"),
        ("{0}/~a", "{0}/%7Ea"),
    ],
)
def test_equivalent_spellings_are_one_url(
    user: User, engine: IndexNow, site: Site, old: str, new: str
) -> None:
    old, new = (text.format(site.url, site.host) for text in (old, new))
    keep = f"{site.url}/keep"
    user.write({old: "2026-01-01", keep: "2026-01-01"})
    first = user.submit("sitemap.xml")
    taken = list(engine.taken)
    user.write({new: "2026-01-01", keep: "2026-01-01"})
    second = user.submit("sitemap.xml")
    other = user.submit(user.write({old: "2026-01-01"}, "other.xml"))
    status = user("submit", "status", old)

    assert [old, keep] == sorted(taken, key=[old, keep].index)
    assert [2] == [row["accepted"] for row in first]
    assert [[], []] == [second, other]
    assert b"2026-01-01" in status.stdout
    user.write({new: "2026-01-02", keep: "2026-01-01"})
    user.submit("sitemap.xml")
    assert [new] == engine.taken[2:]
    user.write({keep: "2026-01-01"})
    user.submit("sitemap.xml")
    assert [] == engine.taken[3:]  # the other set lists it
    user.write({f"{site.url}/b": "2026-01-01"}, "other.xml")
    user.submit("other.xml")
    assert {f"{site.url}/b", new} == set(engine.taken[3:])  # as it was spelt last


def test_equivalent_urls_of_a_set_are_sent_once(user: User, engine: IndexNow, site: Site) -> None:
    user.write({f"{site.url}/%7Ea": "2026-01-01", f"{site.url}/~a": "2026-01-01"})
    user.submit("sitemap.xml", "--ignore-findings")

    assert 1 == len(engine.taken)


def test_equivalent_source_urls_are_one_source(user: User, engine: IndexNow, site: Site) -> None:
    user.write({f"{site.url}/a": "2026-01-01", f"{site.url}/b": "2026-01-01"})
    user.submit("sitemap.xml", "--source-url", f"{site.url}/~s/sitemap.xml", "--ignore-findings")
    user.write({f"{site.url}/a": "2026-01-01"})
    user.submit("sitemap.xml", "--source-url", f"{site.url}/%7es/sitemap.xml", "--ignore-findings")

    assert [f"{site.url}/b"] == engine.taken[2:]
