"""The options that say what becomes of entries on their way."""

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import click
from click.shell_completion import CompletionItem

from sitemapx.cli.options.types import (
    FIELD_NAMES,
    CheckedText,
    WholeNumber,
    named,
    one_of,
    split_words,
)
from sitemapx.cli.terminal.groups import Command, add_options, grouped
from sitemapx.errors import UsageError

if TYPE_CHECKING:
    from sitemapx.convert.steps import Step


def _pairs(texts: Sequence[str]) -> list[tuple[str, str]]:
    """Split each at its first equals sign."""
    for text in texts:
        if "=" not in text:
            raise UsageError(f"invalid value {text!r}: expected FIELD=VALUE")
    return [(old, new) for old, _, new in (text.partition("=") for text in texts)]


def _completed_fields(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the fields that can be set."""
    from sitemapx.convert.values.datatypes import CORE

    return [CompletionItem(f"{name}=") for name in CORE if name.startswith(incomplete)]


def _rewriting(steps: Any, texts: Sequence[str]) -> "Step":
    from sitemapx.convert.steps.urls import rule

    return cast("Step", steps.rewrite(map(rule, texts)))


def fields_of(texts: Sequence[str]) -> list[str]:
    """
    List fields that are named with commas, or by several options.

    Raises:
        UnknownNameError: If there is none of a name, or it is the URL.

    """
    from sitemapx.convert.model.batch import FIELDS

    return named("field", split_words(texts), FIELDS[1:])


def _parameter(name: str) -> str:
    """Return the name of the parameter that an option sets."""
    return name.partition("/")[0].removeprefix("--").replace("-", "_")


class _Days(WholeNumber):
    """A number of days, or `all`."""

    name = "days"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the number."""
        return value if value == "all" else super().convert(value, param, ctx)


class StepOption(NamedTuple):
    """
    An option, how to make a step of its value, and what `click.option` is to know of it.

    It is made with the module `steps`, which few runs need.

    Attributes:
        also: Other options, whose values are further arguments of `make`.
        of: The option whose step this one changes, if it has none of its own.

    """

    name: str
    make: "Callable[..., Step] | None"
    help: str
    attributes: dict[str, Any]
    also: tuple[str, ...] = ()
    of: str = ""

    @property
    def click_attributes(self) -> dict[str, Any]:
        """What `click.option` takes: the step checks values without a type of their own."""
        is_typed = self.attributes.keys() & {"type", "is_flag", "default"}
        return self.attributes | ({} if is_typed else {"type": CheckedText(self._check)})

    def _check(self, text: str) -> None:
        from sitemapx.convert import steps

        if self.make is not None:
            value = (text,) if self.attributes.get("multiple") else text
            self.make(steps, value, *(None for _ in self.also))

    @property
    def parameter(self) -> str:
        """The name of the parameter of the command."""
        return _parameter(self.name)


_MANY = {"multiple": True}
#: What stands for an option that nobody gave; an empty text was given.
_NOT_GIVEN = (None, False, ())

#: In the order in which the steps run.
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
        {"type": one_of("kind of entries", ["urls"]), "metavar": "urls"},
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
        "Make news of articles for the publication NAME, from their title, date and language "
        "(else that of the feed, else --language); keep those of the last two days.",
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
        _rewriting,
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
        "--limit",
        lambda steps, value: steps.newest(value),
        "Keep only the N newest entries, newest first.",
        {"type": WholeNumber(1), "metavar": "N"},
    ),
    StepOption(
        "--sort",
        lambda steps, value: steps.sort(value),
        "Sort by URL, or by date (newest first).",
        {"type": one_of("order", ["loc", "lastmod"]), "metavar": "loc|lastmod"},
    ),
    StepOption(
        "--drop",
        lambda steps, texts: steps.drop(fields_of(texts)),
        "Drop these fields, e.g. images,videos.",
        _MANY | {"metavar": "FIELDS", "type": FIELD_NAMES},
    ),
    StepOption(
        "--set",
        lambda steps, texts: steps.assign(dict(_pairs(texts))),
        "Set lastmod, changefreq or priority of all entries. Repeatable.",
        _MANY | {"metavar": "FIELD=VALUE", "shell_complete": _completed_fields},
    ),
)

_option = grouped("Filters and changes, applied in this order")


def step_options(command: Command, only: Collection[str] = ()) -> Command:
    """Add the options of all steps, or only of some."""
    wanted = (one for one in STEPS if not only or one.parameter in only)
    return add_options(
        command, *(_option(one.name, help=one.help, **one.click_attributes) for one in wanted)
    )


def steps_of(options: dict[str, Any], unique_fields: Collection[str] = ()) -> "list[Step]":
    """
    Make the steps that were asked for, and those without which a format cannot do.

    Args:
        unique_fields: What the format wants to be unique.

    Raises:
        UsageError: If a value means nothing; it names the option.

    """
    fields = tuple(unique_fields)
    unique = {None: fields, True: ("loc", *fields), False: ()}[options["unique"]]
    values = {**options, "unique": unique}
    given = [one for one in STEPS if values.get(one.parameter) not in _NOT_GIVEN]
    for one in given:
        if one.of and values.get(_parameter(one.of)) in _NOT_GIVEN:
            raise UsageError(f"{one.name} requires {one.of}")
    if not given:
        return []
    from sitemapx.convert import steps

    made: list[Step] = []
    for one in given:
        more = [values.get(_parameter(name)) for name in one.also]
        try:
            if one.make is not None:
                made.append(one.make(steps, values[one.parameter], *more))
        except UsageError as error:
            raise UsageError(f"{one.name}: {error}") from error
    return made
