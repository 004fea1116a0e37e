"""
Secrets that nobody sees: not the engines, nor the journal, nor any message.

A `Secret` stands in for its value: put into an address, a header or a body, it becomes a
placeholder that says nothing. Only the sender, in its last step, puts the value in its place; and
the placeholder in the place of the value wherever an answer repeats it, and stars where it repeats
another form of it. No message has a value, nor has that of an exception.
"""

import os
import re
import stat
from collections.abc import Callable, Iterable, Mapping
from secrets import token_hex
from urllib.parse import quote

from sitemapx.errors import SecretError, UsageError
from sitemapx.submit.secrets.masking import Forms, forms_of, without

__all__ = ["Fetch", "Secret", "find_secret", "masked", "others_may", "value_of"]

#: What is shown in the place of a secret.
_MASK = "***"

#: The start of all placeholders of this run, which nobody else knows.
_RUN = token_hex(8)
_placeholder_in = re.compile(f"({_RUN}[0-9a-f]{{8}})")

#: Takes method, URL, headers, body and a timeout; gives status, headers and body. It raises a
#: `FetchError` if there is no answer, or one that another attempt may change.
Fetch = Callable[
    [str, str, Mapping[str, str], bytes | None, float | None],
    tuple[int, Mapping[str, str], bytes],
]


class Secret:
    """
    A secret, by its name.

    Attributes:
        name: What people call it; the name of an environment variable.
        public: A placeholder, too, for where the value may be seen: messages show it there.

    >>> secret = Secret("BING_API_KEY", lambda: "hush")
    >>> "hush" in f"{secret} {secret!r}", secret.revealed(f"apikey={secret}")
    (False, 'apikey=hush')

    """

    def __init__(self, name: str, value: Callable[[], str]) -> None:
        """
        Take a secret.

        Args:
            value: Gives the value when it is needed.

        """
        self.name = name
        self._value = value
        # By chance, so that no address in somebody's sitemap can be taken for it.
        self._placeholder = f"{_RUN}{token_hex(4)}"
        self.public = f"{_RUN}{token_hex(4)}"
        self._forms: tuple[tuple[str, ...], Forms] = ((), {})

    def __str__(self) -> str:
        return self._placeholder

    def __repr__(self) -> str:
        return f"Secret({self.name})"

    def __reduce__(self) -> tuple[()]:
        raise TypeError("a secret cannot be copied")

    def fits(self, pattern: str) -> bool:
        """Return whether the value is of this form."""
        return re.fullmatch(pattern, self._value()) is not None

    def renew(self) -> bool:
        """Forget a value that was refused, and tell whether there may be another one."""
        return False

    def is_in(self, *texts: str) -> bool:
        """Return whether a text has the placeholder."""
        return any(self._placeholder in text or self.public in text for text in texts)

    def check(self) -> None:
        """
        Look whether the value can be had, as far as that is known without asking for it.

        Raises:
            SecretError: If it cannot.

        """

    def obtain(self, fetch: Fetch) -> None:
        """
        Ask for the value, if it has to be asked for.

        Raises:
            SecretError: If it cannot be had.
            FetchError: If nobody answers.

        """

    def revealed(self, text: str, *, in_url: bool = False) -> str:
        """
        Put the value in the place of the placeholder.

        Raises:
            SecretError: If the value cannot be had.

        """
        if not self.is_in(text):
            return text
        value = self._value()
        value = quote(value, safe="") if in_url else value
        return text.replace(self._placeholder, value).replace(self.public, value)

    def hidden(self, text: str) -> str:
        """Put the placeholder in the place of the value, and stars in that of its other forms."""
        text = _outside_placeholders(text, self._with_placeholder)
        return _outside_placeholders(text, lambda part: without(part, self._shapes(), _MASK))

    def _with_placeholder(self, text: str) -> str:
        """Put the placeholder in the place of the value."""
        if self.is_at_hand and (value := self._value()):
            for form in {value, quote(value, safe="")}:
                text = text.replace(form, self._placeholder)
        return text

    def values(self) -> tuple[str, ...]:
        """Return all that must not be seen, as far as it is known."""
        return (self._value(),) if self.is_at_hand else ()

    def _shapes(self) -> Forms:
        """Return the forms of the values; made once, and again when there are others."""
        values = self.values()
        if self._forms[0] != values:
            self._forms = values, forms_of(values)
        return self._forms[1]

    @property
    def warning(self) -> str:
        """A warning about where it comes from, although it can be used."""
        return ""

    @property
    def is_at_hand(self) -> bool:
        """Whether the value is known without asking anybody for it."""
        return True

    def mask(self, text: str) -> str:
        """Put stars in the place of the placeholders, and of the value."""
        text = self.hidden(text).replace(self._placeholder, _MASK)
        return text.replace(self.public, self._value()) if self.public in text else text


def _outside_placeholders(text: str, change: Callable[[str], str]) -> str:
    """Change a text, but no placeholder in it, which may have the value in it by chance."""
    parts = _placeholder_in.split(text)
    return "".join(part if n % 2 else change(part) for n, part in enumerate(parts))


def masked(text: str, secrets: Iterable[Secret]) -> str:
    """Make a text fit for eyes."""
    for secret in secrets:
        text = secret.mask(text)
    return text


def find_secret(name: str, reference: str | None, environment: Mapping[str, str]) -> Secret | None:
    """
    Find a secret; see `value_of`.

    Returns:
        None if it is not there.

    """
    value = value_of(name, reference, environment)
    if not (value.isascii() and value.isprintable()):
        raise SecretError(f"{name}: expected one line of ASCII text")
    return Secret(name, lambda: value) if value else None


def value_of(name: str, reference: str | None, environment: Mapping[str, str]) -> str:
    """
    Find the value of a secret.

    Args:
        name: Its name, and the environment variable that it is in if there is no reference.
        reference: Where else it is: `env:NAME`, `file:PATH` or `keyring:SERVICE/USER`.
        environment: The environment variables.

    Returns:
        The empty text if there is no reference, and nothing in the environment.

    Raises:
        UsageError: If the reference leads to nothing.
        SecretError: If the file cannot be read, or if others can read it, too.

    """
    kind, _, location = (reference or f"env:{name}").partition(":")
    read = {"file": _of_file, "keyring": _of_keyring}.get(kind)
    try:
        value = read(location) if read else environment.get(location, "").strip()
    except SecretError as error:
        raise SecretError(f"{name}: {error}") from error
    if reference and not value:
        raise UsageError(f"{name}: {reference} is empty or not set")
    return value


def _of_file(path: str) -> str:
    path = os.path.expanduser(path)
    try:
        mode = others_may(path)
        with open(path, encoding="utf-8") as file:
            value = file.read().strip()
    except (OSError, ValueError) as error:
        message = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise SecretError(f"{path}: {message}") from None
    if mode:
        message = f"secret file is readable by others (mode {mode:o})"
        raise SecretError(f"{path}: {message}; run chmod 600 {path}")
    return value


def others_may(path: str) -> int:
    """Return the mode of a file that not only its owner may read; else 0."""
    if os.name != "posix":  # modes say nothing there
        return 0
    mode = stat.S_IMODE(os.stat(path).st_mode)
    return mode if mode & (stat.S_IRWXG | stat.S_IRWXO) else 0


def _of_keyring(location: str) -> str:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError as error:
        raise UsageError("keyring is not installed: pip install 'sitemapx[keyring]'") from error
    service, _, user = location.rpartition("/")
    try:
        return keyring.get_password(service, user) or ""
    except KeyringError as error:
        message = f"keyring:{location}: cannot read the keyring ({type(error).__name__})"
        raise SecretError(message) from None
