"""The same URLs are disallowed as by Protego, and the reported line disallows them."""

from collections.abc import Callable
from urllib.parse import quote

from hypothesis import example, given
from hypothesis import strategies as st
from protego import Protego

from sitemapx.submit.robots.access import rules_of
from sitemapx.submit.robots.file import RobotsFile
from tests.effort import examples

AGENTS = ["Googlebot", "bing", "x", "*"]
_KEYS = ["Disallow", "Disallow", "disalow", "Allow", "Dis", "Disallow x"]
_SEPARATORS = [": ", ":", " : ", " "]
_OTHERS = ["", "# c", "Sitemap: https://e.example/s.xml", "Crawl-delay: 3", "junk", "Disallow:"]
_STARTS = ["/", "/", "/", "", "*"]
# fmt: off
_PIECES = [
    "a", "A", "2F", "F", "index.html", "q", ".", "=", "+", "?", ":", "/", "é", "%", "!", "[", "b",
    "https://e.example/a", "$", "\x0b",
]
# fmt: on
#: The same few paths are in rules and in URLs, so that many rules match.
_paths = st.shared(
    st.lists(st.lists(st.sampled_from(_PIECES), max_size=4), min_size=1, max_size=3), key="paths"
)


@st.composite
def _spelt(draw: st.DrawFn, *, gaps: list[str]) -> str:
    """Return a variant of a path: without its end, with an insertion, or partly escaped."""
    ways: list[Callable[[str], str]] = [str, str, str, quote, _escaped, str.lower]
    path = draw(st.sampled_from(draw(_paths)))
    pieces = path[: draw(st.integers(0, len(path)))]
    spelt = ""
    for piece in pieces:
        how = draw(st.sampled_from(ways))
        spelt += how(piece) + draw(st.sampled_from(gaps))
    return spelt


def _escaped(text: str) -> str:
    """Percent-encode every byte of a text, even if that is unnecessary."""
    return "".join(f"%{byte:02X}" for byte in text.encode())


@st.composite
def _files(draw: st.DrawFn) -> bytes:
    lines = ["User-agent: *"]
    for _ in range(draw(st.integers(1, 7))):
        if draw(st.integers(0, 3)):
            start = [draw(st.sampled_from(some)) for some in (_KEYS, _SEPARATORS, _STARTS)]
            end = draw(st.sampled_from(["", "", "$", "*", " # x"]))
            lines.append("".join([*start, draw(_spelt(gaps=["", "", "", "*", " "])), end]))
        else:
            agents = [f"User-agent: {agent}" for agent in AGENTS]
            lines.append(draw(st.sampled_from([*agents, *_OTHERS])))
    return draw(st.sampled_from(["\n", "\r\n", "\r"])).join(lines).encode()


_urls = st.builds(
    lambda start, path, end: f"https://e.example{start}{path}{end}",
    st.sampled_from(["/", "/", "/", "", "/x"]),
    _spelt(gaps=["", "", "", "x", " ", "\r"]),
    st.sampled_from(["", "x", "#a", "?"]),
).filter(lambda url: url[17:18] in ("", "/", "?", "#"))


def _as_read(data: bytes) -> str:
    """Escape characters at which Protego, but not RFC 9309 (section 2.2), splits lines."""
    text = data.decode().replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\x0b", "%0B")


@examples(400)
@given(data=_files(), urls=st.lists(_urls, max_size=6))
@example(b"User-agent: *\nDisallow: /?q", ["https://e.example?q"])
@example(b"User-agent: *\nDisallow: *3Fa", ["https://e.example/?a"])
@example(b"User-agent: *\nDisallow: /%6ax", ["https://e.example/jx"])
@example(b"User-agent: *\nDisallow: /admin", ["https://e.example/ad\tmin"])
@example(b"User-agent: *\nDisallow: /a\x0bb", ["https://e.example/ac"])
@example(b"User-agent: bing\nDis /y\nUser-agent: x\nDisallow: /x", ["https://e.example/x"])
def test_disallowed_urls_equal_those_of_protego(data: bytes, urls: list[str]) -> None:
    protego = Protego.parse(_as_read(data))
    for rules in rules_of(RobotsFile(data), AGENTS):
        for agent in rules.agents:
            expected = [url for url in urls if not protego.can_fetch(url, agent)]

            assert expected == rules.disallowed(urls)
            assert expected == [url for url in urls if rules.disallowed([url])]


@examples(400)
@given(data=_files(), url=_urls)
def test_named_line_alone_disallows_the_url(data: bytes, url: str) -> None:
    lines = _as_read(data).split("\n")
    for rules in rules_of(RobotsFile(data), AGENTS):
        if rules.disallowed([url]):
            rule = rules.find_rule(url)
            assert rule is not None
            alone = Protego.parse("\n".join(["User-agent: *", lines[rule.line - 1]]))

            assert lines[rule.line - 1].startswith(rule.text)
            assert not alone.can_fetch(url, "*")


def test_agents_with_equal_rules_are_grouped() -> None:
    robots = RobotsFile(b"User-agent: *\nDisallow: /a\n\nUser-agent: Googlebot\nDisallow: /b\n")
    rules = rules_of(robots, ["Googlebot", "Bingbot", "*", "Bingbot"])

    assert [["Googlebot"], ["Bingbot", "*"]] == [one.agents for one in rules]


def test_most_specific_line_is_named() -> None:
    data = b"User-agent: *\nDisallow: /\nAllow: /shop/\nDisallow: /shop/cart\nDisallow: /shop/c\n"
    (rules,) = rules_of(RobotsFile(data), ["*"])
    lines = [
        rule and rule.line
        for rule in map(rules.find_rule, ["https://e.example/x", "https://e.example/shop/cart/1"])
    ]

    assert [2, 4] == lines


def test_rule_beyond_500_kib_is_ignored() -> None:
    data = b"User-agent: *\nDisallow: /a\n#" + b"x" * 512_000 + b"\nDisallow: /b\n"
    (rules,) = rules_of(RobotsFile(data), ["*"])

    assert ["https://e.example/a"] == rules.disallowed(
        ["https://e.example/a", "https://e.example/b"]
    )


def test_no_line_is_named_among_too_many_groups() -> None:
    data = b"User-agent: *\nDisallow: /q\n" * 2_001
    (rules,) = rules_of(RobotsFile(data), ["*"])

    assert ["https://e.example/q"] == rules.disallowed(
        ["https://e.example/q", "https://e.example/"]
    )
    assert rules.find_rule("https://e.example/q") is None


def test_byte_outside_utf8_matches_its_escape() -> None:
    robots = RobotsFile(b"User-agent: *\nDisallow: /caf\xe9\n")
    (rules,) = rules_of(robots, ["*"])
    urls = ["https://e.example/caf%E9", "https://e.example/caf%C3%A9"]
    assert list(rules.disallowed(urls)) == urls[:1]
