"""Formats parts of messages: counts, lists, and truncated values."""

import os
import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

from sitemapx.convert.values.urls import MAX_LENGTH
from sitemapx.errors import UsageError
from sitemapx.optionnames import option
from sitemapx.patterns import lazy_pattern

T = TypeVar("T")

#: Maximum length of a message without its URLs.
MAX_MESSAGE = 500
MAX_LOC = 1 << 16
#: Maximum length of a value in a message: a quoted text, or a word.
MAX_VALUE = 200
_VALUE = lazy_pattern(r"'[^']{201,}+'|\"[^\"]{201,}+\"|<[^\s<>]{201,}+>|\S{201,}+")
#: Absolute and relative URLs, with the quotes around them.
_url = lazy_pattern(r"\S*/\S*")
_LONGEST_LINE = 200
_MAX_LISTED = 5


def pluralize(number: int, noun: str, plural: str = "") -> str:
    """
    Format a number with its noun.

    >>> pluralize(1, "page"), pluralize(1200, "entry", "entries")
    ('1 page', '1,200 entries')
    """
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def shorten_list(names: Sequence[str]) -> str:
    """
    Join up to five names with commas, followed by the number of the others.

    >>> shorten_list(["a", "b"]), shorten_list(["a", "b", "c", "d", "e", "f", "g"])
    ('a, b', 'a, b, c, d, e and 2 more')
    """
    more = f" and {len(names) - _MAX_LISTED:,} more" if len(names) > _MAX_LISTED else ""
    return f"{', '.join(names[:_MAX_LISTED])}{more}"


def join_words(names: Sequence[str], word: str) -> str:
    """
    Join names with commas, and with a word such as "and" or "or" before the last name.

    >>> join_words(["bash", "zsh", "fish"], "or"), join_words(["text"], "and")
    ('bash, zsh or fish', 'text')
    """
    *others, last = names
    return f"{', '.join(others)} {word} {last}" if others else last


def require_list(name: str, values: Iterable[T]) -> Iterable[T]:
    """Return `values`; raise `UsageError` with the parameter `name` for a single string or path."""
    if isinstance(values, str | bytes | os.PathLike):
        raise UsageError(f"{option(name)} must be a list: pass [{values!r}]")
    return values


def require_text(name: str, value: object, example: str) -> None:
    """Raise `UsageError` with the parameter `name`, and an example, if a value is not a string."""
    if not isinstance(value, str):
        kind = type(value).__name__
        raise UsageError(f"{option(name)} is of type {kind}: pass text such as {example!r}")


def require_count(name: str, value: object) -> None:
    """Raise `UsageError` with the parameter `name` if a value is not a positive integer."""
    if not isinstance(value, int) or value < 1:
        raise UsageError(f"invalid {option(name)} {value!r}: expected a whole number, 1 or more")


def clip(text: str, most: int) -> str:
    """
    Replace the middle of a text by an ellipsis if the text is longer than `most` characters.

    >>> clip("https://example.com/a/long/path.html", 24)
    'https://example…ath.html'
    """
    if len(text) <= most:
        return text
    end = most // 3
    return f"{text[: most - end - 1]}…{text[len(text) - end :]}"


def short_message(message: str) -> str:
    """Truncate long values except URLs in a message, then the message, not counting the URLs."""
    kept = 0

    def shorten(m: re.Match[str]) -> str:
        nonlocal kept
        if _url.fullmatch(m[0]) and len(m[0]) <= MAX_LENGTH + 2:  # the match includes the quotes
            kept += len(m[0])
            return m[0]
        return clip(m[0], MAX_VALUE)

    return clip(_VALUE.sub(shorten, message), MAX_MESSAGE + kept)


def short_url(url: str) -> str:
    return url if len(url) <= MAX_LENGTH else clip(url, MAX_VALUE)


def one_line(text: str) -> str:
    r"""
    Put a text on one line, cut after 200 characters; return an empty string for markup.

    >>> one_line("two\n lines"), one_line("<html>")
    ('two lines', '')
    """
    if text.lstrip().startswith("<"):
        return ""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…"
