"""Colour on terminals, overridden by NO_COLOR and FORCE_COLOR."""

import os
from collections.abc import Callable

TYPE_CHECKING = False  # importing typing takes longer than editing robots.txt
if TYPE_CHECKING:
    from typing import IO, Any


def has_colour(stream: "IO[Any]") -> bool:
    """
    Return whether output to a stream may be coloured; empty variables do not count.

    https://no-color.org and https://force-color.org
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def styler(*, has_colour: bool) -> Callable[..., str]:
    """Return `click.style`, or a function that returns texts unchanged."""
    if not has_colour:
        return lambda text, **style: str(text)
    from click import style

    return style
