"""A secret that a server echoes is never shown, in any encoding."""

import html
import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapx.submit.secrets.secret import Secret, forms_of, mask_secrets, without

SECRET = "Zs3cr/et+K-ey_&<x>\"'42 y"
PEM = "-----BEGIN PRIVATE KEY-----\n{}\n{}\n-----END PRIVATE KEY-----\n".format(
    "Aq/" * 20, "bZ+" * 9
)


def _partly(text: str) -> str:
    return "".join(quote(one, safe="") if n % 3 else one for n, one in enumerate(text))


def _folded(text: str, line_end: str) -> str:
    return line_end.join(text[at : at + 8] for at in range(0, len(text), 8))


ENCODINGS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "upper case": str.upper,
    "lower case": str.lower,
    "percent": lambda text: quote(text, safe=""),
    "percent, lower case": lambda text: quote(text, safe="").lower(),
    "percent, of all": lambda text: "".join(f"%{ord(one):02x}" for one in text),
    "percent, in part": _partly,
    "percent, twice": lambda text: quote(quote(text, safe=""), safe=""),
    "JSON": json.dumps,
    "JSON, with slashes": lambda text: json.dumps(text).replace("/", "\\/"),
    "JSON, of all": lambda text: "".join(f"\\u{ord(one):04X}" for one in text),
    "JSON, twice": lambda text: json.dumps(json.dumps(text).replace("/", "\\/")),
    "HTML": html.escape,
    "HTML, slashes": lambda text: html.escape(text).replace("/", "&#x2f;").replace("+", "&#43;"),
    "HTML, decimal": lambda text: "".join(f"&#{ord(one)};" for one in text),
    "HTML, hexadecimal": lambda text: "".join(f"&#X{ord(one):X};" for one in text),
    "HTML, of JSON": lambda text: html.escape(json.dumps(text)),
    "base64": lambda text: b64encode(text.encode()).decode(),
    "base64, safe": lambda text: urlsafe_b64encode(text.encode()).decode(),
    "base64, bare": lambda text: b64encode(text.encode()).decode().rstrip("="),
    "base64, percent": lambda text: quote(b64encode(text.encode()).decode(), safe=""),
    "base64, among others": lambda text: b64encode(f"user:{text}@host".encode()).decode(),
    "base64, in lines": lambda text: _folded(b64encode(text.encode()).decode(), "\r\n  "),
    "base64, in lines of JSON": lambda text: _folded(b64encode(text.encode()).decode(), "\\n"),
    "hexadecimal": lambda text: text.encode().hex(),
    "hexadecimal, with colons": lambda text: text.encode().hex(":"),
    "HTML, without semicolons": lambda text: "".join(f"&#{ord(one)}" for one in text),
    "HTML, hexadecimal, without semicolons": lambda text: "".join(f"&#x{ord(o):x}" for o in text),
    "form": lambda text: quote_plus(text, safe=""),
    "base64 of base64": lambda text: b64encode(b64encode(text.encode())).decode(),
    "base64 of base64, safe": lambda text: b64encode(urlsafe_b64encode(text.encode())).decode(),
    "base64 of UTF-16": lambda text: b64encode(text.encode("utf-16-le")).decode(),
}


@pytest.mark.parametrize("encode", ENCODINGS.values(), ids=ENCODINGS)
def test_secret_is_masked_in_every_encoding(encode: Callable[[str], str]) -> None:
    echo = encode(SECRET)
    shown = without(f"I know <{echo}>.", forms_of([SECRET]), "***")

    assert "***" in shown
    assert shown.startswith("I know <")
    assert shown.endswith(">.")
    parts = [SECRET[n : n + 6] for n in range(len(SECRET) - 5)]
    assert not any(encode(part).strip('"=') in shown for part in parts)


@pytest.mark.parametrize("line_end", ["\n", "\\n", "\r\n", "\\r\\n", "\\\\n", " ", ""])
def test_each_line_of_a_private_key_is_masked(line_end: str) -> None:
    shown = without(f"key: {PEM}".replace("\n", line_end), forms_of([PEM]), "***")

    assert "***" in shown
    assert "Aq/" not in shown
    assert "bZ+" not in shown


@given(st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), min_size=8, max_size=40))
def test_any_secret_is_masked(secret: str) -> None:
    forms = forms_of([secret])
    for encode in (str, str.upper, html.escape, json.dumps):
        assert without(encode(secret), forms, "\0") != encode(secret)


@given(st.text())
def test_text_without_secret_is_unchanged(text: str) -> None:
    assert without(text, forms_of(["0123456789abcdef0123"]), "***") == text


@pytest.mark.parametrize("encode", ENCODINGS.values(), ids=ENCODINGS)
def test_secret_with_backslash_n_is_masked_whole(encode: Callable[[str], str]) -> None:
    secret = "tok:en\\n{}[]"
    shown = without(f"<{encode(secret)}>", forms_of([secret]), "***")

    assert "***" in shown
    for part in ("{}[]", "n{}["):
        assert encode(part).strip('"=')[:-1] not in shown


@pytest.mark.parametrize("value", ["indexnow", "key", "a1"])
def test_short_secret_does_not_damage_marks(value: str) -> None:
    key = Secret("INDEXNOW_KEY", lambda: value)
    other = Secret("INDEXNOW_KEY_TOKEN", lambda: "tell-nobody")
    text = f"{key} {key.public} {other}"

    assert text == key.replace_value(text)
    assert f"{key}/{other}" == key.replace_value(f"{value}/{other}")


def test_only_exact_echo_becomes_the_mark() -> None:
    key = Secret("KEY", lambda: "AbCdEf0123456789")

    assert str(key) == key.replace_value("AbCdEf0123456789")
    assert "***" == key.replace_value("abcdef0123456789")


def test_public_mark_shows_the_value() -> None:
    key = Secret("KEY", lambda: "AbCdEf0123456789")
    text = f"https://e.example/{key.public}.txt does not hold {key}, but AbCdEf0123456789"

    assert "https://e.example/AbCdEf0123456789.txt does not hold ***, but ***" == mask_secrets(
        text, [key]
    )
