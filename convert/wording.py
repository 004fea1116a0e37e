"""Words for messages."""

import os
from itertools import islice

__all__ = ["counted", "near"]

#: So many names beside a file are compared with its own.
_MOST = 2000


def counted(number: int, one: str, many: str = "") -> str:
    """
    Put a number before what is counted.

    >>> counted(1, "page"), counted(1200, "entry", "entries")
    ('1 page', '1,200 entries')

    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def near(path: str) -> str:
    """Suggest the file that somebody meant who names one that does not exist; empty for none."""
    from difflib import get_close_matches

    folder, name = os.path.split(path)
    try:
        with os.scandir(folder or os.curdir) as found:
            names = [one.name for one in islice(found, _MOST)]
    except (OSError, ValueError):
        return ""
    close = get_close_matches(name, names, n=1, cutoff=0.7)
    return f"; did you mean {os.path.join(folder, close[0])!r}?" if close else ""
