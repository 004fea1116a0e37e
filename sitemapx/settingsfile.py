"""The settings file: `sitemapx.toml`, or the table `[tool.sitemapx]` of `pyproject.toml`."""

import os
import re
from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any, Self

from sitemapx.errors import UsageError
from sitemapx.patterns import lazy_pattern
from sitemapx.suggestions import did_you_mean, find_closest, suggest_file

FILE_NAME = "sitemapx.toml"
_PROJECT = "pyproject.toml"
_header = lazy_pattern(r"\s*(\[+)\s*([^\]]+?)\s*\]")
#: Maximum number of known keys in a message.
_MAX_KEYS = 12


class SettingsFile:
    """
    A parsed settings file.

    Args:
        root: Dotted name of the table with the settings; empty for the whole file.

    Attributes:
        path: Path of the file.
        folder: Directory of the file, to which relative paths in the file refer.
        values: Keys and tables, as parsed from TOML.

    Raises:
        UsageError: If the text is not TOML.

    """

    def __init__(self, path: str, text: str, root: str = "") -> None:
        import tomllib

        self.path = path
        self.folder = os.path.dirname(path)
        self._lines = text.splitlines()
        self._root = root
        try:
            values = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise _syntax_error(path, self._lines, error) from error
        except RecursionError:
            raise UsageError(f"{path}: nested too deeply") from None
        for name in filter(None, root.split(".")):
            table = values.get(name)
            values = table if isinstance(table, dict) else {}
        self.values: dict[str, Any] = values

    @classmethod
    def load(cls, path: str | None = None) -> Self | None:
        """
        Read a settings file.

        Without a path, read sitemapx.toml in the current directory, else pyproject.toml; return
        None if the first does not exist and the second is missing or has no settings for sitemapx.

        Raises:
            UsageError: If the file cannot be read or parsed.

        """
        if path is None and not os.path.exists(FILE_NAME):
            return cls._load_project()
        path = path or FILE_NAME
        try:
            return cls(path, _read_text(path))
        except OSError as error:
            meant = suggest_file(path) if isinstance(error, FileNotFoundError) else ""
            raise UsageError(f"{path}: {error.strerror}{meant}") from error
        except UnicodeDecodeError as error:
            raise UsageError(f"{path}: invalid TOML: {error}") from error

    @classmethod
    def _load_project(cls) -> Self | None:
        """Read pyproject.toml; return None if the file is unreadable or has no such settings."""
        with suppress(OSError, UnicodeDecodeError):
            text = _read_text(_PROJECT)
            if "sitemapx" in text and (file := cls(_PROJECT, text, "tool.sitemapx")).values:
                return file
        return None

    def tables(self, name: str) -> list[tuple[str, dict[str, Any]]]:
        """
        Return pairs of label and values for the table `[NAME]`, or for each table `[[NAME]]`.

        The label, for `error`, is `convert`, or `convert[1]` for the first `[[convert]]`. A missing
        table counts as empty.

        Raises:
            UsageError: If the value is not a table.

        """
        value = self.values.get(name, {})
        if isinstance(value, dict):
            return [(name, value)]
        is_array = isinstance(value, list) and value
        if not (is_array and all(isinstance(table, dict) for table in value)):
            raise self.error(name, f"expected a table; write [{name}]")
        return [(f"{name}[{number}]", table) for number, table in enumerate(value, 1)]

    def beside(self, path: str) -> str:
        """Resolve a path in the file against its directory; URLs and `-` are returned unchanged."""
        is_path = path != "-" and "://" not in path and not path.startswith("file:")
        return os.path.join(self.folder, path) if is_path else path

    def error(self, key: str, message: str, table: str = "") -> UsageError:
        """
        Create an error about a key, with its line.

        `table` is empty for the top level, and a label from `tables` for a table.
        """
        return UsageError(f"{self.place_of(key, table)}: {message}")

    def place_of(self, key: str, table: str = "") -> str:
        """Return the path and, if found, the line of a key, such as "sitemapx.toml:3"."""
        line = self._line_of(key, f"{self._root}.{table}".strip("."))
        return f"{self.path}:{line}" if line else self.path

    def _line_of(self, key: str, table: str) -> int | None:
        is_key = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[.=]").match
        current = array = ""
        counts: Counter[str] = Counter()
        for number, line in enumerate(self._lines, 1):
            if header := _header.match(line):
                current = re.sub(r"\s*\.\s*", ".", header[2]).replace('"', "").replace("'", "")
                if header[1] == "[[":
                    array = current
                    counts[array] += 1
                if current == f"{table}.{key}".strip("."):
                    return number
                if array and f"{current}.".startswith(f"{array}."):
                    current = f"{array}[{counts[array]}]{current.removeprefix(array)}"
                    if current == f"{table}.{key}".strip("."):
                        return number
            elif current == table and is_key(line):
                return number
        return None


def _read_text(path: str) -> str:
    with open(path, encoding="utf-8-sig") as file:
        return file.read()


def unknown_key_message(name: str, known: Collection[str], table: str = "") -> str:
    some = ", ".join(list(known)[:_MAX_KEYS]) + (" and others" if len(known) > _MAX_KEYS else "")
    meant = did_you_mean(find_closest(name, known)) or f" (known keys: {some})"
    return f"unknown key {name!r}{f' in [{table}]' if table else ''}{meant}"


#: Message of `tomllib` -> clearer message.
_CAUSES = {
    "Cannot overwrite a value": "key {key!r} is set twice",
    "Invalid value": "invalid value of {key!r}; text requires quotes",
    "Illegal character '\\n'": "missing closing quote",
    "Unterminated string": "missing closing quotes",
    "Expected newline or end of document after a statement": "unexpected text after the value of "
    "{key!r}; text requires quotes",
    "Expected '=' after a key in a key/value pair": "missing = after the key",
}
_located = lazy_pattern(r"(.*) \((?:at line (\d+), column \d+|at end of document)\)")
_declared = lazy_pattern(r"Cannot declare \((.*?),?\) twice")
_key = lazy_pattern(r"\s*([^=\s]+)\s*=")


def _syntax_error(path: str, lines: Sequence[str], error: ValueError) -> UsageError:
    m = _located.fullmatch(str(error).replace("\n", "\\n"))
    message, number = (m[1], int(m[2] or len(lines) or 1)) if m else (str(error), None)
    line = lines[number - 1] if number and number <= len(lines) else ""
    key = _key.match(line)
    if message.startswith('Expected "'):
        message = "missing closing quote"
    if m and not m[2] and message == "Invalid value":
        message = "file ends where a value is expected"
    elif (cause := _CAUSES.get(message)) and (key or "{key" not in cause):
        message = cause.format(key=key and key[1])
    elif twice := _declared.fullmatch(message):
        message = f"table [{twice[1].replace(chr(39), '').replace(', ', '.')}] is declared twice"
    where = f"{path}:{number}" if number else path
    return UsageError(f"{where}: invalid TOML: {message[:1].lower()}{message[1:]}")
