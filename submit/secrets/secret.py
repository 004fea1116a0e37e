"""
Secrets, which are kept out of messages, the journal, exceptions and the code of engines.

In a URL, header or body, a `Secret` becomes a placeholder. The sender replaces placeholders by
values immediately before sending; in responses, it replaces values with placeholders, and other
forms of a value by stars.

A server may echo a secret percent-encoded, escaped for JSON or HTML, in base64, or in another case.
Escapes are therefore undone layer by layer, keeping the original offset of each character; each
layer is searched for all forms of the secret, ignoring case.
"""

import os
import re
import stat
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import unescape
from secrets import token_hex
from urllib.parse import quote

from sitemapx.errors import SecretError, UsageError

#: Maximum number of nested escapes to undo.
_LAYERS = 3
#: Minimum length of a line or Base64 form that is masked; shorter ones occur in ordinary text.
_MIN_FORM = 6
_escapes = re.compile(
    r"%[0-9a-f]{2}|\\+u[0-9a-f]{4}|\\+x[0-9a-f]{2}|\\+[rn]|\\[^\w\s]"
    r"|&#(?:\d{1,8}|x[0-9a-f]{1,8});?|&\w{1,32};",
    re.IGNORECASE,
)
#: Lower-cases, and maps base64url to base64; one character to one, so that offsets stay valid.
_FOLD = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ-_", "abcdefghijklmnopqrstuvwxyz+/")
#: Match the base64 characters at the ends of a secret, which also contain bits of adjacent bytes.
_before = re.compile("[0-9A-Za-z+/_-]").match
_after = re.compile("[0-9A-Za-z+/_-]?(?:=|%3D)*", re.IGNORECASE).match
_LINE_ENDS = {"r": "\r", "n": "\n"}
_line_end = re.compile(r"\s*[\r\n]\s*")
#: Texts to mask, and whether each is Base64.
Forms = Mapping[str, bool]
#: Mask for secrets in output.
_MASK = "***"
#: Random prefix of all placeholders in this process.
_RUN = token_hex(8)
_placeholder_in = re.compile(f"({_RUN}[0-9a-f]{{8}})")
#: Takes method, URL, headers, body and timeout; returns status, headers and body. Raises
#: `FetchError` without a response, or for a response that a retry may change.
Fetch = Callable[
    [str, str, Mapping[str, str], bytes | None, float | None],
    tuple[int, Mapping[str, str], bytes],
]


def forms_of(values: Iterable[str]) -> Forms:
    """
    Return the texts to mask for these secrets: each secret, its long lines, and their encodings.

    The dictionary maps each text, in lower case and with `+/` instead of `-_`, to whether the text
    is Base64.

    >>> forms = forms_of(["secret!"])
    >>> forms["secret!"], forms["73656372657421"], forms["c2vjcmv0i"]
    (False, False, True)

    """
    forms: dict[str, bool] = {}
    for value in values:
        for text in dict.fromkeys([value, *re.split(r"[\r\n]+|(?:\\+[rn])+", value)]):
            is_secret_line = len(text) >= _MIN_FORM and not text.startswith("-----")
            if text and (text == value or is_secret_line):
                forms |= dict.fromkeys(map(_fold, _encode_base64(text)), True)
                forms |= dict.fromkeys(map(_fold, _spellings(text)), False)
    return forms


def _fold(text: str) -> str:
    return text.translate(_FOLD)


def _encode_base64(text: str) -> Iterator[str]:
    """Yield the Base64 encodings of a text, of its UTF-16 form, and of its Base64 encodings."""
    data = text.encode("utf-8", "surrogateescape")
    for alphabet in (b64encode, urlsafe_b64encode):
        once = alphabet(data)
        for inner in (once, once.rstrip(b"=")):
            yield from _in_base64(inner)
    for inner in (data, *_in_utf16(text)):
        yield from _in_base64(inner)


def _spellings(text: str) -> Iterator[str]:
    """Yield forms of a text: as it is, unescaped, with `+` for spaces, and hexadecimal."""
    for layer in _layers(text):
        yield layer
        yield layer.replace(" ", "+")
    data = text.encode("utf-8", "surrogateescape")
    for separator in (":", " ", "-", "="):
        yield data.hex(separator)
    for form in (data, *_in_utf16(text)):
        yield form.hex()


def _in_utf16(text: str) -> list[bytes]:
    return [text.encode(f"utf-16-{order}", "surrogatepass") for order in ("le", "be")]


def _layers(line: str) -> Iterator[str]:
    """Yield a text, then the text after undoing each layer of escapes."""
    for _ in range(_LAYERS + 1):
        yield line
        if not _escapes.search(line):
            return
        line = _unescape(line, list(range(len(line) + 1)))[0]


def _in_base64(data: bytes) -> Iterator[str]:
    """Yield the part of the Base64 form that adjacent bytes do not affect, for each alignment."""
    for before in range(3):
        text = b64encode(bytes(before) + data).decode()
        form = text[-(-before * 8 // 6) : (before + len(data)) * 8 // 6]
        if len(form) >= _MIN_FORM:
            yield form


def without(text: str, forms: Forms, mask: str) -> str:
    """
    Replace secrets in a text with a mask; `forms` is the result of `forms_of`.

    >>> without("token=S%45CRET!; c2VjcmV0IQ==", forms_of(["secret!"]), "***")
    'token=***; ***'

    """
    parts: list[str] = []
    end = 0
    for start, stop in sorted(_spans(text, forms)):
        if start > end or not parts:
            parts += [text[end:start], mask]
        end = max(end, stop)
    return "".join([*parts, text[end:]])


def _spans(text: str, forms: Forms) -> Iterator[tuple[int, int]]:
    """Yield the start and end offset of each secret in a text; spans may overlap."""
    layer, places = text, list(range(len(text) + 1))
    in_base64 = {form: True for form, is_base64 in forms.items() if is_base64}
    for _ in range(_LAYERS + 1):
        yield from _spans_in(layer, places, forms)
        if _line_end.search(layer):
            yield from _spans_in(*_unfold(layer, places), in_base64)
        if not _escapes.search(layer):
            return
        layer, places = _unescape(layer, places)


def _spans_in(layer: str, places: list[int], forms: Forms) -> Iterator[tuple[int, int]]:
    folded = layer.translate(_FOLD)
    for form, is_base64 in forms.items():
        start = folded.find(form)
        while start >= 0:
            stop = start + len(form)
            first, last = _widen(layer, start, stop) if is_base64 else (start, stop)
            yield places[first], places[last]
            start = folded.find(form, stop)


def _unfold(text: str, places: list[int]) -> tuple[str, list[int]]:
    """Remove line breaks, which may divide Base64; also return the original offsets."""
    origins = list(places)
    for found in reversed(list(_line_end.finditer(text))):
        del origins[found.start() : found.end()]
    return _line_end.sub("", text), origins


def _widen(text: str, start: int, stop: int) -> tuple[int, int]:
    """
    Extend the span of a Base64 match to adjacent characters that contain bits of the secret.

    Return the new start and stop.
    """
    after = _after(text, stop)
    return start - bool(start and _before(text, start - 1)), after.end() if after else stop


def _unescape(text: str, places: list[int]) -> tuple[str, list[int]]:
    """Undo one layer of escapes; also return the original offset of each character."""
    parts: list[str] = []
    origins: list[int] = []
    end = 0
    for found in _escapes.finditer(text):
        character = _resolve_escape(found[0])
        parts += [text[end : found.start()], character]
        origins += places[end : found.start()]
        origins += [places[found.start()]] * len(character)
        end = found.end()
    return "".join([*parts, text[end:]]), [*origins, *places[end:]]


def _resolve_escape(escape: str) -> str:
    if escape.startswith("%"):
        return chr(int(escape[1:], 16))
    if escape.startswith("&"):
        return unescape(escape)
    digits = escape.lstrip("\\")
    if digits in _LINE_ENDS:
        return _LINE_ENDS[digits]
    return chr(int(digits[1:], 16)) if len(digits) > 1 else escape[-1]


class Secret:
    """
    A secret, identified by its name; `str(secret)` is a placeholder.

    Args:
        value: Function that returns the value, called on demand.

    Attributes:
        name: Name of the environment variable, for messages.
        public: Placeholder to use instead of `str(secret)` where messages must show the value.

    >>> secret = Secret("BING_API_KEY", lambda: "hush")
    >>> "hush" in f"{secret} {secret!r}", secret.insert_value(f"apikey={secret}")
    (False, 'apikey=hush')

    """

    def __init__(self, name: str, value: Callable[[], str]) -> None:
        self.name = name
        self._value = value
        # Random, so that no URL in a sitemap can be mistaken for a placeholder.
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
        """Return whether the whole value matches a regular expression."""
        return re.fullmatch(pattern, self._value()) is not None

    def discard_value(self) -> bool:
        """Discard a rejected value; return whether another value may be available."""
        return False

    def is_in(self, *texts: str) -> bool:
        return any(self._placeholder in text or self.public in text for text in texts)

    def check_source(self) -> None:
        """Raise `SecretError` if the value is unavailable, as far as known without a request."""

    def request_value(self, fetch: Fetch) -> None:
        """
        Request the value, unless the present one is still valid.

        Raises `SecretError` if the value is unavailable, `FetchError` if the request fails.
        """

    def insert_value(self, text: str, *, in_url: bool = False) -> str:
        """Replace placeholders with the value, which is percent-encoded `in_url`."""
        if not self.is_in(text):
            return text
        value = self._value()
        value = quote(value, safe="") if in_url else value
        return text.replace(self._placeholder, value).replace(self.public, value)

    def replace_value(self, text: str) -> str:
        """Replace the value with the placeholder, and other forms of the value with stars."""
        text = _outside_placeholders(text, self._with_placeholder)
        return _outside_placeholders(text, lambda part: without(part, self._shapes(), _MASK))

    def _with_placeholder(self, text: str) -> str:
        if self.is_at_hand and (value := self._value()):
            for form in {value, quote(value, safe="")}:
                text = text.replace(form, self._placeholder)
        return text

    def values(self) -> tuple[str, ...]:
        """Return all texts to mask; empty if the value is not available yet."""
        return (self._value(),) if self.is_at_hand else ()

    def _shapes(self) -> Forms:
        values = self.values()
        if self._forms[0] != values:
            self._forms = values, forms_of(values)
        return self._forms[1]

    @property
    def warning(self) -> str:
        """Warning about the source of the value, which does not prevent its use; may be empty."""
        return ""

    @property
    def is_at_hand(self) -> bool:
        """Whether the value is available without a request."""
        return True

    def mask(self, text: str) -> str:
        """Replace the value and its placeholder with stars, but `public` with the value."""
        text = self.replace_value(text).replace(self._placeholder, _MASK)
        return text.replace(self.public, self._value()) if self.public in text else text


def _outside_placeholders(text: str, change: Callable[[str], str]) -> str:
    """Apply `change` to a text, skipping placeholders, which may contain a value by chance."""
    parts = _placeholder_in.split(text)
    return "".join(part if n % 2 else change(part) for n, part in enumerate(parts))


def mask_secrets(text: str, secrets: Iterable[Secret]) -> str:
    """Mask all of these secrets in a text; see `Secret.mask`."""
    for secret in secrets:
        text = secret.mask(text)
    return text


def find_secret(name: str, reference: str | None, environment: Mapping[str, str]) -> Secret | None:
    """
    Return the secret that `value_of` finds, or None if it is not set.

    Raises the exceptions of `value_of`, and `SecretError` if the value is not one line of
    printable ASCII text.
    """
    value = value_of(name, reference, environment)
    if not (value.isascii() and value.isprintable()):
        raise SecretError(f"{name}: expected one line of ASCII text")
    return Secret(name, lambda: value) if value else None


def value_of(name: str, reference: str | None, environment: Mapping[str, str]) -> str:
    """
    Look up the value of a secret; without a reference, an unset variable counts as empty.

    Args:
        name: Name of the secret, and of its environment variable without a reference.
        reference: Location of the value: `env:NAME`, `file:PATH` or `keyring:SERVICE/USER`.
        environment: The environment variables.

    Raises:
        UsageError: If the reference leads to no value, or keyring is not installed.
        SecretError: If the file or keyring cannot be read, or others have access to the file.

    """
    kind, _, location = (reference or f"env:{name}").partition(":")
    read = {"file": _of_file, "keyring": _of_keyring}.get(kind)
    try:
        value = read(location) if read else environment.get(location, "").strip()
    except FileNotFoundError as error:
        raise UsageError(f"{name}: {error.filename}: {error.strerror}") from error
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
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        message = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise SecretError(f"{path}: {message}") from None
    if mode:
        message = f"secret file is readable by others (mode {mode:o})"
        raise SecretError(f"{path}: {message}; run chmod 600 {path}")
    return value


def others_may(path: str) -> int:
    """Return the mode of a file if users other than its owner have any permission; else 0."""
    if os.name != "posix":  # modes are meaningless on Windows
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
