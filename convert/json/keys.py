"""Finds keys of JSON objects that decoders drop silently: repeated and unknown keys."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from types import NoneType
from typing import Any, get_args

import msgspec

_spaced = re.compile(r'"[ \t\r\n]+:').search
_encode = msgspec.json.Encoder().encode
_KEY_END = '":'


def keeps_all_keys(text: str, value: Any) -> bool:
    """
    Return True only if a decoded value certainly has all keys of the text.

    Keys are only counted, which is fast.

    >>> keeps_all_keys('{"a":1,"b":2}', {"a": 1, "b": 2})
    True
    >>> keeps_all_keys('{"a":1,"a":2}', {"a": 2})
    False
    """
    count = text.count(_KEY_END)
    if "\\u0022" in text or (
        ('" ' in text or '"\t' in text or '"\n' in text or '"\r' in text) and _spaced(text)
    ):
        return False  # strings contain the delimiters, so keys cannot be counted
    if isinstance(value, dict) and count == len(value):
        return True
    try:
        return count == _encode(value).count(_KEY_END.encode())
    except (TypeError, ValueError, OverflowError, RecursionError):  # not encodable by msgspec
        return False


def repeated_keys(text: str) -> list[str]:
    r"""
    Return the keys that occur more than once in an object.

    >>> repeated_keys('{"a":[{"b":1,"b":2}],"c":"\\":"}')
    ['b']
    """
    found: dict[str, None] = {}

    def note(pairs: list[tuple[str, Any]]) -> None:
        counts = Counter(key for key, _ in pairs)
        found.update((key, None) for key, count in counts.items() if count > 1)

    with suppress(ValueError, RecursionError):
        json.loads(text, object_pairs_hook=note)
    return [*found]


def unknown_keys(value: Any, kind: Any) -> Iterator[str]:
    """Yield the keys of a JSON value, at any depth, for which the type `kind` has no field."""
    for inner in get_args(kind):
        if inner not in (NoneType, ...):
            kind = inner
    if isinstance(value, list):
        for part in value:
            yield from unknown_keys(part, kind)
    elif isinstance(value, dict):
        fields = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
        for key, part in value.items():
            if key in fields:
                yield from unknown_keys(part, fields[key])
            else:
                yield key
