"""Kinds of options that are numbers with a lower limit."""

import re
from typing import Any, NoReturn

import click

__all__ = ["Duration", "Seconds", "WholeNumber"]

#: Three of them; systems refuse to wait for very much more.
_YEARS = 1e8


class WholeNumber(click.IntRange):
    """A whole number."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the number."""
        try:
            number = int(value)
        except ValueError:
            self.fail(f"{value!r} is not a whole number of {_least(self)}", param, ctx)
        if self.min is not None and number < self.min:
            _refuse(self, value, param, ctx)
        return number


class Seconds(click.FloatRange):
    """Seconds, of which there is an end."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read the number."""
        try:
            seconds = float(value)
        except ValueError:
            seconds = float("nan")
        if not seconds <= _YEARS:  # which is true of no-number, too
            self.fail(f"{value!r} is not a number of seconds", param, ctx)
        if self.min is not None and (seconds < self.min or (self.min_open and seconds == self.min)):
            _refuse(self, value, param, ctx)
        return seconds


class Duration(click.ParamType[float]):
    """A duration such as 90s, 10m or 1h, in seconds; a plain number is one of seconds."""

    name = "duration"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read the duration."""
        m = re.fullmatch(r"([1-9][0-9]{0,5})(s|m|h)?", str(value).strip())
        if m is None:
            self.fail(f"{value!r} is not a duration: expected e.g. 90s, 10m or 1h", param, ctx)
        return float(m[1]) * {"s": 1, "m": 60, "h": 3600}[m[2] or "s"]


def _least(kind: click.IntRange | click.FloatRange) -> str:
    return f"{'more than' if kind.min_open else 'at least'} {kind.min}"


def _refuse(
    kind: click.IntRange | click.FloatRange,
    value: Any,
    param: click.Parameter | None,
    ctx: click.Context | None,
) -> NoReturn:
    """Fail because of a number that is too small."""
    kind.fail(f"{value} is too small: expected {_least(kind)}", param, ctx)
