"""Suggestions for unknown names and missing files."""

import os

TYPE_CHECKING = False  # importing typing takes longer than editing robots.txt
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


#: Minimum similarity of a misspelling, as in `difflib`.
_MIN_SIMILARITY = 0.7
#: Maximum number of files in a directory whose names are compared.
_MAX_FILES = 2000


def find_closest(name: str, known: "Iterable[str]") -> str:
    """
    Return the most similar known name; empty if no name is similar.

    >>> find_closest("gogle", ["google"]), find_closest("duckduckgo", ["google", "bing"])
    ('google', '')
    """
    from difflib import get_close_matches

    matches = get_close_matches(name, list(known), n=1, cutoff=_MIN_SIMILARITY)
    return matches[0] if matches else ""


def did_you_mean(meant: str) -> str:
    """
    Return a suggestion to append to a message; empty for an empty name.

    >>> did_you_mean("google"), did_you_mean("")
    (". Did you mean 'google'?", '')
    """
    return f". Did you mean {meant!r}?" if meant else ""


def find_closest_suffix(path: str, known: "Iterable[str]") -> str:
    """
    Return the path with the most similar known suffix; empty if no suffix is similar.

    Args:
        known: Suffixes, with their dots.

    >>> find_closest_suffix("a.b/report.htlm", [".html", ".md"])
    'a.b/report.html'

    """
    name, dot, suffix = path.rpartition(".")
    meant = find_closest(f".{suffix}", known) if dot and "/" not in suffix else ""
    return name + meant if meant else ""


def suggest_file(path: str, outputs: "Collection[str]" = ()) -> str:
    """
    Return the suggestion of a similar file, to append to a message; empty without a match.

    Args:
        path: Path of the missing file.
        outputs: Paths of files that are not suggested, since they will be written.

    """
    from itertools import islice

    folder, name = os.path.split(path)
    excluded = set(map(os.path.abspath, (path, *outputs)))
    try:
        with os.scandir(folder or os.curdir) as entries:
            some = list(islice(entries, _MAX_FILES))
    except (OSError, ValueError):
        return ""
    names = [entry.name for entry in some if os.path.abspath(entry.path) not in excluded]
    meant = find_closest(name, names)
    return did_you_mean(meant and os.path.join(folder, meant))
