"""
Tokens for Google's APIs, made of credentials by google-auth (the extra `sitemapx[google]`).

https://google-auth.readthedocs.io/: a service account, a user, or the credentials of the machine
(application default credentials). google-auth connects to nothing: `Fetch` does, so that tokens
obey the same timeouts as all else. Its exceptions may quote credentials, so messages do not.
"""

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

import msgspec

from sitemapx.convert.values import urls
from sitemapx.convert.values.words import one_line
from sitemapx.errors import FetchError, SecretError, UsageError
from sitemapx.submit.secrets.googlecredentials import Credentials
from sitemapx.submit.secrets.secret import Fetch, Secret

__all__ = ["GoogleToken"]

_NEEDS = "google-auth is not installed: pip install 'sitemapx[google]'"
#: What a request for a token says that is no secret.
_OPEN_FIELDS = frozenset({"grant_type", "scope", "client_id", "audience"})


class GoogleToken(Secret):
    """A token, which is asked for when it is needed, and again when it has run out."""

    def __init__(self, name: str, credentials: Credentials | None, scope: str) -> None:
        """
        Take credentials.

        Args:
            credentials: None for those of the machine.
            scope: What the token is for.

        Raises:
            UsageError: If google-auth is not installed.

        """
        super().__init__(name, self._token)
        if find_spec("google") is None or find_spec("google.auth") is None:
            raise UsageError(_NEEDS)
        self._source = credentials
        self._scope = scope
        self._credentials: Any = None
        self._seen: dict[str, None] = {}

    @property
    def is_at_hand(self) -> bool:
        """Whether there is a token already."""
        return bool(self._token())

    @property
    def warning(self) -> str:
        """A warning about the file of the credentials, although it can be used."""
        return self._source.warning if self._source else ""

    def values(self) -> tuple[str, ...]:
        """Return the token, the credentials, and what was sent for the token."""
        parts = self._source.secrets if self._source else ()
        return tuple(dict.fromkeys([*super().values(), *parts, *self._seen]))

    def renew(self) -> bool:
        """Let the token go."""
        if not self.is_at_hand:
            return False
        self._seen[self._token()] = None
        self._credentials.token = None
        return True

    def _token(self) -> str:
        return str((self._credentials and self._credentials.token) or "")

    def check(self) -> None:
        """
        Look whether the credentials are what they should be.

        Raises:
            SecretError: If they are not.

        """
        if self._source and self._credentials is None:
            self._credentials = self._source.loaded(self._scope)

    def obtain(self, fetch: Fetch) -> None:
        """
        Ask for a token, if there is none that is valid.

        Raises:
            SecretError: If there is none for these credentials.
            FetchError: If nobody answers.

        """
        from google.auth.exceptions import GoogleAuthError

        transport = _TokenTransport(fetch, self._seen)
        try:
            if self._credentials is None:
                self._credentials = self._loaded(transport)
            if not self._credentials.valid:
                self._credentials.refresh(transport)
        except SecretError:
            raise
        except (GoogleAuthError, *_DEFECTS) as error:
            self._forget()
            raise self._explained(transport, error) from None
        token = self._credentials.token
        if not (isinstance(token, str) and token.isascii() and token.isprintable() and token):
            self._forget()
            raise self._explained(transport, None)

    def _forget(self) -> None:
        if self._credentials is not None:
            self._credentials.token = None

    def _loaded(self, transport: "_TokenTransport") -> Any:
        """Make the credentials of google-auth."""
        if self._source:
            return self._source.loaded(self._scope)
        import google.auth

        default: Any = google.auth.default
        found = default(scopes=[self._scope], request=transport)[0]
        names = ("refresh_token", "client_secret", "token")
        values = (getattr(found, name, None) for name in names)
        self._seen |= dict.fromkeys(value for value in values if isinstance(value, str) and value)
        return found

    def _explained(self, transport: "_TokenTransport", error: Exception | None) -> Exception:
        """Return why there is no token, by what was seen: not by what google-auth says of it."""
        if transport.failure:
            reason = f"cannot get a token from Google: {transport.failure.message}"
            return FetchError(self.mask(reason), retry_after=transport.failure.retry_after)
        answer = transport.answer
        if answer is None and self._credentials is None:
            message = "no Google credentials on this machine; set"
            return SecretError(f"{message} {self.name}, or set secret in sitemapx.toml")
        if answer is None:
            where = self._source.location if self._source else "on this machine"
            kind = type(error).__name__
            return SecretError(f"cannot use the credentials {where} ({kind})")
        message = self.mask(answer.explanation)
        action = "; check the system clock" if "JWT" in message else ""
        return SecretError(f"cannot get a token from Google: {message}{action}")


#: What google-auth raises where an answer is not of the form that it expects.
_DEFECTS = (AttributeError, KeyError, OSError, RecursionError, TypeError, ValueError)


class _TokenAnswer(NamedTuple):
    """An answer, as google-auth wants it."""

    url: str
    status: int
    headers: Mapping[str, str]
    data: bytes

    @property
    def explanation(self) -> str:
        """The explanation of an answer that has no token."""
        text = self.data.decode("utf-8", "replace")
        try:
            found = msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError):
            found = None
        if isinstance(found, dict):
            parts = [found.get(name) for name in ("error", "error_description")]
            message = ": ".join(part for part in parts if isinstance(part, str) and part)
            message = one_line(message) or "a JSON object without a token"
        elif found is not None:
            message = "JSON that is not an object"
        else:
            message = "a web page" if text.lstrip().startswith("<") else "no JSON"
        is_told = self.status >= 400 and isinstance(found, dict)
        return message if is_told else f"{self._host} returned {message}"

    @property
    def _host(self) -> str:
        return f"{urls.hostname(self.url)} ({self.status})"


class _TokenTransport:
    """The transport of google-auth, which remembers what went wrong."""

    def __init__(self, fetch: Fetch, seen: dict[str, None]) -> None:
        """
        Take what connects.

        Args:
            seen: Gets what is sent, and must not be shown.

        """
        self._fetch = fetch
        self._seen = seen
        self.failure: FetchError | None = None
        self.answer: _TokenAnswer | None = None

    def __call__(
        self,
        url: str,
        method: str = "GET",
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
        **options: object,
    ) -> _TokenAnswer:
        """
        Make a request.

        Raises:
            TransportError: If there is no answer, or one that another attempt may change:
                google-auth shall not try again by itself.

        """
        from google.auth import exceptions

        untyped: Any = exceptions
        for name, value in parse_qsl((body or b"").decode("utf-8", "replace")):
            if name not in _OPEN_FIELDS:
                self._seen[value] = None
        try:
            self.answer = _TokenAnswer(url, *self._fetch(method, url, headers or {}, body, timeout))
        except FetchError as error:
            self.failure = error
            raise untyped.TransportError(error.message) from None
        return self.answer
