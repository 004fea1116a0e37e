"""Keys of JSON objects that a decoder drops in silence: those that are repeated, or not known."""

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
    Return whether a value surely has all keys of the text that it was decoded from.

    That is quick: keys are only counted.

    >>> keeps_all_keys('{"a":1,"b":2}', {"a": 1, "b": 2})
    True
    >>> keeps_all_keys('{"a":1,"a":2}', {"a": 2})
    False

    """
    count = text.count(_KEY_END)
    if "\\u0022" in text or (
        ('" ' in text or '"\t' in text or '"\n' in text or '"\r' in text) and _spaced(text)
    ):
        return False  # one looks like the end of a key and is none, or the other way round
    if isinstance(value, dict) and count == len(value):
        return True
    try:
        return count == _encode(value).count(_KEY_END.encode())
    except (TypeError, ValueError, OverflowError, RecursionError):  # no JSON of msgspec's
        return False


def repeated_keys(text: str) -> list[str]:
    r"""
    List the keys that an object in a text has more than once.

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
    """
    List the keys of objects, at any depth, for which their type has no field.

    Args:
        value: A decoded value.
        kind: The type of which it is to be: a struct, or a tuple or union with one.

    """
    for inner in get_args(kind):
        if inner not in (NoneType, ...):
            kind = inner
    if isinstance(value, list):
        for one in value:
            yield from unknown_keys(one, kind)
    elif isinstance(value, dict):
        fields = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
        for key, part in value.items():
            if key in fields:
                yield from unknown_keys(part, fields[key])
            else:
                yield key
