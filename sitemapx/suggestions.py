"""Suggestions: which known name, or which file, was meant by one that does not exist."""

import os

TYPE_CHECKING = False  # typing takes longer to import than robots.txt to edit
if TYPE_CHECKING:
    from collections.abc import Iterable


#: How like another a name must be to be taken for a misspelling of it.
_ALIKE = 0.7
#: So many names beside a file are compared with its own.
_MOST = 2000


def closest(name: str, known: "Iterable[str]") -> str:
    """
    Return the known name that was probably meant; empty if none is close enough.

    >>> closest("gogle", ["google", "bing"]), closest("duckduckgo", ["google", "bing"])
    ('google', '')

    """
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), n=1, cutoff=_ALIKE)
    return near[0] if near else ""


def asked(meant: str) -> str:
    """
    Return what a message goes on with that suggests a name; empty if there is none to suggest.

    >>> asked("google"), asked("")
    (". Did you mean 'google'?", '')

    """
    return f". Did you mean {meant!r}?" if meant else ""


def closest_suffix(path: str, known: "Iterable[str]") -> str:
    """
    Return the name that a file was probably meant to have; empty if none is close enough.

    Args:
        known: The suffixes that names may have, each with its dot.

    >>> closest_suffix("a.b/report.htlm", [".html", ".md"])
    'a.b/report.html'

    """
    name, dot, suffix = path.rpartition(".")
    meant = closest(f".{suffix}", known) if dot and "/" not in suffix else ""
    return name + meant if meant else ""


def suggested_file(path: str) -> str:
    """Return the end of a message about a missing file: the one that was meant; empty for none."""
    from itertools import islice

    folder, name = os.path.split(path)
    try:
        with os.scandir(folder or os.curdir) as found:
            names = [one.name for one in islice(found, _MOST) if one.name != name]
    except (OSError, ValueError):
        return ""
    meant = closest(name, names)
    return asked(meant and os.path.join(folder, meant))
