"""Options for filters and changes of entries."""

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import click
from click.shell_completion import CompletionItem

from sitemapx.cli.options.types import (
    FIELD_NAMES,
    CheckedText,
    Choice,
    WholeNumber,
    check_names,
    split_words,
)
from sitemapx.cli.terminal.groups import Command, add_options, option_group
from sitemapx.errors import UsageError

if TYPE_CHECKING:
    from sitemapx.convert.steps import Step


def _parse_pairs(texts: Sequence[str]) -> list[tuple[str, str]]:
    for text in texts:
        if "=" not in text:
            raise UsageError(f"invalid value {text!r}: expected FIELD=VALUE")
    return [(old, new) for old, _, new in (text.partition("=") for text in texts)]


def _complete_fields(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    from sitemapx.convert.values.datatypes import CORE

    return [CompletionItem(f"{name}=") for name in CORE if name.startswith(incomplete)]


def _rewrite(steps: Any, texts: Sequence[str]) -> "Step":
    from sitemapx.convert.steps.urls import rule

    return cast("Step", steps.rewrite(map(rule, texts)))


def parse_fields(texts: Sequence[str]) -> list[str]:
    """Split lists of field names; raise UnknownNameError for unknown ones, and for `loc`."""
    from sitemapx.convert.model.batch import FIELDS

    return check_names("field", split_words(texts), FIELDS[1:])


def _parameter(name: str) -> str:
    return name.partition("/")[0].removeprefix("--").replace("-", "_")


class _Days(WholeNumber):
    """Option value: number of days, or `all`."""

    name = "days"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return value if value == "all" else super().convert(value, param, ctx)


class StepOption(NamedTuple):
    """
    An option that creates or changes a step.

    Attributes:
        make: Creates the step; called with the module `steps`, which is imported on demand, the
            value of the option, and the values of the options in `also`.
        also: Other options that the step depends on.
        of: Name of the option whose step this option changes (then `make` is None); else empty.

    """

    name: str
    make: "Callable[..., Step] | None"
    help: str
    attributes: dict[str, Any]
    also: tuple[str, ...] = ()
    of: str = ""

    @property
    def click_attributes(self) -> dict[str, Any]:
        """Arguments for `click.option`; untyped values are validated by creating the step."""
        is_typed = self.attributes.keys() & {"type", "is_flag", "default"}
        return self.attributes | ({} if is_typed else {"type": CheckedText(self._check)})

    def _check(self, text: str) -> None:
        from sitemapx.convert import steps

        if self.make is not None:
            value = (text,) if self.attributes.get("multiple") else text
            self.make(steps, value, *(None for _ in self.also))

    @property
    def parameter(self) -> str:
        return _parameter(self.name)


_MANY = {"multiple": True}
#: Values of options that were not passed; an empty string counts as passed.
_NOT_GIVEN = (None, False, ())

#: Options of steps, in the order of execution.
STEPS = (
    StepOption(
        "--enclosures",
        lambda steps, _: steps.enclosures_as_media,
        "Convert feed enclosures to images and videos.",
        {"is_flag": True},
    ),
    StepOption(
        "--alternates",
        lambda steps, _: steps.alternates_as_entries,
        "Add an entry, with links to all versions, for each alternate (hreflang) not listed.",
        {"type": Choice("kind of entries", ["urls"]), "metavar": "urls"},
    ),
    StepOption(
        "--include",
        lambda steps, value: steps.include(value),
        "Keep only URLs that match: a glob for the whole URL, or for the part after the host if it "
        "begins with a slash; or re:REGEX. Repeatable (any may match).",
        _MANY | {"metavar": "PATTERN"},
    ),
    StepOption(
        "--exclude",
        lambda steps, value: steps.exclude(value),
        "Drop URLs that match. Repeatable.",
        _MANY | {"metavar": "PATTERN"},
    ),
    StepOption(
        "--since",
        lambda steps, value: steps.since(value),
        "Keep entries changed since DATE or within AGE (36h, 7d, 2w); drop entries without date.",
        {"metavar": "DATE|AGE"},
    ),
    StepOption(
        "--news",
        lambda steps, name, days, language: steps.news(
            name, days={None: 2, "all": None}.get(days, days), language=language
        ),
        "Convert articles of the last two days to news of the publication NAME, using their "
        "titles, dates and languages (else the language of the feed, else --language).",
        {"metavar": "NAME"},
        also=("--news-days", "--language"),
    ),
    StepOption(
        "--news-days",
        None,
        "Keep articles published in the last N days, or all.  [default: 2]",
        {"type": _Days(1), "metavar": "N|all"},
        of="--news",
    ),
    StepOption(
        "--strip-params",
        lambda steps, texts: steps.strip_params(split_words(texts)),
        "Remove query parameters from URLs, e.g. sid,PHPSESSID,utm_*.",
        _MANY | {"metavar": "NAMES"},
    ),
    StepOption(
        "--rewrite",
        _rewrite,
        "Change scheme (http:=https:), host (old.example=new.example) or path "
        "(https://a.example/b=https://c.example) of URLs, alternates and media. Repeatable.",
        _MANY | {"metavar": "OLD=NEW"},
    ),
    StepOption(
        "--unique/--no-unique",
        lambda steps, value: steps.unique(value),
        "Drop duplicate URLs (after normalization); keep the first. "
        "[default: only in feeds, by ID]",
        {"default": None},
    ),
    StepOption(
        "--head",
        lambda steps, value: steps.head(value),
        "Keep only the first N entries, and stop reading after them.",
        {"type": WholeNumber(1), "metavar": "N"},
    ),
    StepOption(
        "--sample",
        lambda steps, value, seed: steps.sample(value, seed=seed or 0),
        "Keep only a random sample of N entries, in their order; the same in each run.",
        {"type": WholeNumber(1), "metavar": "N"},
        also=("--seed",),
    ),
    StepOption(
        "--seed",
        None,
        "Draw another sample.  [default: 0]",
        {"type": WholeNumber(0), "metavar": "N"},
        of="--sample",
    ),
    StepOption(
        "--limit",
        lambda steps, value: steps.newest(value),
        "Keep only the N newest entries, newest first.",
        {"type": WholeNumber(1), "metavar": "N"},
    ),
    StepOption(
        "--sort",
        lambda steps, value: steps.sort(value),
        "Sort by URL, or by date (newest first).",
        {"type": Choice("order", ["loc", "lastmod"]), "metavar": "loc|lastmod"},
    ),
    StepOption(
        "--drop",
        lambda steps, texts: steps.drop(parse_fields(texts)),
        "Drop these fields, e.g. images,videos.",
        _MANY | {"metavar": "FIELDS", "type": FIELD_NAMES},
    ),
    StepOption(
        "--set",
        lambda steps, texts: steps.assign(dict(_parse_pairs(texts))),
        "Set lastmod, changefreq or priority of all entries. Repeatable.",
        _MANY | {"metavar": "FIELD=VALUE", "shell_complete": _complete_fields},
    ),
)

_option = option_group("Filters and changes, applied in this order")


def step_options(command: Command, only: Collection[str] = ()) -> Command:
    options = (option for option in STEPS if not only or option.parameter in only)
    return add_options(
        command,
        *(_option(option.name, help=option.help, **option.click_attributes) for option in options),
    )


def build_steps(options: dict[str, Any], unique_fields: Collection[str] = ()) -> "list[Step]":
    """
    Create the steps that options request, and those that keep `unique_fields` of the output unique.

    Raises:
        UsageError: If a value is invalid, or a required option is missing.

    """
    fields = tuple(unique_fields)
    unique = {None: fields, True: ("loc", *fields), False: ()}[options["unique"]]
    values = {**options, "unique": unique}
    given = [option for option in STEPS if values.get(option.parameter) not in _NOT_GIVEN]
    for option in given:
        if option.of and values.get(_parameter(option.of)) in _NOT_GIVEN:
            raise UsageError(f"{option.name} requires {option.of}")
    if not given:
        return []
    from sitemapx.convert import steps

    built: list[Step] = []
    for option in given:
        more = [values.get(_parameter(name)) for name in option.also]
        try:
            if option.make is not None:
                built.append(option.make(steps, values[option.parameter], *more))
        except UsageError as error:
            raise UsageError(f"{option.name}: {error}") from error
    return built
