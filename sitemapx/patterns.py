"""Regular expressions that are compiled when they are first used: many a run needs none of them."""

import re
from collections.abc import Callable
from functools import cached_property

__all__ = ["LazyPattern"]


class LazyPattern:
    """A regular expression for text; its attributes are the methods of the compiled pattern."""

    def __init__(self, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self._pattern = pattern
        self._flags = flags

    @cached_property
    def fullmatch(self) -> Callable[[str], re.Match[str] | None]:
        """Match all of a text."""
        return re.compile(self._pattern, self._flags).fullmatch
