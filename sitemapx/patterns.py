"""Regular expressions that are compiled on first use, as most runs need few of them."""

import re
from collections.abc import Callable

TYPE_CHECKING = False  # importing typing takes longer than editing robots.txt
if TYPE_CHECKING:
    from typing import Any, AnyStr


def lazy_pattern(pattern: "AnyStr", flags: re.RegexFlag = re.NOFLAG) -> "re.Pattern[AnyStr]":
    """Return a stand-in for a pattern, which is compiled when one of its attributes is accessed."""
    return _LazyPattern(lambda: re.compile(pattern, flags))  # type: ignore[return-value]


class _LazyPattern:
    def __init__(self, make: Callable[[], object]) -> None:
        self._make = make

    def __getattr__(self, name: str) -> "Any":
        value = getattr(self._make(), name)
        setattr(self, name, value)  # avoids the next call of this method
        return value
