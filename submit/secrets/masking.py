"""
Find a secret in a text, however whoever wrote the text has encoded it.

A server may echo a secret percent-encoded, escaped for JSON or HTML, in base64, or in another case.
So escapes are undone first, one layer after the other, while each character remembers where it
came from; then all forms of the secret are searched for, without regard to case.
"""

import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping
from html import unescape

__all__ = ["Forms", "forms_of", "without"]

#: Layers of escapes: who escapes twice is believed, who goes on is not.
_LAYERS = 3
#: Shorter ones are words that stand in any text.
_MIN_FORM = 6
_escapes = re.compile(
    r"%[0-9a-f]{2}|\\+u[0-9a-f]{4}|\\+x[0-9a-f]{2}|\\+[rn]|\\[^\w\s]"
    r"|&#(?:\d{1,8}|x[0-9a-f]{1,8});?|&\w{1,32};",
    re.IGNORECASE,
)
#: Upper case, and the alphabet of base64 that is safe in URLs; characters keep their places.
_FOLD = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ-_", "abcdefghijklmnopqrstuvwxyz+/")
#: The characters of base64 at both ends of a secret, which have bits of others, too.
_before = re.compile("[0-9A-Za-z+/_-]").match
_after = re.compile("[0-9A-Za-z+/_-]?(?:=|%3D)*", re.IGNORECASE).match
_LINE_ENDS = {"r": "\r", "n": "\n"}
_line_end = re.compile(r"\s*[\r\n]\s*")
#: How a secret may look, and whether that is base64.
Forms = Mapping[str, bool]


def forms_of(values: Iterable[str]) -> Forms:
    """
    Return the texts to mask for these secrets: each secret, its long lines, and their encodings.

    >>> forms = forms_of(["secret!"])
    >>> forms["secret!"], forms["73656372657421"], forms["c2vjcmv0i"]
    (False, False, True)

    """
    forms: dict[str, bool] = {}
    for value in values:
        for text in dict.fromkeys([value, *re.split(r"[\r\n]+|(?:\\+[rn])+", value)]):
            is_secret_line = len(text) >= _MIN_FORM and not text.startswith("-----")
            if text and (text == value or is_secret_line):
                forms |= dict.fromkeys(map(_fold, _encoded(text)), True)
                forms |= dict.fromkeys(map(_fold, _spelt(text)), False)
    return forms


def _fold(text: str) -> str:
    return text.translate(_FOLD)


def _encoded(text: str) -> Iterator[str]:
    """Return a text in base64, also of UTF-16 and twice."""
    data = text.encode("utf-8", "surrogateescape")
    for alphabet in (b64encode, urlsafe_b64encode):
        once = alphabet(data)
        for inner in (once, once.rstrip(b"=")):
            yield from _in_base64(inner)
    for inner in (data, *_in_utf16(text)):
        yield from _in_base64(inner)


def _spelt(text: str) -> Iterator[str]:
    """Return a text in its layers, as forms have it with `+` for a space, and in hexadecimal."""
    for layer in _layers(text):
        yield layer
        yield layer.replace(" ", "+")
    data = text.encode("utf-8", "surrogateescape")
    for separator in (":", " ", "-", "="):
        yield data.hex(separator)
    for one in (data, *_in_utf16(text)):
        yield one.hex()


def _in_utf16(text: str) -> list[bytes]:
    return [text.encode(f"utf-16-{order}", "surrogatepass") for order in ("le", "be")]


def _layers(line: str) -> Iterator[str]:
    """Return a line, and what is left of it where it looks like an escape itself."""
    for _ in range(_LAYERS + 1):
        yield line
        if not _escapes.search(line):
            return
        line = _unescaped(line, list(range(len(line) + 1)))[0]


def _in_base64(data: bytes) -> Iterator[str]:
    """Return the characters that data alone decides, where it begins at each of three places."""
    for before in range(3):
        text = b64encode(bytes(before) + data).decode()
        form = text[-(-before * 8 // 6) : (before + len(data)) * 8 // 6]
        if len(form) >= _MIN_FORM:
            yield form


def without(text: str, forms: Forms, mask: str) -> str:
    """
    Put a mask in the place of secrets.

    Args:
        forms: As `forms_of` gives them.

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
    """Find where secrets begin and end."""
    layer, places = text, list(range(len(text) + 1))
    in_base64 = {form: True for form, is_base64 in forms.items() if is_base64}
    for _ in range(_LAYERS + 1):
        yield from _spans_in(layer, places, forms)
        if _line_end.search(layer):
            yield from _spans_in(*_unfolded(layer, places), in_base64)
        if not _escapes.search(layer):
            return
        layer, places = _unescaped(layer, places)


def _spans_in(layer: str, places: list[int], forms: Forms) -> Iterator[tuple[int, int]]:
    folded = layer.translate(_FOLD)
    for form, is_base64 in forms.items():
        start = folded.find(form)
        while start >= 0:
            stop = start + len(form)
            first, last = _widened(layer, start, stop) if is_base64 else (start, stop)
            yield places[first], places[last]
            start = folded.find(form, stop)


def _unfolded(text: str, places: list[int]) -> tuple[str, list[int]]:
    """Join lines, as base64 is written over several."""
    origins = list(places)
    for found in reversed(list(_line_end.finditer(text))):
        del origins[found.start() : found.end()]
    return _line_end.sub("", text), origins


def _widened(text: str, start: int, stop: int) -> tuple[int, int]:
    """Add the characters at both ends of base64."""
    after = _after(text, stop)
    return start - bool(start and _before(text, start - 1)), after.end() if after else stop


def _unescaped(text: str, places: list[int]) -> tuple[str, list[int]]:
    """Undo one layer of escapes; tell of each character, and of the end, where it comes from."""
    parts: list[str] = []
    origins: list[int] = []
    end = 0
    for found in _escapes.finditer(text):
        character = _meant(found[0])
        parts += [text[end : found.start()], character]
        origins += places[end : found.start()]
        origins += [places[found.start()]] * len(character)
        end = found.end()
    return "".join([*parts, text[end:]]), [*origins, *places[end:]]


def _meant(escape: str) -> str:
    """Return the character that an escape stands for."""
    if escape.startswith("%"):
        return chr(int(escape[1:], 16))
    if escape.startswith("&"):
        return unescape(escape)
    digits = escape.lstrip("\\")
    if digits in _LINE_ENDS:
        return _LINE_ENDS[digits]
    return chr(int(digits[1:], 16)) if len(digits) > 1 else escape[-1]
