"""The settings file: `sitemapx.toml`, or the table `[tool.sitemapx]` of `pyproject.toml`."""

import os
import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any, Self

from sitemapx.errors import UsageError
from sitemapx.patterns import lazy_pattern
from sitemapx.suggestions import asked, closest, suggested_file

FILE_NAME = "sitemapx.toml"
_PROJECT = "pyproject.toml"
_header = lazy_pattern(r"\s*\[+\s*([^\]]+?)\s*\]")
#: So many names are listed where none is like the one that was written.
_FEW = 12


class SettingsFile:
    """
    A settings file that was read.

    Attributes:
        path: Its path.
        folder: The folder that its relative paths begin at.
        values: Its keys and tables.

    """

    def __init__(self, path: str, text: str, root: str = "") -> None:
        """
        Parse a file.

        Args:
            root: The table that has the settings; the empty string for the whole file.

        Raises:
            UsageError: If it is not TOML.

        """
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
            found = values.get(name)
            values = found if isinstance(found, dict) else {}
        self.values: dict[str, Any] = values

    @classmethod
    def load(cls, path: str | None = None) -> Self | None:
        """
        Read the settings file.

        Args:
            path: Its path; None for the one in the current folder.

        Returns:
            None if there is none in the current folder.

        Raises:
            UsageError: If it cannot be read.

        """
        if path is None and not os.path.exists(FILE_NAME):
            return cls._of_project()
        path = path or FILE_NAME
        try:
            return cls(path, _text(path))
        except OSError as error:
            meant = suggested_file(path) if isinstance(error, FileNotFoundError) else ""
            raise UsageError(f"{path}: {error.strerror}{meant}") from error
        except UnicodeDecodeError as error:
            raise UsageError(f"{path}: invalid TOML: {error}") from error

    @classmethod
    def _of_project(cls) -> Self | None:
        """Read the file of a project, which is not looked at unless it speaks of sitemapx."""
        with suppress(OSError, UnicodeDecodeError):
            text = _text(_PROJECT)
            if "sitemapx" in text and (found := cls(_PROJECT, text, "tool.sitemapx")).values:
                return found
        return None

    def error(self, key: str, message: str, table: str = "") -> UsageError:
        """
        Make an error about a key, with the line that it stands in.

        Args:
            table: The table of the key; the empty string for the top.

        """
        tables = f"{self._root}.{table}".strip(".")
        line = self._line_of(key, tables)
        return UsageError(f"{self.path}{f':{line}' if line else ''}: {message}")

    def _line_of(self, key: str, table: str) -> int | None:
        """Find the line of a key, or of the table of this name; None if it is not a plain one."""
        key_here = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[.=]").match
        here = ""
        for number, line in enumerate(self._lines, 1):
            if header := _header.match(line):
                here = re.sub(r"\s*\.\s*", ".", header[1]).replace('"', "").replace("'", "")
                if here == f"{table}.{key}".strip("."):
                    return number
            elif here == table and key_here(line):
                return number
        return None


def _text(path: str) -> str:
    with open(path, encoding="utf-8-sig") as file:
        return file.read()


def unknown_key(name: str, known: Collection[str], table: str = "") -> str:
    """Say that a key is unknown, and which one was meant, or else what there is."""
    some = ", ".join(list(known)[:_FEW]) + (" and others" if len(known) > _FEW else "")
    meant = asked(closest(name, known)) or f" (known keys: {some})"
    return f"unknown key {name!r}{f' in [{table}]' if table else ''}{meant}"


#: What `tomllib` says, and what it means where that is known.
_CAUSES = {
    "Cannot overwrite a value": "key {key!r} is set twice",
    "Invalid value": "invalid value of {key!r}; text requires quotes",
    "Illegal character '\\n'": "missing closing quote",
    "Unterminated string": "missing closing quotes",
    "Expected newline or end of document after a statement": "unexpected text after the value of "
    "{key!r}; text requires quotes",
    "Expected '=' after a key in a key/value pair": "missing = after the key",
}
_told = lazy_pattern(r"(.*) \((?:at line (\d+), column \d+|at end of document)\)")
_declared = lazy_pattern(r"Cannot declare \((.*?),?\) twice")
_key = lazy_pattern(r"\s*([^=\s]+)\s*=")


def _syntax_error(path: str, lines: Sequence[str], error: ValueError) -> UsageError:
    """Make an error of TOML that cannot be parsed: the line, and the cause in plain words."""
    m = _told.fullmatch(str(error).replace("\n", "\\n"))
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
