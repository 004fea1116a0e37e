"""
Everything that sitemapx raises on purpose.

    SitemapxError
    ├── InputError    (ValueError)  a source that cannot be read at all
    │   └── FetchError              a URL that cannot be fetched
    │       ├── NotAskedError       a URL that was not asked for, and why
    │       ├── PrivateAddressError a URL that leads to a private address
    │       └── ProxyError          a proxy that cannot be used
    ├── RefusedError                an engine that takes nothing from a site
    ├── OutputError   (OSError)     an output that cannot be written
    │   └── OutputClosedError       whoever read it (`| head`) has had enough
    ├── SecretError   (OSError)     a secret that cannot be had, or that others can read
    └── UsageError    (ValueError)  a call that asks for something impossible
        └── UnknownNameError        a name that stands for nothing, and the nearest that does

What is wrong with one entry is no exception but a `sitemapx.convert.Problem`.
"""

TYPE_CHECKING = False  # typing takes longer to import than robots.txt to edit
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

__all__ = [
    "FetchError",
    "InputError",
    "NotAskedError",
    "OutputClosedError",
    "OutputError",
    "PrivateAddressError",
    "ProxyError",
    "RefusedError",
    "SecretError",
    "SitemapxError",
    "UnknownNameError",
    "UsageError",
]


class SitemapxError(Exception):
    """The root: `except SitemapxError` catches every refusal of this package."""


class InputError(SitemapxError, ValueError):
    """
    A source is not what it should be, and nothing more can be read from it.

    Attributes:
        source: The name of the source, as the caller gave it.
        line: Where in the source, counted from 1, if that is known.
        code: What a check calls this.

    """

    def __init__(
        self,
        message: str,
        source: str = "",
        line: int | None = None,
        *,
        code: str = "unreadable",
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.source = source
        self.line = line

    def __str__(self) -> str:
        where = ":".join(str(part) for part in (self.source, self.line) if part)
        return f"{where}: {self.message}" if where else self.message


class FetchError(InputError):
    """
    A URL cannot be fetched.

    Attributes:
        reason: Why; the message says also what can be done, if anything.
        status: The HTTP status of the answer; None if there was none.
        retry_after: In how many seconds another attempt may succeed: 0 if the server does not
            say; None if there is no hope.

    """

    def __init__(
        self,
        reason: str,
        *,
        advice: str = "",
        status: int | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{reason}; {advice}" if advice else reason)
        self.reason = reason
        self.status = status
        self.retry_after = retry_after


class NotAskedError(FetchError):
    """A URL that the server was not asked for, which so tells nothing about it."""


class PrivateAddressError(FetchError):
    """A URL that leads to a private address, so that nobody was asked."""


class ProxyError(FetchError):
    """A proxy that cannot be used, so that nobody was asked."""


class RefusedError(SitemapxError):
    """
    An engine's answer on the way to the first batch: nothing can be sent.

    Attributes:
        answer: This `sitemapx.submit.Answer`.

    """

    def __init__(self, answer: "Any") -> None:
        super().__init__(answer.reason)
        self.answer = answer


class OutputError(SitemapxError, OSError):
    """An output cannot be written; what stood there before still stands."""

    def __str__(self) -> str:
        return str(self.args[0])


class OutputClosedError(OutputError):
    """The reader at the other end of a pipe is gone; there is nobody to write for."""


class SecretError(SitemapxError, OSError):
    """A secret is not there, cannot be read, or can be read by others; never says the secret."""

    def __str__(self) -> str:
        return str(self.args[0])


class UsageError(SitemapxError, ValueError):
    """The call contradicts itself or a limit of the format; the message says how to fix it."""


#: How like another a name must be to be taken for a misspelling of it.
_ALIKE = 0.7


class UnknownNameError(UsageError):
    """
    A name that stands for nothing, the nearest one that does, and where to find all.

    >>> print(UnknownNameError("engine", "gogle", ["google", "bing"]))
    unknown engine 'gogle'. Did you mean 'google'? (choose from google, bing)

    """

    def __init__(self, kind: str, name: str, known: "Iterable[str]", more: str = "") -> None:
        from difflib import get_close_matches

        names = list(known)
        near = get_close_matches(name, names, n=1, cutoff=_ALIKE)
        meant = f". Did you mean {near[0]!r}?" if near else ""
        more = more or f"choose from {', '.join(names)}"
        super().__init__(f"unknown {kind} {name!r}{meant} ({more})")
