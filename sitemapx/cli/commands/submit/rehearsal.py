"""A dry run of `sitemapx submit`, and how `publish` looks at its result."""

from collections.abc import Callable
from dataclasses import dataclass, field

import click

__all__ = ["Rehearsal"]


@dataclass
class Rehearsal:
    """
    A dry run of `submit`.

    Attributes:
        print_request: Called with each request that would be sent.
        asks_site: Whether the site is asked what a run asks before it sends anything: its
            robots.txt, some pages and the key file. Search engines are never asked.
        check_command: The command that shows what is wrong with the set; empty for a check of the
            sources.
        failures: Filled with what would not be sent, and why.

    """

    print_request: Callable[[str], object] = click.echo
    asks_site: bool = False
    check_command: str = ""
    failures: list[str] = field(default_factory=list)
