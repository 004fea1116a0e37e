"""
Requests tokens for Google's APIs with google-auth (the extra `sitemapx[google]`).

https://google-auth.readthedocs.io/: a service account, a user, or the credentials of the machine
(application default credentials). google-auth sends its requests through a `Fetch`, so that the
same timeouts apply to tokens. Its exceptions may quote credentials, so messages contain the
location of credentials and names of fields, but no values: a variable that should contain a path
may contain a private key.
"""

import json
import os
import warnings
from base64 import b64decode
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

import msgspec

from sitemapx.convert.values import urls
from sitemapx.convert.values.words import one_line
from sitemapx.errors import FetchError, SecretError, UsageError
from sitemapx.submit.secrets.secret import Fetch, Secret, others_may

#: Type of credentials -> required fields: https://google.aip.dev/auth/4112
_TYPES = {
    "service_account": ("client_email", "private_key", "token_uri"),
    "authorized_user": ("client_id", "client_secret", "refresh_token"),
    "external_account": ("audience", "credential_source", "token_url"),
    "external_account_authorized_user": ("client_id", "client_secret", "refresh_token"),
    "impersonated_service_account": ("service_account_impersonation_url", "source_credentials"),
}
#: Fields that are public; all others are secrets.
_PUBLIC_FIELDS = frozenset(
    {
        *("account", "audience", "auth_uri", "client_email", "client_id", "file", "format"),
        *("project_id", "quota_project_id", "scopes", "service_account_impersonation_url"),
        *("auth_provider_x509_cert_url", "client_x509_cert_url", "subject_token_type"),
        *("token_info_url", "token_uri", "token_url", "type", "universe_domain"),
    }
)
#: Minimum length of a secret; masking shorter values would hide ordinary text.
_MIN_SECRET = 8
_NOT_FOUND = "neither a JSON object nor the path of an existing file"
_NEEDS = "google-auth is not installed: pip install 'sitemapx[google]'"
#: Public parameters of a request for a token.
_OPEN_FIELDS = frozenset({"grant_type", "scope", "client_id", "audience"})
#: Exceptions of google-auth for responses in an unexpected form.
_DEFECTS = (AttributeError, KeyError, OSError, RecursionError, TypeError, ValueError)


class Credentials:
    """
    Google credentials that are read on demand.

    Args:
        value: The credentials as JSON, or the path of their file (always, if `is_path`).
        location: Where the value was configured, for messages, which never show the value itself.

    Attributes:
        secrets: Secret parts of the credentials, to be masked; from a file, empty before `load`.

    """

    def __init__(self, value: str, location: str, *, is_path: bool) -> None:
        self._value = value
        self._path = value if is_path or _is_file(value) else None
        self.location = f"in {location}"
        if self._path and not is_path:
            self.location = f"in the file named by {location}"
        self.secrets: tuple[str, ...] = () if self._path else _secrets_in(value)

    @property
    def warning(self) -> str:
        """Warning that other users can read the file of the credentials; empty otherwise."""
        path = self._path
        if not path or not _is_file(path) or not others_may(path):
            return ""
        return f"credentials {self.location} are readable by others; run chmod 600 on the file"

    def load(self, scope: str) -> Any:
        """Return the google-auth object for an OAuth scope; may raise `SecretError`."""
        info = self._read()
        self.secrets = tuple(_secrets(info))
        needed = _TYPES.get(str(info.get("type")))
        if needed is None:
            raise self._wrong(f"invalid `type`: expected one of {', '.join(_TYPES)}")
        if missing := [name for name in needed if not info.get(name)]:
            raise self._wrong(f"missing fields {', '.join(missing)}")
        try:
            return _make_credentials(info, scope)
        except Exception as error:  # noqa: BLE001 (may quote the credentials)
            part = "private_key" if "private_key" in needed else f"it ({type(error).__name__})"
            raise self._wrong(f"google-auth cannot read {part}") from None

    def _read(self) -> dict[str, Any]:
        text = self._text()
        try:
            info = json.loads(text)
        except json.JSONDecodeError as error:
            where = f"line {error.lineno}, column {error.colno}"
            raise self._wrong(f"not JSON: {error.msg} ({where})") from None
        except (ValueError, RecursionError):
            raise self._wrong("not JSON") from None
        if not isinstance(info, dict):
            raise self._wrong("not a JSON object")
        return info

    def _text(self) -> str:
        if self._path is None:
            if self._value.lstrip().startswith("{"):
                return self._value
            raise self._wrong(f"{_NOT_FOUND}{_value_hint(self._value)}")
        try:
            with open(self._path, encoding="utf-8-sig") as file:
                return file.read()
        except OSError as error:
            raise self._wrong(error.strerror or type(error).__name__) from None
        except ValueError:
            raise self._wrong("not UTF-8") from None

    def _wrong(self, message: str) -> SecretError:
        return SecretError(f"cannot use the credentials {self.location}: {message}")


def _is_file(value: str) -> bool:
    return os.path.exists(value) and not os.path.isdir(value)


def _value_hint(value: str) -> str:
    """Return advice about a value that is neither JSON nor a path; may be empty."""
    if value[:1] in "\"'":
        return "; remove the quotes around it"
    try:
        decoded = b64decode("".join(value.split()), validate=True)
    except ValueError:
        return ""
    return "; it is base64, decode it first" if decoded.lstrip().startswith(b"{") else ""


def _secrets_in(text: str) -> tuple[str, ...]:
    """Return the secret values in a JSON object or array; for any other text, the whole text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return (text,)
    return tuple(_secrets(value)) if isinstance(value, dict | list) else (text,)


def _secrets(value: object) -> Iterator[str]:
    """Yield all strings in a JSON value except those of public fields and short ones."""
    if isinstance(value, str) and len(value) >= _MIN_SECRET:
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            if name not in _PUBLIC_FIELDS:
                yield from _secrets(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _secrets(inner)


def _make_credentials(info: dict[str, Any], scope: str) -> Any:
    import google.auth
    from google.oauth2 import credentials, service_account

    account: Any = service_account.Credentials  # google-auth has no types for these
    user: Any = credentials.Credentials
    load: Any = google.auth.load_credentials_from_dict
    if info["type"] == "service_account":
        return account.from_service_account_info(info, scopes=[scope])
    if info["type"] == "authorized_user":
        return user.from_authorized_user_info(info, scopes=[scope])
    with warnings.catch_warnings():  # google-auth warns about untrusted credentials
        warnings.simplefilter("ignore", DeprecationWarning)
        return load(info, scopes=[scope])[0]


class GoogleToken(Secret):
    """
    A token that is requested on demand, and again after it has expired.

    Creating an instance raises `UsageError` if google-auth is not installed.

    Args:
        credentials: Credentials; None for the application default credentials of the machine.
        scope: OAuth scope.

    """

    def __init__(self, name: str, credentials: Credentials | None, scope: str) -> None:
        super().__init__(name, self._token)
        if find_spec("google") is None or find_spec("google.auth") is None:
            raise UsageError(_NEEDS)
        self._source = credentials
        self._scope = scope
        self._credentials: Any = None
        self._secrets: dict[str, None] = {}

    @property
    def is_at_hand(self) -> bool:
        return bool(self._token())

    @property
    def warning(self) -> str:
        return self._source.warning if self._source else ""

    def values(self) -> tuple[str, ...]:
        """Return the token, the credentials, and the secrets sent to obtain the token."""
        parts = self._source.secrets if self._source else ()
        return tuple(dict.fromkeys([*super().values(), *parts, *self._secrets]))

    def discard_value(self) -> bool:
        if not self.is_at_hand:
            return False
        self._secrets[self._token()] = None
        self._credentials.token = None
        return True

    def _token(self) -> str:
        return str((self._credentials and self._credentials.token) or "")

    def check_source(self) -> None:
        if self._source and self._credentials is None:
            self._credentials = self._source.load(self._scope)

    def request_value(self, fetch: Fetch) -> None:
        from google.auth.exceptions import GoogleAuthError

        transport = _TokenTransport(fetch, self._secrets)
        try:
            if self._credentials is None:
                self._credentials = self._load(transport)
            if not self._credentials.valid:
                self._credentials.refresh(transport)
        except SecretError:
            raise
        except (GoogleAuthError, *_DEFECTS) as error:
            self._forget()
            raise self._explain_failure(transport, error) from None
        token = self._credentials.token
        if not (isinstance(token, str) and token.isascii() and token.isprintable() and token):
            self._forget()
            raise self._explain_failure(transport, None)

    def _forget(self) -> None:
        if self._credentials is not None:
            self._credentials.token = None

    def _load(self, transport: "_TokenTransport") -> Any:
        if self._source:
            return self._source.load(self._scope)
        import google.auth

        default: Any = google.auth.default
        found = default(scopes=[self._scope], request=transport)[0]
        names = ("refresh_token", "client_secret", "token")
        values = (getattr(found, name, None) for name in names)
        self._secrets |= dict.fromkeys(
            value for value in values if isinstance(value, str) and value
        )
        return found

    def _explain_failure(self, transport: "_TokenTransport", error: Exception | None) -> Exception:
        """Return the exception to raise for a missing token, without any text of google-auth."""
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


class _TokenAnswer(NamedTuple):
    """A response in the form that google-auth expects."""

    url: str
    status: int
    headers: Mapping[str, str]
    data: bytes

    @property
    def explanation(self) -> str:
        """Why the response contains no token, in the words of the server if it gives a reason."""
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
        is_error = self.status >= 400 and isinstance(found, dict)
        return message if is_error else f"{self._host} returned {message}"

    @property
    def _host(self) -> str:
        return f"{urls.hostname(self.url)} ({self.status})"


class _TokenTransport:
    """The HTTP transport of google-auth; adds secrets in requests to the keys of `secrets`."""

    def __init__(self, fetch: Fetch, secrets: dict[str, None]) -> None:
        self._fetch = fetch
        self._secrets = secrets
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
        from google.auth import exceptions

        untyped: Any = exceptions
        for name, value in parse_qsl((body or b"").decode("utf-8", "replace")):
            if name not in _OPEN_FIELDS:
                self._secrets[value] = None
        try:
            self.answer = _TokenAnswer(url, *self._fetch(method, url, headers or {}, body, timeout))
        except FetchError as error:
            self.failure = error
            # Also for statuses such as 503, after which google-auth would retry by itself.
            raise untyped.TransportError(error.message) from None
        return self.answer
