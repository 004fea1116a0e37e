"""Values of keys in the settings of site generators: TOML, YAML, JSON, JavaScript and Python."""

import ast
import json
import re
import tomllib
from collections.abc import Callable
from contextlib import suppress

__all__ = ["value_of"]

_STRING = r"\"[^\"\n]*\"|'[^'\n]*'|`[^`$\n]*`"
_strings = re.compile(_STRING).findall
#: Comments of JavaScript; what follows `//` within a string is none.
_comments = re.compile(rf"({_STRING})|/\*.*?\*/|(?<![:\w])//[^\n]*", re.DOTALL)
_yaml_text = re.compile(
    r"\"((?:[^\"\\]|\\.)*)\"|'([^']*)'|([^\s#][^\n]*?)(?:\s+#.*)?$", re.MULTILINE
)
_ENVIRONMENT = ("os.environ.get", "os.getenv", "environ.get", "getenv")


def value_of(file: str, text: str, key: str) -> str | None:
    """
    Find the value of a key at the top of a settings file, or anywhere in JavaScript.

    Where a variable of the environment has a default, that is the value.

    Args:
        file: Name of the file, whose suffix is that of its language.
        text: Content of the file.
        key: Name of the key; its case counts only in code.

    Returns:
        None if there is none, or it is no text that is known without running code.

    """
    reader = _READERS.get(file.rpartition(".")[2], _in_javascript)
    return reader(text, key)


def _in_toml(text: str, key: str) -> str | None:
    try:
        return _of_table(tomllib.loads(text), key)
    except tomllib.TOMLDecodeError:
        return None


def _in_json(text: str, key: str) -> str | None:
    try:
        return _of_table(json.loads(text), key)
    except ValueError:
        return None


def _of_table(table: object, key: str) -> str | None:
    if not isinstance(table, dict):
        return None
    found = {str(name).lower(): value for name, value in table.items()}.get(key.lower())
    return found if isinstance(found, str) else None


def _in_yaml(text: str, key: str) -> str | None:
    """Find a scalar at the top level; of `!ENV [NAME, default]` it is the default."""
    m = re.search(rf"^{re.escape(key)}:[ \t]+(\S.*)$", text, re.MULTILINE | re.IGNORECASE)
    if m is None:
        return None
    if m[1].startswith("!ENV"):
        _, comma, default = m[1].strip(" ]").rpartition(",")
        return default.strip(" \t\"'") if comma else None
    found = _yaml_text.match(m[1])
    value = next((one for one in found.groups() if one is not None), "") if found else ""
    return None if value[:1] in ("!", "[", "{", "&", "*", "|", ">") else value


def _in_python(text: str, key: str) -> str | None:
    with suppress(SyntaxError, ValueError):
        for statement in reversed(ast.parse(text).body):
            if isinstance(statement, ast.Assign) and any(
                isinstance(target, ast.Name) and target.id == key for target in statement.targets
            ):
                return _constant(statement.value)
    return None


def _constant(node: ast.expr) -> str | None:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.BoolOp(op=ast.Or(), values=[*_, last]):
            return _constant(last)
        case ast.Call(func=function, args=[_, default]) if ast.unparse(function) in _ENVIRONMENT:
            return _constant(default)
    return None


def _in_javascript(text: str, key: str) -> str | None:
    """Find what a property, a constant or the argument of a function of this name is."""
    code = _comments.sub(lambda m: m[1] or "", text)
    start = rf"(?<![\w.$-])[\"']?{re.escape(key)}[\"']?[ \t]*(?::(?!:)|=(?!=|>)|\()\s*"
    expression = rf"((?:{_STRING}|[^,;\n}}\"'`])*)"
    m = re.search(f"(?:{start}|\\.{re.escape(key)}\\(\\s*){expression}", code)
    if m is None:
        return None
    found: list[str] = [one[1:-1] for one in _strings(m[1])]
    if not found:
        name = m[1].strip(" )")
        is_name = name != key and re.fullmatch(r"[A-Za-z_$][\w$]*", name)
        return _in_javascript(code, name) if is_name else None
    is_choice = re.search(r"\?(?![?.])", re.sub(_STRING, "", m[1]))
    return found[0] if is_choice else found[-1]


_READERS: dict[str, Callable[[str, str], str | None]] = {
    "toml": _in_toml,
    "json": _in_json,
    "yaml": _in_yaml,
    "yml": _in_yaml,
    "py": _in_python,
}
