"""Random variation of entries: words, URLs, dates and XML notation."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone
from random import Random
from typing import TypeVar
from xml.sax.saxutils import escape

from bench.samples.shapes import SITE

__all__ = ["Chance"]

T = TypeVar("T")

_WORDS = (
    *("garden", "spade", "copper", "kettle", "weekly", "report", "atlas", "how-to", "return"),
    *("chair", "lamp", "oak", "2026", "guide", "caf%C3%A9", "winter", "sale", "blue", "a", "of"),
    *("the", "books", "used", "help", "archive", "long-distance", "travel", "made-in-portugal"),
)
_ENDS = ("", "/", ".html", ".html", ".php")
_TITLES = ("Seen from the left & above", 'The "old" mill', "Café «Olé»", "It's <new>", "A day out")
_START = datetime(2019, 1, 1, tzinfo=UTC)
_SECONDS = 7 * 365 * 24 * 60 * 60
_OFFSETS = (0, 60, 120, -300, 330, -480, 540)
#: Optional escapes of characters, such as apostrophes in texts.
_AMPERSANDS = ("&amp;", "&amp;", "&amp;", "&amp;", "&#38;")
_APOSTROPHES = ("'", "'", "&apos;", "&#39;", "&#x27;")


class Chance:
    """Random numbers that only depend on the seed."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)
        self._draw = self._random.random

    def number(self, most: int) -> int:
        """Return a number from 0 up to, but not including, `most`."""
        return int(self._draw() * most)

    def is_one_in(self, many: float) -> bool:
        """Return True with a probability of 1 / `many`."""
        return self._draw() * many < 1

    def one_of(self, choices: Sequence[T]) -> T:
        return choices[int(self._draw() * len(choices))]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        return self._random.sample(things, len(things))

    def loc(self, number: int) -> str:
        """Return the URL of an entry: 30 to 200 characters, mostly about 70; one in 20 with &."""
        length = min(185, max(30, int(self._random.lognormvariate(4.25, 0.4))))
        ending = f"-{number}{self.one_of(_ENDS)}"
        if self.is_one_in(20):
            ending += f"?page={number % 9}&sort={self.one_of(_WORDS)}"
        elif self.is_one_in(100):
            ending += f"?q=women's-{number % 7}"
        parts = [self.one_of(_WORDS)]
        rest = length - len(SITE) - len(ending) - len(parts[0])
        while rest > 0:
            parts += [self.one_of("--/"), self.one_of(_WORDS)]
            rest -= 1 + len(parts[-1])
        return f"{SITE}{''.join(parts)}{ending}"

    def moment(self) -> datetime:
        """Return a time with seconds and a time zone."""
        zone = timezone(timedelta(minutes=self.one_of(_OFFSETS)))
        return (_START + timedelta(seconds=self.number(_SECONDS))).astimezone(zone)

    def date(self) -> str:
        """Return a date in one of the forms of W3C Datetime."""
        form, moment = self.number(100), self.moment()
        text = moment.isoformat()
        if form < 35:
            return text[:10]
        if form < 38:
            return text[: 4 if form < 36 else 7]
        zone = "Z" if form % 2 and moment.utcoffset() == timedelta() else text[19:]
        if form < 45:
            return text[:16] + zone
        if form < 60:
            return f"{text[:19]}.{self.number(1000):03}{zone}"
        return text[:19] + zone

    def title(self, number: int) -> str:
        """Return a text of several words."""
        return f"{self.one_of(_TITLES)}, {number}"

    def escaped(self, text: str) -> str:
        """Escape a text for XML in one of several ways."""
        if "&" not in text and "'" not in text and "<" not in text and ">" not in text:
            return text
        return escape(text, {"'": self.one_of(_APOSTROPHES)}).replace(
            "&amp;", self.one_of(_AMPERSANDS)
        )

    def attributes(self, values: Mapping[str, str], *, is_usual: bool = False) -> str:
        """Return attributes as XML, in random order and quotes unless `is_usual`."""
        if is_usual:
            return "".join(f' {name}="{_quoted(text)}"' for name, text in values.items())
        quote = self.one_of('""\'')
        return "".join(
            f" {name}={quote}{_quoted(values[name])}{quote}" for name in self.shuffled([*values])
        )

    def element(self, name: str, text: str, attributes: str = "") -> str:
        return f"<{name}{attributes}>{self.escaped(text)}</{name}>"


def _quoted(text: str) -> str:
    return escape(text, {"'": "&apos;", '"': "&quot;"})
