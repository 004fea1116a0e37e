"""
Tokens for Google's APIs, made of credentials by google-auth (the extra `sitemapx[google]`).

https://google-auth.readthedocs.io/: a service account, or the credentials of the machine
(application default credentials).
"""

import json
import os
from importlib.util import find_spec
from typing import Any

from sitemapx.errors import SecretError, UsageError
from sitemapx.submit.secrets import Secret, others_may

__all__ = ["GoogleToken"]

_NEEDS = "the engine needs google-auth: pip install 'sitemapx[google]'"


class GoogleToken(Secret):
    """A token, which is asked for when it is needed, and again when it has run out."""

    def __init__(self, name: str, credentials: str | None, scope: str) -> None:
        """
        Take credentials.

        Args:
            credentials: A path, or JSON; None for those of the machine.
            scope: What the token is for.

        Raises:
            UsageError: If google-auth is not installed.

        """
        super().__init__(name, self._made)
        if find_spec("google") is None or find_spec("google.auth") is None:
            raise UsageError(_NEEDS)
        self._source = credentials
        self._scope = scope
        self._credentials: Any = None

    @property
    def is_at_hand(self) -> bool:
        """Whether there is a token already."""
        return self._credentials is not None and bool(self._credentials.token)

    @property
    def warning(self) -> str:
        """What is wrong with the file of the credentials, although it can be used."""
        path = self._source or ""
        if not os.path.isfile(path) or not others_may(path):
            return ""
        return f"{path}: others may read these credentials; chmod 600 {path}"

    def renew(self) -> bool:
        """Let the token go."""
        if not self.is_at_hand:
            return False
        self._credentials.token = None
        return True

    def _made(self) -> str:
        from google.auth.exceptions import GoogleAuthError
        from google.auth.transport.requests import Request

        try:
            if self._credentials is None:
                self._credentials = self._loaded()
            if not self._credentials.valid:
                self._credentials.refresh(Request())
        except GoogleAuthError as error:
            said = str(error.args[0] if error.args else error)
            cure = "; is this clock right?" if "JWT" in said else ""
            raise SecretError(f"no token from Google: {said}{cure}") from error
        except (OSError, ValueError, KeyError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise SecretError(f"the credentials{self._where} cannot be used: {why}") from error
        return str(self._credentials.token)

    @property
    def _where(self) -> str:
        """Say where the credentials are: in a file, or in the variable itself, which is secret."""
        return "" if not self._source or self._source.startswith("{") else f" {self._source}"

    def _loaded(self) -> Any:
        import google.auth
        from google.oauth2 import service_account

        text = self._source or ""
        if text and not text.startswith("{"):
            with open(text, encoding="utf-8") as file:
                text = file.read()
        info = json.loads(text) if text else {}
        if not isinstance(info, dict):
            raise ValueError("not an object of JSON")
        if info.get("type") == "service_account":
            made: Any = service_account.Credentials
            return made.from_service_account_info(info, scopes=[self._scope])
        return google.auth.default(scopes=[self._scope])[0]
