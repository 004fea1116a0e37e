"""The names that options have on the command line, by those of the parameters in Python."""

__all__ = ["option_name"]

#: Parameter -> option, with the kind of its value; all others are called alike, with hyphens.
_NAMES = {
    "compress": "--gzip",
    "engines": "--engine",
    "fetches": "--fetch",
    "follows": "--no-follow",
    "format": "--from FORMAT",
    "mappings": "--map URL=DIR",
    "new_maps": "--map-new URL=DIR",
    "old_maps": "--map-old URL=DIR",
    "output": "-o FILE",
    "pages": "--follow-pages",
    "target_of(format)": "--to FORMAT",
    "url": "--source-url",
}


def option_name(name: str, value: str = "") -> str:
    """
    Return an option as it is typed.

    >>> option_name("base_url"), option_name("jobs", "1"), option_name("format")
    ('--base-url', '--jobs 1', '--from FORMAT')

    """
    typed = _NAMES.get(name, f"--{name.replace('_', '-')}")
    return f"{typed.partition(' ')[0]} {value}" if value else typed
