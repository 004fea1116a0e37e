"""The quick and the full reader agree on extensions with altered markup."""

from collections.abc import Collection, Iterator, Sequence
from itertools import islice

import pytest

from tests.convert.formats.richmarkup import rich_urlset
from tests.convert.formats.test_quick import only_full_reader, read_blocks, without_skips

_WHOLE = {
    "image:image": {
        "image:loc": "https://e.example/i.png", "image:title": "T", "image:caption": "C &amp; D",
        "image:geo_location": "Here", "image:license": "https://e.example/l",
    },
    "video:video": {
        "video:thumbnail_loc": "https://e.example/t.png", "video:title": "T",
        "video:description": "<![CDATA[D & E]]>", "video:content_loc": "https://e.example/v.mp4",
        "video:player_loc allow_embed='yes' autoplay=\"a=1\"": "https://e.example/p",
        "video:duration": "600", "video:expiration_date": "2027-05-08", "video:rating": "4.5",
        "video:view_count": "12", "video:publication_date": "2024-05-08T10:00:00Z",
        "video:tag": "one", "video:category": "Film", "video:family_friendly": "yes",
        "video:restriction relationship=\"allow\"": "DE US",
        "video:gallery_loc title='G'": "https://e.example/g",
        "video:price type=\"rent\" currency='EUR' resolution=\"HD\"": "1.99",
        "video:requires_subscription": "no", "video:uploader info='https://e.example/u'": "Jo",
        "video:platform relationship='deny'": "web tv", "video:live": "no",
    },
    "news:news": {
        "news:publication": "<news:name>N</news:name><news:language>en</news:language>",
        "news:publication_date": "2024-05-08", "news:title": "T", "news:access": "Subscription",
        "news:genres": "PressRelease, Blog", "news:keywords": "a, b", "news:stock_tickers": "A:B",
    },
}  # fmt: skip
_CHANGED_VALUES = [
    "", " ", "x", "0", "-1", "28801", "5.1", "https://e.example/\u00e9", "/a", "yes", "NO",
    "2024-02-30", "web", "web, mobile", "DE,US", "rent", "x" * 101, "x" * 300, "&#38;", "&nbsp;",
    "&lt;b>", "a > b", "]]>", "<![CDATA[]]>", "<![CDATA[<video:title>]]>", "<b>x</b>", "<?p?>",
    "<!-- c -->x", "x &amp; y", "\u200b", "x\u00a0", "]] >", "two\n lines", "1" * 20, "Satire",
    "Blog,Blog", "en-GB", "zh-cn", "https://e.example/a b", " https://e.example/a ",
]  # fmt: skip


def _vary_extension(name: str) -> Iterator[str]:
    """Yield variants of an extension: other values, attributes and children."""
    children = [*_WHOLE[name].items()]
    yield _format_extension(name, children)
    yield _format_extension(name, children[::-1])
    for n, (child, text) in enumerate(children):
        others = children[:n] + children[n + 1 :]
        yield _format_extension(name, others)
        yield _format_extension(name, [*children, children[n]])
        yield _format_extension(name, [children[n], *others, children[n]])
        tag, *attributes = child.split(" ", 1)
        yield _format_extension(name, [*others, (f"{tag} x='y'", text)])
        yield _format_extension(
            name, [*others, (f"{tag} relationship='x' info='x' type='x'", text)]
        )
        if attributes:
            yield _format_extension(name, [*others, (tag, text)])
            yield _format_extension(name, [*others, (f"{child} {attributes[0]}", text)])
        for value in _CHANGED_VALUES:
            yield _format_extension(name, [*others, (child, value)])
    yield 2 * _format_extension(name, children)
    if name == "video:video":
        for count in (29, 33):
            yield _format_extension(name, [*children[:4], *[("video:tag", "t")] * count])


def _format_extension(name: str, children: Sequence[tuple[str, str]]) -> str:
    inside = "\n ".join(f"<{child}>{text}</{child.split()[0]}>" for child, text in children)
    return f"<{name}>{inside}</{name}>"


@pytest.mark.parametrize("name", _WHOLE)
@pytest.mark.parametrize("wanted", [None, {"loc"}], ids=["all", "loc"])
def test_changed_extension_is_read_alike_by_both_readers(
    name: str, wanted: Collection[str] | None
) -> None:
    usual = "<url><loc>https://e.example/{}</loc></url>"
    some = iter(_vary_extension(name))
    while changed := [*islice(some, 40)]:
        items = [f"<url><loc>https://e.example/</loc>{extension}</url>" for extension in changed]
        data = rich_urlset([items[0], *items, usual.format(1)])
        with only_full_reader():
            slow = read_blocks(data, "rich", 1 << 17, wanted)
        with without_skips():
            assert read_blocks(data, "rich", 1 << 17, wanted) == slow, changed
