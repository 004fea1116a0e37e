"""
Credentials for Google: a JSON object in a file, in a variable or in a keyring.

What is wrong with them is told by the place where they are and the names of fields, never by what
stands there: a variable that should name a file may hold a private key.
"""

import json
import os
import warnings
from base64 import b64decode
from collections.abc import Iterator
from typing import Any

from sitemapx.errors import SecretError
from sitemapx.submit.secrets.secret import others_may

__all__ = ["Credentials"]

#: Type -> the fields that it must have: https://google.aip.dev/auth/4112
_TYPES = {
    "service_account": ("client_email", "private_key", "token_uri"),
    "authorized_user": ("client_id", "client_secret", "refresh_token"),
    "external_account": ("audience", "credential_source", "token_url"),
    "external_account_authorized_user": ("client_id", "client_secret", "refresh_token"),
    "impersonated_service_account": ("service_account_impersonation_url", "source_credentials"),
}
#: Fields that everybody may see; all others are secrets.
_OPEN_FIELDS = frozenset(
    {
        *("account", "audience", "auth_uri", "client_email", "client_id", "file", "format"),
        *("project_id", "quota_project_id", "scopes", "service_account_impersonation_url"),
        *("auth_provider_x509_cert_url", "client_x509_cert_url", "subject_token_type"),
        *("token_info_url", "token_uri", "token_url", "type", "universe_domain"),
    }
)
#: A shorter value is no secret, but would be masked wherever it stands.
_MIN_SECRET = 8
_NOT_FOUND = "neither a JSON object nor the path of an existing file"


class Credentials:
    """
    Credentials, read when they are needed.

    Attributes:
        location: Where they are, for messages.
        secrets: What must not be shown of them, as far as they were read.

    """

    def __init__(self, value: str, location: str, *, is_path: bool) -> None:
        """
        Take what is known of them.

        Args:
            value: A path, or, unless `is_path`, the credentials themselves.
            location: Where the value was found; a path that was found in a variable is not shown.

        """
        self._value = value
        self._path = value if is_path or _is_file(value) else None
        self.location = f"in {location}"
        if self._path and not is_path:
            self.location = f"in the file named by {location}"
        self.secrets: tuple[str, ...] = () if self._path else _secrets_in(value)

    @property
    def warning(self) -> str:
        """A warning about their file, although it can be used."""
        path = self._path
        if not path or not _is_file(path) or not others_may(path):
            return ""
        return f"credentials {self.location} are readable by others; run chmod 600 on the file"

    def loaded(self, scope: str) -> Any:
        """
        Make the credentials of google-auth.

        Args:
            scope: What they are used for.

        Raises:
            SecretError: If they are not what they should be.

        """
        info = self._read()
        self.secrets = tuple(_secrets(info))
        needed = _TYPES.get(str(info.get("type")))
        if needed is None:
            raise self._wrong(f"invalid `type`: expected one of {', '.join(_TYPES)}")
        if missing := [name for name in needed if not info.get(name)]:
            raise self._wrong(f"missing fields {', '.join(missing)}")
        try:
            return _made(info, scope)
        except Exception as error:  # noqa: BLE001 (whatever it is, its text may quote them)
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
            raise self._wrong(f"{_NOT_FOUND}{_hint(self._value)}")
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


def _hint(value: str) -> str:
    """Return what a value looks like that should be JSON, or a path."""
    if value[:1] in "\"'":
        return "; remove the quotes around it"
    try:
        decoded = b64decode("".join(value.split()), validate=True)
    except ValueError:
        return ""
    return "; it is base64, decode it first" if decoded.lstrip().startswith(b"{") else ""


def _secrets_in(text: str) -> tuple[str, ...]:
    """Return the secret values in a JSON object or array; else the whole text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return (text,)
    return tuple(_secrets(value)) if isinstance(value, dict | list) else (text,)


def _secrets(value: object) -> Iterator[str]:
    """Return all texts that are not known to be open."""
    if isinstance(value, str) and len(value) >= _MIN_SECRET:
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            if name not in _OPEN_FIELDS:
                yield from _secrets(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _secrets(inner)


def _made(info: dict[str, Any], scope: str) -> Any:
    import google.auth
    from google.oauth2 import credentials, service_account

    account: Any = service_account.Credentials  # google-auth has no types for these
    user: Any = credentials.Credentials
    load: Any = google.auth.load_credentials_from_dict
    if info["type"] == "service_account":
        return account.from_service_account_info(info, scopes=[scope])
    if info["type"] == "authorized_user":
        return user.from_authorized_user_info(info, scopes=[scope])
    with warnings.catch_warnings():  # of credentials from others; these are the user's own
        warnings.simplefilter("ignore", DeprecationWarning)
        return load(info, scopes=[scope])[0]
