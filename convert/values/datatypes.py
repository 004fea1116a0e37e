"""
Datatypes of values in XML: parsing and formatting.

A datatype reports problems with `on_problem(code, message)` rather than raising, and returns None
for a value that is dropped.
"""

import math
import re
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from typing import Any, NamedTuple, cast

from sitemapx.convert.values import dates, uris, urls, w3cdate, zones
from sitemapx.convert.values.isocodes import news_language
from sitemapx.patterns import lazy_pattern

_decimal = lazy_pattern(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")

OnProblem = Callable[[str, str], None]


class Datatype(NamedTuple):
    """
    Parses and formats one kind of value.

    Attributes:
        parse: Parses the trimmed, non-empty text of an element or attribute.
        format: Formats a value; the text is not escaped.
        is_url: Whether a value is a URL, which readers resolve.
        schema: Definition in the official schema: the contents of `xs:simpleType`.
        quick: Faster function for `usual`; None to call `parse`.

    """

    parse: Callable[[str, OnProblem], Any]
    format: Callable[[Any, OnProblem], str | None]
    is_url: bool = False
    schema: str = '<xs:restriction base="xs:string"/>'
    quick: Callable[[str], Any] | None = None

    @property
    def usual(self) -> Callable[[str], Any]:
        """Function that parses untrimmed text: None for a possible problem, "" for whitespace."""
        return self.quick or partial(_without_problem, self.parse)


@lru_cache(10_000)
def _without_problem(parse: Callable[[str, OnProblem], Any], text: str) -> Any:
    problems: list[str] = []
    text = text.strip()
    value = parse(text, lambda code, message: problems.append(code)) if text else ""
    return None if problems else value


def _restriction(base: str, **facets: object) -> str:
    # https://www.w3.org/TR/xmlschema-2/#rf-facets
    inside = "".join(f'<xs:{name} value="{value}"/>' for name, value in facets.items())
    return f'<xs:restriction base="xs:{base}">{inside}</xs:restriction>'


def _enumeration(words: Iterable[str]) -> str:
    inside = "".join(f'<xs:enumeration value="{word}"/>' for word in words)
    return f'<xs:restriction base="xs:string">{inside}</xs:restriction>'


def text(longest: int | None = None, *, in_schema: bool = True) -> Datatype:
    """
    Return the datatype of texts, which are truncated to `longest` characters when written.

    `in_schema` is whether the official schema has this limit, too.
    """
    schema = _restriction("string", **({"maxLength": longest} if longest and in_schema else {}))

    def parse(value: str, on_problem: OnProblem) -> str:
        if longest and len(value) > longest:
            on_problem("too-long", f"{len(value):,} characters (limit {longest:,})")
        return value

    def write(value: str, on_problem: OnProblem) -> str:
        if longest and len(value) > longest:
            on_problem("shortened-text", f"truncated from {len(value):,} to {longest:,} characters")
            return value[:longest].rstrip()
        return value

    def quick(value: str) -> str | None:
        value = value.strip()
        return value if len(value) <= cast(int, longest) else None

    return Datatype(parse, write, schema=schema, quick=quick if longest else str.strip)


def integer(least: int, most: int = 2**63 - 1, *, code: str = "bad-value") -> Datatype:
    """Return the datatype of integers from `least` to `most`; others are reported under `code`."""

    def parse(value: str, on_problem: OnProblem) -> int | None:
        number = int(value) if re.fullmatch(r"\+?[0-9]{1,18}", value) else None
        return check(number, on_problem, value)

    def check(number: int | None, on_problem: OnProblem, value: object) -> int | None:
        if number is None or not least <= number <= most:
            on_problem(code, f"invalid value {value!r}: expected a whole number {limit}")
            return None
        return number

    def write(value: int, on_problem: OnProblem) -> str | None:
        number = check(value, on_problem, value)
        return None if number is None else str(number)

    is_limited = most < 2**63 - 1
    limit = f"from {least} to {most}" if is_limited else f">= {least}"
    facets = {"minInclusive": least} | ({"maxInclusive": most} if is_limited else {})
    return Datatype(parse, write, schema=_restriction("integer", **facets))


def decimal(least: float, most: float, *, code: str = "bad-value") -> Datatype:
    """Return the datatype of numbers from `least` to `most`; others are reported under `code`."""

    def parse(value: str, on_problem: OnProblem) -> float | None:
        return check(float(value) if _decimal.fullmatch(value) else math.nan, on_problem, value)

    def check(number: float, on_problem: OnProblem, value: object) -> float | None:
        if not least <= number <= most:
            on_problem(code, f"invalid value {value!r}: {expected}")
            return None
        return number

    expected = f"expected a number from {float(least)} to {float(most)}"

    def write(value: float, on_problem: OnProblem) -> str | None:
        number = check(value, on_problem, value)
        if number is None:
            return None
        plain = repr(float(number))  # the schemas do not allow exponents
        return f"{number:.20f}".rstrip("0") + "0" if "e" in plain else plain

    schema = _restriction("decimal", minInclusive=least, maxInclusive=most)
    return Datatype(parse, write, schema=schema)


def pattern(
    expression: str,
    expected: str,
    change: Callable[[str], str] = str,
    *,
    reports_change: bool = False,
) -> Datatype:
    """
    Return the datatype of texts that must match a regular expression when they are written.

    Args:
        expected: Description of valid values, for messages.
        change: Normalizes a value before it is matched and written.
        reports_change: Whether to report a change that affects more than the letter case.

    """
    matches = lazy_pattern(expression)

    def write(value: str, on_problem: OnProblem) -> str | None:
        changed = change(value)
        if matches.fullmatch(changed):
            if reports_change and changed != value.lower():
                on_problem("value-format", f"{value!r} written as {changed!r}")
            return changed
        on_problem("bad-value", f"invalid value {value!r}: expected {expected}")
        return None

    return Datatype(
        lambda value, _: value, write, schema=_restriction("string", pattern=expression)
    )


def one_of(*words: str, also: Iterable[str] = (), code: str = "bad-value") -> Datatype:
    """
    Return the datatype of `words`, whose letter case is ignored.

    Other values are reported under `code`. `also` has further words for `Datatype.schema`.
    """
    by_lower = {word.lower(): word for word in words}
    expected = f"{', '.join(words[:-1])} or {words[-1]}"

    def parse(value: str, on_problem: OnProblem) -> str | None:
        word = by_lower.get(value.lower())
        if word is None:
            on_problem(code, f"invalid value {value!r}: expected {expected}")
        return word

    return Datatype(parse, parse, schema=_enumeration([*words, *also]))


def _list_of(
    separator: str, joiner: str, word: Datatype, most: int | None = None, *, schema: str
) -> Datatype:
    """
    Return the datatype of lists in one text, whose items have the datatype `word`.

    `separator` is the regular expression that splits a text. At most `most` items are written, with
    `joiner` between them. `schema` is the pattern in the official schema.
    """

    def parse(value: str, on_problem: OnProblem) -> tuple[str, ...]:
        parts = (part.strip() for part in re.split(separator, value))
        parsed = (cast("str | None", word.parse(part, on_problem)) for part in parts if part)
        return tuple(part for part in parsed if part is not None)

    def write(value: tuple[str, ...], on_problem: OnProblem) -> str | None:
        written = [text for part in value if (text := word.format(part, on_problem)) is not None]
        if most and len(written) > most:
            on_problem("shortened-text", f"truncated from {len(written)} to {most} values")
        return joiner.join(written[:most]) if written else None

    return Datatype(parse, write, schema=_restriction("string", pattern=schema))


def _parse_date(value: str, on_problem: OnProblem) -> str | None:
    date = dates.parse_date(value, lambda zone: on_problem("unknown-zone", zones.loss(zone, value)))
    if date is None:
        on_problem("bad-date", f"invalid date {value!r}")
    return date


def _write_date(value: str, on_problem: OnProblem) -> str | None:
    written, loss = w3cdate.to_schema_date(value)
    if loss:
        on_problem("less-precise" if written else "bad-date", loss)
    return written


def _write_url(value: str, on_problem: OnProblem) -> str | None:
    uri = uris.to_uri(value)
    if uri is None:
        on_problem("bad-loc", f"invalid URL {value!r}: expected an absolute http(s) URL")
    return uri


def _write_href(value: str, on_problem: OnProblem) -> str | None:
    return uris.to_uri(value) or uris.to_other_uri(value) or _write_url(value, on_problem)


def _parse_yes_no(value: str, on_problem: OnProblem) -> bool | None:
    if (word := value.lower()) in ("yes", "true", "1", "no", "false", "0"):
        return word in ("yes", "true", "1")
    on_problem("bad-value", f"invalid value {value!r}: expected yes or no")
    return None


def _clean_url(value: str, _: OnProblem) -> str:
    return urls.clean(value)


def _usual_url(value: str) -> str | None:
    """Return the absolute http(s) URL in a text; empty for whitespace, None for any other text."""
    if _is_plain_url(value):
        return value
    url = urls.clean(value)
    is_whole = url == value.strip()
    return url if is_whole and (not url or urls.is_absolute(url)) else None


_is_plain_url = re.compile(r"https?://[!-.0->@-~][!-~]*").fullmatch


def _usual_date(value: str) -> str | None:
    value = value.strip()
    return value if w3cdate.is_w3c(value) or not value else None


_ANY_URI = _restriction("anyURI")
TEXT = text()
DATE = Datatype(
    *(_parse_date, _write_date),
    schema='<xs:union memberTypes="xs:date xs:dateTime"/>',
    quick=_usual_date,
)
URL = Datatype(_clean_url, _write_url, is_url=True, schema=_ANY_URI, quick=_usual_url)
#: URL with any scheme, as alternates may be app links.
HREF = Datatype(_clean_url, _write_href, is_url=True, schema=_ANY_URI, quick=_usual_url)
YES_NO = Datatype(
    _parse_yes_no,
    lambda value, _: "yes" if value else "no",
    schema=_enumeration(("yes", "Yes", "YES", "no", "No", "NO")),
)
ALLOW_DENY = one_of("allow", "deny")
_CHANGEFREQ = one_of(
    *("always", "hourly", "daily", "weekly", "monthly", "yearly", "never"), code="bad-changefreq"
)
_PRIORITY = decimal(0, 1, code="bad-priority")
#: The fields of the sitemap protocol besides the URL, in the order of its schema.
CORE = {"lastmod": DATE, "changefreq": _CHANGEFREQ, "priority": _PRIORITY}
HREFLANG = pattern(
    r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*",
    "a language code such as en or pt-BR",
    lambda value: value.replace("_", "-"),
)
NEWS_LANGUAGE = pattern(
    r"zh-cn|zh-tw|[a-z]{2,3}",
    "a language code of Google News such as en or zh-cn",
    lambda value: news_language(value) or value,
    reports_change=True,
)
COUNTRIES = _list_of(
    r"[\s,]+",
    " ",
    pattern(r"[A-Z]{2}", "a two-letter country code", str.upper),
    schema="([A-Z]{2}( +[A-Z]{2})*)?",
)
_PLATFORM = "(web|mobile|tv)"
PLATFORMS = _list_of(
    r"[\s,]+", " ", one_of("web", "mobile", "tv"), schema=f"({_PLATFORM}( {_PLATFORM})*)?"
)
COMMAS = _list_of(r",", ", ", TEXT, schema=r"(.|\n|\r)*")
_GENRE_WORDS = ("PressRelease", "Satire", "Blog", "OpEd", "Opinion", "UserGenerated")
_GENRE = f"({'|'.join(_GENRE_WORDS)})"
GENRES = _list_of(r",", ", ", one_of(*_GENRE_WORDS), schema=f"{_GENRE}(, *{_GENRE})*")
TICKERS = _list_of(
    r",",
    ", ",
    pattern(r"\w+:\w+", "a ticker such as NASDAQ:AMAT"),
    most=5,
    schema=r"(\w+:\w+(, *\w+:\w+){0,4})?",
)
