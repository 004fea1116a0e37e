"""Colour: on a terminal, unless NO_COLOR is set; elsewhere if FORCE_COLOR is."""

import os
from collections.abc import Callable

TYPE_CHECKING = False  # typing takes longer to import than robots.txt to edit
if TYPE_CHECKING:
    from typing import IO, Any


def has_colour(stream: "IO[Any]") -> bool:
    """
    Tell whether what is written to a stream may be coloured.

    https://no-color.org and https://force-color.org: a variable that is empty does not count.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def styler(*, has_colour: bool) -> Callable[..., str]:
    """Return `click.style`, or what leaves a text as it is."""
    if not has_colour:
        return lambda text, **style: str(text)
    from click import style

    return style
