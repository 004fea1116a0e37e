"""Hypothesis strategies for values that formats support: texts, URLs and dates."""

from typing import Any

from hypothesis import strategies as st

__all__ = [
    "days",
    "iris",
    "moments",
    "optional",
    "plain_urls",
    "schema_dates",
    "some",
    "texts",
    "w3c_dates",
]


def optional(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return a strategy for None or a value; mostly None, so that entries stay small."""
    return st.one_of(st.none(), st.none(), strategy)


def some(strategy: st.SearchStrategy[Any], most: int = 3) -> st.SearchStrategy[Any]:
    """Return a strategy for tuples of at most `most` values; many tuples are empty."""
    return st.one_of(st.just(()), st.lists(strategy, max_size=most).map(tuple))


# ---- texts

_XML_CHARACTERS = st.characters(
    exclude_categories=["Cs", "Cc"], include_characters="\t\n\r", exclude_characters="\ufffe\uffff"
)
_WORD = st.text("abcXYZ019äß漢🙂-_.", min_size=1, max_size=12)


def texts(longest: int = 60) -> st.SearchStrategy[str]:
    """
    Return a strategy for texts of characters that XML allows, without whitespace at the ends.

    https://www.w3.org/TR/xml/#charsets
    """
    odd = st.text(_XML_CHARACTERS, min_size=1, max_size=longest)
    markup = st.sampled_from(
        ["a < b & c", "]]>", "<!-- -->", "&amp;", "\"'", "a\tb\nc", "1, 2;3|4"]
    )
    return st.one_of(_WORD, markup, odd).map(str.strip).filter(bool)


# ---- URLs

_LABEL = st.text("abcdefghijklmnopqrstuvwxyz0123456789", min_size=1, max_size=8).map(
    lambda x: "h" + x
)
_HOSTS = st.one_of(
    st.tuples(_LABEL, st.sampled_from(["com", "example", "co.uk"])).map(".".join),
    st.sampled_from(
        ["127.0.0.1", "[2001:db8::1]", "localhost", "EXAMPLE.com", "under_score.example"]
    ),
)
_IDN_HOSTS = st.one_of(
    _HOSTS, st.sampled_from(["müller.example", "例え.テスト", "xn--mller-kva.de"])
)
_PORTS = st.one_of(st.just(""), st.integers(1024, 65535).map(lambda port: f":{port}"))
_URI = "abcXYZ019-._~!$&'()*+,;=:@/"
_IRI = st.one_of(
    st.sampled_from(_URI + '?%[]{}|\\^`"<> '),
    st.characters(
        min_codepoint=0xA1, exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp", "Cn", "Co"]
    ),
)


@st.composite
def _urls(draw: st.DrawFn, hosts: Any, characters: Any) -> str:
    tail = st.text(characters, max_size=20)
    url = f"{draw(st.sampled_from(['http', 'https']))}://{draw(hosts)}{draw(_PORTS)}/{draw(tail)}"
    if draw(st.booleans()):
        url += "?" + draw(tail)
    if draw(st.booleans()):
        url += "#" + draw(tail)
    return url.strip().rstrip("\ufeff\u200b")


#: URLs that conform to RFC 3986.
plain_urls: st.SearchStrategy[str] = _urls(_HOSTS, st.sampled_from(_URI))
#: URLs as people write them: IRIs (https://www.rfc-editor.org/rfc/rfc3987) and other characters.
iris: st.SearchStrategy[str] = st.one_of(plain_urls, _urls(_IDN_HOSTS, _IRI))

# ---- dates

_DAYS = st.dates().map(lambda day: day.isoformat())
_ZONES = st.one_of(
    st.just("Z"),
    st.builds(
        "{}{:02}:{:02}".format, st.sampled_from("+-"), st.integers(0, 13), st.integers(0, 59)
    ),
)
_FRACTIONS = st.one_of(st.just(""), st.text("0123456789", min_size=1, max_size=9).map(".".__add__))
#: Dates that the schema of sitemaps allows, apart from times without a zone, which the protocol
#: forbids.
days = _DAYS
moments: st.SearchStrategy[str] = st.builds(
    "{}T{:%H:%M:%S}{}{}".format, _DAYS, st.times(), _FRACTIONS, _ZONES
)
schema_dates = st.one_of(days, moments)
#: All forms of https://www.w3.org/TR/NOTE-datetime
w3c_dates: st.SearchStrategy[str] = st.one_of(
    schema_dates,
    st.builds("{}T{:%H:%M}{}".format, _DAYS, st.times(), _ZONES),
    _DAYS.map(lambda day: day[:4]),
    _DAYS.map(lambda day: day[:7]),
)
