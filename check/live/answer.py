"""The answer of a server for a page: the facts, which are judged later."""

from typing import Literal

from msgspec import Struct

__all__ = ["Hop", "PageAnswer", "PageState"]

#: page: there is one; failed: there is none; loop: redirects that lead nowhere; disallowed:
#: robots.txt does not let us ask; unasked: something else does not.
PageState = Literal["page", "failed", "loop", "disallowed", "unasked"]


class Hop(Struct, frozen=True, array_like=True):
    """A redirect: its status, and where it leads."""

    status: int
    url: str


class PageAnswer(Struct, frozen=True, omit_defaults=True):
    """
    An answer.

    Attributes:
        state: What came of it.
        status: The last status; None if there was none.
        why: Why there is no page, in words.
        may_change: Whether it says little of the next time: it was not asked, or there was trouble.
        hops: The redirects on the way.
        content_type: As the header has it, without parameters.
        content: What the body is by its first bytes, if that is another type.
        noindex: Where the page asks to be kept out of the index, and whom: see `robotsmeta`.
        canonicals: Where the page names an address for itself, and which.
        leads_to: Where it leads at once.

    """

    state: PageState
    status: int | None = None
    why: str = ""
    may_change: bool = False
    hops: tuple[Hop, ...] = ()
    content_type: str = ""
    content: str = ""
    noindex: tuple[tuple[str, str], ...] = ()
    canonicals: tuple[tuple[str, str], ...] = ()
    leads_to: str = ""
