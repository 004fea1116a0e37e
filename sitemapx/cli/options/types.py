"""Options that several commands take, and their kinds."""

import re
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

import click
from click.shell_completion import CompletionItem

from sitemapx.cli.terminal.groups import Command, add_options
from sitemapx.errors import UnknownNameError

_UNITS = {"": 1, "k": 1000, "m": 1000**2, "g": 1000**3, "ki": 1024, "mi": 1024**2, "gi": 1024**3}


class _FormatType(click.ParamType[str]):
    """The name of a format, or one of some names beside."""

    name = "format"

    def __init__(self, *more: str) -> None:
        self._more = more

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from sitemapx.convert.formats.registry import by_name

        return str(value) if value in self._more else by_name(str(value), *self._more).name

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from sitemapx.convert.formats.registry import all_formats

        return [
            CompletionItem(one.name, help=one.title)
            for one in all_formats()
            if one.name.startswith(incomplete)
        ]


class _Names(click.ParamType[str]):
    """One of a few names of a kind."""

    name = "name"

    def __init__(self, kind: str, known: Iterable[str]) -> None:
        self._kind, self.choices = kind, list(known)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return f"[{'|'.join(self.choices)}]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return named(self._kind, [str(value)], self.choices)[0]

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(name) for name in self.choices if name.startswith(incomplete)]


class CheckedText(click.types.StringParamType):
    """A text that its user examines; `check` does so early, for settings."""

    def __init__(self, check: Callable[[str], object]) -> None:
        self.check = check


class _NameList(click.ParamType[str]):
    """Names that are separated by commas, some of which may be patterns; completed one by one."""

    name = "names"

    def __init__(self, kind: str, known: Callable[[], Iterable[str]]) -> None:
        self._kind, self._known = kind, known

    def check(self, text: str) -> None:
        """
        Examine names.

        Raises:
            UsageError: If one is unknown.

        """
        named(self._kind, split_words([text]), self._known())

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        before, comma, last = incomplete.rpartition(",")
        return [
            CompletionItem(f"{before}{comma}{name}")
            for name in self._known()
            if name.startswith(last)
        ]


class _RuleCodes(_NameList):
    """Codes of rules, or patterns of them, that are known."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        self.check(str(value))
        return str(value)

    def check(self, text: str) -> None:
        from sitemapx.check.selection import matching_codes

        matching_codes(split_words([text]))


class _Url(click.ParamType[str]):
    """An absolute http(s) URL."""

    name = "url"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from sitemapx.convert.values import uris

        if uris.to_uri(str(value)) is None:
            self.fail(f"invalid URL {value!r}: expected an absolute http(s) URL", param, ctx)
        return str(value)


class _Mapping(click.ParamType[tuple[str, str]]):
    """URL=DIR."""

    name = "mapping"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        url, equals, folder = str(value).rpartition("=")
        if not equals or not folder:
            self.fail(f"invalid value {value!r}: expected URL=DIR", param, ctx)
        return URL.convert(url, param, ctx), folder


class _Size(click.ParamType[int]):
    """Bytes, with or without a unit such as 10MB or 50MiB."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        m = re.fullmatch(r"([1-9][0-9]*)\s*([kmg]i?)?b?", str(value).lower())
        if m is None:
            self.fail(f"{value!r} is not a size: expected e.g. 10000000, 10MB or 10MiB", param, ctx)
        return int(m[1]) * _UNITS[m[2] or ""]


class _Percent(click.ParamType[float]):
    """A number from 0 to 100, with or without a percent sign."""

    name = "percent"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        m = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*%?", str(value))
        if m is None or float(m[1]) > 100:
            self.fail(f"invalid percentage {value!r}: expected a number from 0 to 100", param, ctx)
        return float(m[1])


class _Age(click.ParamType[float]):
    """An age such as 36h, 7d or 2w, in seconds."""

    name = "age"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        from sitemapx.convert.values import clock

        age = clock.age(str(value))
        if age is None:
            self.fail(f"{value!r} is not an age: expected e.g. 36h, 7d or 2w", param, ctx)
        return age.total_seconds()


def named(kind: str, names: Iterable[str], known: Iterable[str]) -> list[str]:
    """
    Return names that are all known.

    Args:
        kind: What they are names of.

    Raises:
        UnknownNameError: If one is not.

    """
    found, known = list(names), list(known)
    for name in found:
        if name not in known:
            raise UnknownNameError(kind, name, known)
    return found


def split_words(texts: Iterable[str]) -> list[str]:
    """Split what an option was given, once or more often, at commas."""
    return [word for text in texts for word in map(str.strip, text.split(",")) if word]


def one_of(kind: str, known: Iterable[str]) -> click.ParamType[str]:
    """Make the type of an option that takes one name of a kind."""
    return _Names(kind, known)


def _rules() -> Iterable[str]:
    from sitemapx.check.rules.registry import RULES

    return RULES


def _engines() -> Iterable[str]:
    from sitemapx.submit.engines.registry import all_engines

    return [one.about.name for one in all_engines() if one.about.status != "retired"]


def _fields() -> Iterable[str]:
    from sitemapx.convert.model.batch import FIELDS

    return FIELDS[1:]


def _columns() -> Iterable[str]:
    from sitemapx.convert.model.tabular import COLUMNS

    return [*COLUMNS, "languages"]


rows_option = click.option(
    "--report",
    type=one_of("report format", ["text", "json"]),
    default="text",
    help="Print a table, or one JSON object per line.",
)

AGE = _Age()
COLUMN_NAMES = _NameList("column", _columns)
ENGINE_NAMES = _NameList("engine", _engines)
FIELD_NAMES = _NameList("field", _fields)
RULE_CODES = _RuleCodes("rule", _rules)
FORMAT = _FormatType()
SOURCE_FORMAT = _FormatType("directory")
MAPPING = _Mapping()
PERCENT = _Percent()
SIZE = _Size()
URL = _Url()


#: `--debug` after the name of a command; `main` looks for it, wherever it stands.
debug_option = click.option("--debug", is_flag=True, hidden=True, expose_value=False)


def console_options(command: Command) -> Command:
    """Add the options that say what is told on stderr."""
    return add_options(
        command,
        click.option(
            "--report",
            type=one_of("report format", ["text", "json"]),
            default="text",
            help="Report problems on stderr as text, or as one JSON object per line.",
        ),
        click.option(
            "-q", "--quiet", is_flag=True, help="Suppress progress, summary and warnings on stderr."
        ),
        debug_option,
    )


# ---- options of the command line in messages: their names, and which of them a command has

_options = re.compile(r"(?<![\w-])--[a-z][a-z-]*").findall

#: Parameter -> option, with the kind of its value; all others are called alike, with hyphens.
_NAMES = {
    "compress": "--gzip",
    "engines": "--engine",
    "fetches": "--fetch",
    "follows": "--no-follow",
    "format": "--from FORMAT",
    "mappings": "--map URL=DIR",
    "new_maps": "--map-new URL=DIR",
    "old_maps": "--map-old URL=DIR",
    "output": "-o FILE",
    "pages": "--follow-pages",
    "target_of(format)": "--to FORMAT",
    "url": "--source-url",
}


def option_name(name: str, value: str = "") -> str:
    """
    Return an option as it is typed.

    >>> option_name("base_url"), option_name("jobs", "1"), option_name("format")
    ('--base-url', '--jobs 1', '--from FORMAT')

    """
    typed = _NAMES.get(name, f"--{name.replace('_', '-')}")
    return f"{typed.partition(' ')[0]} {value}" if value else typed


def advise(text: str) -> str:
    """Return advice if the running command has all options in it, outside of commands; else ""."""
    context = click.get_current_context(silent=True)
    if context is None:
        return text
    known = {opt for param in context.command.params for opt in param.opts}
    named = {option for part in text.split("`")[::2] for option in _options(part)}
    return text if named <= known else ""


# ---- kinds of options that are numbers with a lower limit

#: Three of them; systems refuse to wait for very much more.
_YEARS = 1e8


class WholeNumber(click.IntRange):
    """A whole number."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the number."""
        try:
            number = int(value)
        except ValueError:
            self.fail(f"{value!r} is not a whole number of {_least(self)}", param, ctx)
        if self.min is not None and number < self.min:
            _refuse(self, value, param, ctx)
        return number


class Seconds(click.FloatRange):
    """Seconds, of which there is an end."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read the number."""
        try:
            seconds = float(value)
        except ValueError:
            seconds = float("nan")
        if not seconds <= _YEARS:  # which is true of no-number, too
            self.fail(f"{value!r} is not a number of seconds", param, ctx)
        if self.min is not None and (seconds < self.min or (self.min_open and seconds == self.min)):
            _refuse(self, value, param, ctx)
        return seconds


class Duration(click.ParamType[float]):
    """A duration such as 90s, 10m or 1h, in seconds; a plain number is one of seconds."""

    name = "duration"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read the duration."""
        m = re.fullmatch(r"([1-9][0-9]{0,5})(s|m|h)?", str(value).strip())
        if m is None:
            self.fail(f"{value!r} is not a duration: expected e.g. 90s, 10m or 1h", param, ctx)
        return float(m[1]) * {"s": 1, "m": 60, "h": 3600}[m[2] or "s"]


def _least(kind: click.IntRange | click.FloatRange) -> str:
    return f"{'more than' if kind.min_open else 'at least'} {kind.min}"


def _refuse(
    kind: click.IntRange | click.FloatRange,
    value: Any,
    param: click.Parameter | None,
    ctx: click.Context | None,
) -> NoReturn:
    """Fail because of a number that is too small."""
    kind.fail(f"{value} is too small: expected {_least(kind)}", param, ctx)
