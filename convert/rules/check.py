"""What looks at the files that are checked: one class a theme."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from sitemapx.convert.document import Batch
from sitemapx.convert.findings import Rule
from sitemapx.convert.places import Place
from sitemapx.convert.rules.listed import Listed
from sitemapx.convert.rules.robotstxt import RobotsTexts

if TYPE_CHECKING:
    from sitemapx.convert.checkedfile import CheckedFile

__all__ = ["Check", "Child", "Found", "Known"]

#: Is told of something about the set as a whole: a code, a message, and what a `Finding` knows.
Found = Callable[..., None]


class Known(NamedTuple):
    """
    What all checks of a run know.

    Attributes:
        listed: The URLs that were read.
        robots: What crawlers may fetch.
        codes: What is looked for; who finds something else may save the trouble.
        children: Where indexes list the sitemaps in them, by their canonical addresses.

    """

    listed: Listed
    robots: RobotsTexts
    codes: Collection[str]
    children: dict[str, "Child"]


class Child(NamedTuple):
    """Where an index lists a sitemap."""

    source: str | None
    place: Place
    loc: str


class Check:
    """
    Looks at all files of a run, one after the other.

    It keeps little: what grows with the number of entries goes to disk (see `spilling`).

    Attributes:
        rules: The codes that it may find.
        asks_listed: Whether it asks what was listed before, which takes as long as all the rest.
        more: Those of others that it may find, too.
        known: What all checks know.

    """

    rules: ClassVar[Mapping[str, Rule]] = {}
    asks_listed: ClassVar[bool] = False
    more: ClassVar[Sequence[str]] = ()

    def __init__(self, known: Known) -> None:
        self.known = known

    def begin(self, file: "CheckedFile") -> None:
        """Begin with a file, of which only its head was read."""

    def batch(self, batch: Batch, file: "CheckedFile") -> None:
        """Look at some entries, as they come."""

    def end(self, file: "CheckedFile") -> None:
        """End a file, whether it could be read to its end or not."""

    def finish(self, found: Found) -> None:
        """Tell what is wrong with all files together."""

    def close(self) -> None:
        """Give back what is held."""
