"""Options of the command line in messages: their names, and which of them a command has."""

import re

import click

__all__ = ["advise", "option_name"]

_options = re.compile(r"(?<![\w-])--[a-z][a-z-]*").findall

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


def advise(text: str) -> str:
    """Return advice if the running command has all options in it, outside of commands; else ""."""
    context = click.get_current_context(silent=True)
    if context is None:
        return text
    known = {opt for param in context.command.params for opt in param.opts}
    named = {option for part in text.split("`")[::2] for option in _options(part)}
    return text if named <= known else ""
