"""The names that options have on the command line, by those of the parameters in Python."""

__all__ = ["option_name"]

#: All others are called alike, with hyphens.
_NAMES = {
    "fetches": "--fetch",
    "follows": "--no-follow",
    "format": "--from",
    "mappings": "--map",
    "new_maps": "--map-new",
    "old_maps": "--map-old",
    "output": "-o",
    "pages": "--follow-pages",
    "target_of(format)": "--to",
    "url": "--source-url",
}
_VALUES = {
    "format": "FORMAT",
    "mappings": "URL=DIR",
    "new_maps": "URL=DIR",
    "old_maps": "URL=DIR",
    "output": "FILE",
    "target_of(format)": "FORMAT",
}


def option_name(name: str, value: str = "") -> str:
    """
    Return an option as it is typed.

    >>> option_name("base_url"), option_name("jobs", "1"), option_name("format")
    ('--base-url', '--jobs 1', '--from FORMAT')

    """
    words = [_NAMES.get(name, f"--{name.replace('_', '-')}"), value or _VALUES.get(name, "")]
    return " ".join(filter(None, words))
