"""Limits of the number of tags and attributes."""

import random

import pytest

from sitemapx.convert.xml.cutter import MAX_ATTRIBUTES, find_excess


@pytest.mark.parametrize("seed", range(200))
def test_tag_with_too_many_attributes_is_found(seed: int) -> None:
    drawn = random.Random(seed)
    counts = [drawn.choice([0, 3, MAX_ATTRIBUTES, MAX_ATTRIBUTES + drawn.choice([0, 1])])]
    counts += [0] * drawn.randint(0, 3)
    drawn.shuffle(counts)
    data = b""
    for count in counts:
        data += b"x" * drawn.choice([0, 1, 2499, 2500, 4999, 5000, 5001, drawn.randint(0, 20_000)])
        attributes = b"".join(b' %x=""' % number for number in range(count))
        data += b"<a%b%b>" % (attributes, drawn.choice([b"", b"/"]))
    data += b"x" * drawn.choice([0, 10, 6000])
    assert bool(find_excess(data)) == (max(counts) > MAX_ATTRIBUTES)


@pytest.mark.parametrize(("count", "expected"), [(50_000, ""), (50_001, "more than 50,000 tags")])
@pytest.mark.parametrize("hidden", [b"", b"<!--<a><b>-->", b"<![CDATA[<a>]]>"])
def test_only_real_tags_are_counted(count: int, expected: str, hidden: bytes) -> None:
    assert find_excess(b"<a/>" * (count - 1) + hidden * 9 + b"<b>") == expected


def test_equals_signs_in_values_do_not_count_as_attributes() -> None:
    query = b"&amp;".join(b"a%d='1'" % number for number in range(2 * MAX_ATTRIBUTES))
    tag = b'<link rel="alternate" href="https://e.example/?%b"/>' % query
    assert not find_excess(tag)
