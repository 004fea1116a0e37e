"""Types of options, options of several commands, and names of options in messages."""

import re
from collections.abc import Callable, Iterable
from typing import Any, NoReturn, TypeVar

import click
from click.shell_completion import CompletionItem

from sitemapx.cli.terminal.groups import Command, add_options
from sitemapx.errors import UnknownNameError

T = TypeVar("T")
_UNITS = {"": 1, "k": 1000, "m": 1000**2, "g": 1000**3, "ki": 1024, "mi": 1024**2, "gi": 1024**3}


class _FormatType(click.ParamType[str]):
    name = "format"

    def __init__(self, *extra: str, is_written: bool = False) -> None:
        self._extra = extra
        self._is_written = is_written

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from sitemapx.convert.formats.registry import by_name

        if value in self._extra:
            return str(value)
        return by_name(str(value), *self._extra, is_written=self._is_written).name

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from sitemapx.convert.formats.registry import all_formats

        return [
            CompletionItem(known.name, help=known.title)
            for known in all_formats()
            if known.name.startswith(incomplete) and (known.write or not self._is_written)
        ]


class Choice(click.ParamType[str]):
    """Option value: one of the known names; `kind` is the noun for them in messages."""

    name = "name"

    def __init__(self, kind: str, known: Iterable[str]) -> None:
        self._kind = kind
        self.choices = list(known)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return f"[{'|'.join(self.choices)}]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return check_names(self._kind, [str(value)], self.choices)[0]

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(name) for name in self.choices if name.startswith(incomplete)]


class CheckedText(click.types.StringParamType):
    """Option value that is parsed later; `check` is called early for values in settings."""

    def __init__(self, check: Callable[[str], object]) -> None:
        self.check = check


class _NameList(click.ParamType[str]):
    """Option value: comma-separated names, completed by the shell one at a time."""

    name = "names"

    def __init__(self, kind: str, known: Callable[[], Iterable[str]]) -> None:
        self._kind, self._known = kind, known

    def check(self, text: str) -> None:
        check_names(self._kind, split_words([text]), self._known())

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
    """Option value: comma-separated codes of rules, or globs such as `bad-*`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        self.check(str(value))
        return str(value)

    def check(self, text: str) -> None:
        from sitemapx.check.selection import matching_codes

        matching_codes(split_words([text]))


class ParsedText(click.ParamType[T]):
    """Option value converted by a function that raises ValueError with a message for users."""

    def __init__(self, name: str, parse: Callable[[str], T]) -> None:
        self.name = name
        self._parse = parse

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> T:
        try:
            return self._parse(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


def _parse_url(text: str) -> str:
    from sitemapx.convert.values import uris

    if uris.to_uri(text) is None:
        raise ValueError(f"invalid URL {text!r}: expected an absolute http(s) URL")
    return text


def _parse_mapping(text: str) -> tuple[str, str]:
    url, equals, folder = text.rpartition("=")
    if not equals or not folder:
        raise ValueError(f"invalid value {text!r}: expected URL=DIR")
    return _parse_url(url), folder


class _Mapping(ParsedText[tuple[str, str]]):
    @staticmethod
    def relocate(text: str, beside: Callable[[str], str]) -> str:
        url, equals, folder = text.rpartition("=")
        return f"{url}{equals}{beside(folder)}"


def _parse_size(text: str) -> int:
    """Parse a number of bytes, optionally with a unit, as in 10MB or 50MiB."""
    m = re.fullmatch(r"([1-9][0-9]*)\s*([kmg]i?)?b?", text.lower())
    if m is None:
        raise ValueError(f"{text!r} is not a size: expected e.g. 10000000, 10MB or 10MiB")
    return int(m[1]) * _UNITS[m[2] or ""]


def _parse_percent(text: str) -> float:
    m = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*%?", text)
    if m is None or float(m[1]) > 100:
        raise ValueError(f"invalid percentage {text!r}: expected a number from 0 to 100")
    return float(m[1])


def _parse_age(text: str) -> float:
    """Parse an age such as 36h, 7d or 2w; return seconds."""
    from sitemapx.convert.values import clock

    age = clock.age(text)
    if age is None:
        raise ValueError(f"{text!r} is not an age: expected e.g. 36h, 7d or 2w")
    return age.total_seconds()


def _parse_duration(text: str) -> float:
    """Parse a duration such as 90s, 10m or 1h; return seconds, the default unit."""
    m = re.fullmatch(r"([1-9][0-9]{0,5})(s|m|h)?", text.strip())
    if m is None:
        raise ValueError(f"{text!r} is not a duration: expected e.g. 90s, 10m or 1h")
    return float(m[1]) * {"s": 1, "m": 60, "h": 3600}[m[2] or "s"]


def check_names(kind: str, names: Iterable[str], known: Iterable[str]) -> list[str]:
    """Return the names as a list; raise UnknownNameError with their kind if any is unknown."""
    checked, known = list(names), list(known)
    for name in checked:
        if name not in known:
            raise UnknownNameError(kind, name, known)
    return checked


def split_words(texts: Iterable[str]) -> list[str]:
    """Split the values of a repeatable option at commas."""
    return [word for text in texts for word in map(str.strip, text.split(",")) if word]


def _rules() -> Iterable[str]:
    from sitemapx.check.rules.registry import RULES

    return RULES


def _engines() -> Iterable[str]:
    from sitemapx.submit.engines.registry import all_engines

    return [engine.about.name for engine in all_engines() if engine.about.status != "retired"]


def _fields() -> Iterable[str]:
    from sitemapx.convert.model.batch import FIELDS

    return FIELDS[1:]


def _columns() -> Iterable[str]:
    from sitemapx.convert.model.tabular import COLUMNS

    return [*COLUMNS, "languages"]


AGE = ParsedText("age", _parse_age)
DURATION = ParsedText("duration", _parse_duration)
COLUMN_NAMES = _NameList("column", _columns)
ENGINE_NAMES = _NameList("engine", _engines)
FIELD_NAMES = _NameList("field", _fields)
RULE_CODES = _RuleCodes("rule", _rules)
FORMAT = _FormatType(is_written=True)
SOURCE_FORMAT = _FormatType("directory")
MAPPING = _Mapping("mapping", _parse_mapping)
PERCENT = ParsedText("percent", _parse_percent)
SIZE = ParsedText("size", _parse_size)
URL = ParsedText("url", _parse_url)

#: `--debug` after the name of a command; `main` handles it at any position.
debug_option = click.option("--debug", is_flag=True, hidden=True, expose_value=False)


def report_option(about: str) -> Callable[[Command], Command]:
    kind = Choice("report format", ["text", "json"])
    return click.option("--report", type=kind, default="text", help=about)


rows_option = report_option("Print a table, or one JSON object per line.")
#: Format of a list of names that sitemapx knows; named as in `check --list --format json`.
list_format_option = click.option(
    "--format",
    "--output-format",
    "list_format",
    type=Choice("format", ["text", "json"]),
    default="text",
    help="Print a table (text), or one JSON object per line (json).",
)


def console_options(command: Command) -> Command:
    return add_options(
        command,
        report_option("Report problems on stderr as text, or as one JSON object per line."),
        click.option(
            "-q", "--quiet", is_flag=True, help="Suppress progress, summary and warnings on stderr."
        ),
        debug_option,
    )


# ---- names of options in messages

_options = re.compile(r"(?<![\w-])--[a-z][a-z-]*").findall

#: Parameter -> option with its value. For other parameters, hyphens replace underscores.
_NAMES = {
    "compress": "--gzip",
    "engines": "--engine",
    "fetches": "--fetch",
    "follows": "--no-follow",
    "format": "--from FORMAT",
    "mappings": "--map URL=DIR",
    "new_maps": "--map-new URL=DIR",
    "old_maps": "--map-old URL=DIR",
    "news_days": "--news-days all",
    "output": "-o FILE",
    "pages": "--follow-pages",
    "target_of(format)": "--to FORMAT",
    "url": "--source-url",
}


def option_name(name: str, value: str = "") -> str:
    """
    Return an option as typed on the command line.

    >>> option_name("base_url"), option_name("jobs", "1"), option_name("format")
    ('--base-url', '--jobs 1', '--from FORMAT')

    """
    typed = _NAMES.get(name, f"--{name.replace('_', '-')}")
    return f"{typed.partition(' ')[0]} {value}" if value else typed


def advise(text: str) -> str:
    """Return advice; empty if it names, outside backticks, an option that the command lacks."""
    context = click.get_current_context(silent=True)
    if context is None:
        return text
    known = {opt for param in context.command.params for opt in param.opts}
    mentioned = {option for part in text.split("`")[::2] for option in _options(part)}
    return text if mentioned <= known else ""


# ---- types of numbers with a lower limit

#: Three years; systems reject timeouts that are much longer.
_MAX_SECONDS = 1e8


class WholeNumber(click.IntRange):
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            number = int(value)
        except ValueError:
            self.fail(f"{value!r} is not a whole number of {_minimum(self)}", param, ctx)
        if self.min is not None and number < self.min:
            _fail_below_minimum(self, value, param, ctx)
        return number


class Seconds(click.FloatRange):
    """Option value: number of seconds, with an upper limit that systems accept as a timeout."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        try:
            seconds = float(value)
        except ValueError:
            seconds = float("nan")
        if not seconds <= _MAX_SECONDS:  # NaN fails, too
            self.fail(f"{value!r} is not a number of seconds", param, ctx)
        if self.min is not None and (seconds < self.min or (self.min_open and seconds == self.min)):
            _fail_below_minimum(self, value, param, ctx)
        return seconds


def _minimum(kind: click.IntRange | click.FloatRange) -> str:
    return f"{'more than' if kind.min_open else 'at least'} {kind.min}"


def _fail_below_minimum(
    kind: click.IntRange | click.FloatRange,
    value: Any,
    param: click.Parameter | None,
    ctx: click.Context | None,
) -> NoReturn:
    kind.fail(f"{value} is too small: expected {_minimum(kind)}", param, ctx)
