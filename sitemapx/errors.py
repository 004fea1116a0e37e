"""
The exceptions of sitemapx.

    SitemapxError
    ├── InputError    (ValueError)  source cannot be read
    │   └── FetchError              URL cannot be fetched
    │       ├── NotRequestedError   URL was not requested
    │       ├── PrivateAddressError URL leads to a private address
    │       └── ProxyError          proxy cannot be used
    ├── RefusedError                search engine cannot be used for a site
    ├── OutputError   (OSError)     output cannot be written
    │   └── OutputClosedError       output is a pipe that was closed (`| head`)
    ├── SecretError   (OSError)     secret is missing or cannot be used
    └── UsageError    (ValueError)  arguments are invalid or contradict each other
        └── UnknownNameError        unknown name; suggests the closest known one

A problem with a single entry raises no exception; it is reported as a `sitemapx.convert.Problem`.
"""

TYPE_CHECKING = False  # importing typing takes longer than editing robots.txt
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


class SitemapxError(Exception):
    """Base class of the exceptions of sitemapx."""


class InputError(SitemapxError, ValueError):
    """
    A source cannot be read, or not completely.

    Attributes:
        message: Description of the problem, without its location.
        source: Name of the source; empty if unknown.
        line: Line number in the source, starting at 1; None if unknown.
        code: Code of the rule under which `sitemapx.check` reports the error.

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
        reason: Cause of the error; `message` adds advice, if there is any.
        status: HTTP status code of the response; None if there was no response.
        retry_after: Seconds after which a retry may succeed; 0 if a retry may succeed but the
            server specified no delay; None if a retry is pointless.

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


class NotRequestedError(FetchError):
    """
    A URL was not requested, so its state is unknown.

    Raised if the total size of downloads exceeds its limit, or if the host has stopped responding
    or requested a pause.
    """


class PrivateAddressError(FetchError):
    """A URL leads to a private IP address and was not requested."""


class ProxyError(FetchError):
    """A proxy cannot be used, so the URL was not requested."""


class RefusedError(SitemapxError):
    """
    A search engine cannot be used for a site, or does not answer an inquiry.

    Attributes:
        answer: The `sitemapx.submit.Answer` of the search engine.

    """

    def __init__(self, answer: "Any") -> None:
        super().__init__(answer.reason)
        self.answer = answer


class OutputError(SitemapxError, OSError):
    """An output cannot be written."""

    @classmethod
    def from_os_error(cls, path: str, error: OSError) -> "OutputError":
        """Create an error for a path, as the caller wrote it, from an error of the system."""
        import os

        folder, cause = os.path.dirname(path), error.strerror or str(error)
        if isinstance(error, FileNotFoundError) and folder and not os.path.isdir(folder):
            cause = f"no such directory {folder} (create it with `mkdir -p {folder}`)"
        elif isinstance(error, IsADirectoryError):
            cause = "it is a directory"
        return cls(f"cannot write {path}: {cause}")

    def __str__(self) -> str:
        return str(self.args[0])


class OutputClosedError(OutputError):
    """The output is a pipe that its reader has closed, so that nothing more can be written."""


class SecretError(SitemapxError, OSError):
    """A secret is missing, invalid, unreadable or readable by other users."""

    def __str__(self) -> str:
        return str(self.args[0])


class UsageError(SitemapxError, ValueError):
    """The arguments are invalid, contradict each other, or exceed a limit of the format."""


class UnknownNameError(UsageError):
    """
    An unknown name; the message suggests a similar known name and lists the known names.

    Args:
        kind: Kind of the name, such as "engine".
        name: The unknown name.
        known: The valid names.
        more: Hint shown instead of the list of valid names.
        meant: The suggestion, if known; otherwise the most similar name, if any, is suggested.

    Examples:
        >>> print(UnknownNameError("engine", "gogle", ["google", "bing"]))
        unknown engine 'gogle'. Did you mean 'google'? (choose from google, bing)

    """

    def __init__(
        self, kind: str, name: str, known: "Iterable[str]", more: str = "", *, meant: str = ""
    ) -> None:
        from sitemapx.suggestions import did_you_mean, find_closest

        names = list(known)
        meant = meant or find_closest(name, names)
        more = more or f"choose from {', '.join(names)}"
        super().__init__(f"unknown {kind} {name!r}{did_you_mean(meant)} ({more})")
