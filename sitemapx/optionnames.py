"""
Names of options in messages, and advice that depends on the caller.

`base_url=` in Python is `--base-url` on the command line; code that writes messages calls `option`
and `advice` to get the names for the caller. Advice mentions options of the command line: the
running command drops advice about options that it lacks, and `publish` replaces options with
settings.
"""

from contextlib import contextmanager
from contextvars import ContextVar

TYPE_CHECKING = False  # importing typing takes longer than editing robots.txt
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from typing import TypeVar

    T = TypeVar("T")


#: How to pass parameters that the called function does not have itself.
_INDIRECT = {
    "news_days": "`days=None`",
    "allow_private": "`fetcher=Fetcher(allow_private=True)`",
    "strict": "`safeguards=Safeguards(strict=True)`",
    "partial": "`safeguards=Safeguards(partial=True)`",
    "allow_empty": "`safeguards=Safeguards(allow_empty=True)`",
    "max_loss": "`safeguards=Safeguards(max_loss=PERCENT)`",
    "target_of(format)": "`format`",
}


def _parameter(name: str, value: str) -> str:
    return f"`{name}={value}`" if value else _INDIRECT.get(name, f"`{name}`")


_name: "ContextVar[Callable[[str, str], str]]" = ContextVar("name", default=_parameter)


def option(name: str, value: str = "") -> str:
    """
    Return an option, with a value if given, as messages name it; by default as a parameter.

    >>> option("base_url"), option("jobs", "1")
    ('`base_url`', '`jobs=1`')
    """
    return _name.get()(name, value)


def option_naming() -> "Callable[[str, str], str]":
    """Return the function that names options, for `use_option_names` in a worker process."""
    return _name.get()


_advise: "ContextVar[Callable[[str], str]]" = ContextVar("advise", default=str)


def advice(*alternatives: str) -> str:
    """
    Adapt each piece of advice to the caller, drop those that do not apply, and join the rest.

    >>> advice("run again in 60 s", "pass --no-wait to send now")
    'run again in 60 s, or pass --no-wait to send now'
    """
    return ", or ".join(filter(None, map(_advise.get(), alternatives)))


def adapt_advice(advise: "Callable[[str], str]") -> "AbstractContextManager[None]":
    """
    Return a context in which `advise` rewrites every piece of advice.

    An empty result drops the advice.
    """
    return _set_in_context(_advise, advise)


def use_option_names(name: "Callable[[str, str], str]") -> "AbstractContextManager[None]":
    """Return a context in which `name` converts a parameter and its value to an option name."""
    return _set_in_context(_name, name)


@contextmanager
def _set_in_context(variable: "ContextVar[T]", value: "T") -> "Iterator[None]":
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)
