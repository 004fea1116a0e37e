"""
The names of options in messages.

The library and the command line have the same options under different names: `base_url=` in Python
is `--base-url` in a shell. Messages take the name from here, so that each reader can do what they
advise. Advice for people names options of the command line; the command that is running drops what
it has no option for, and `publish` names settings.
"""

from contextlib import contextmanager
from contextvars import ContextVar

TYPE_CHECKING = False  # typing takes longer to import than robots.txt to edit
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from typing import TypeVar

    T = TypeVar("T")


#: Parameters that are not those of the function that was called: how to pass them.
_ELSEWHERE = {
    **{
        name: f"`safeguards=Safeguards({name}={value})`"
        for name, value in {
            "strict": "True",
            "partial": "True",
            "allow_empty": "True",
            "max_loss": "PERCENT",
        }.items()
    },
    "target_of(format)": "`format` to `target_of()`",
}


def _parameter(name: str, value: str) -> str:
    known = _ELSEWHERE.get(name, f"`{name}`")
    return f"`{name}={value}`" if value else known


_name: "ContextVar[Callable[[str, str], str]]" = ContextVar("name", default=_parameter)


def option(name: str, value: str = "") -> str:
    """
    Return an option as the reader of a message knows it: as a parameter, or as `named` says.

    >>> option("base_url"), option("jobs", "1")
    ('`base_url`', '`jobs=1`')

    """
    return _name.get()(name, value)


def _unchanged(text: str) -> str:
    return text


_advise: "ContextVar[Callable[[str], str]]" = ContextVar("advise", default=_unchanged)


def advice(*alternatives: str) -> str:
    """
    Return the alternatives that the reader of a message can follow, joined by "or".

    >>> advice("run again in 60 s", "pass --no-wait to send now")
    'run again in 60 s, or pass --no-wait to send now'

    """
    return ", or ".join(filter(None, map(_advise.get(), alternatives)))


def advised(advise: "Callable[[str], str]") -> "AbstractContextManager[None]":
    """Have advice adapted by a function, until the context is left; empty text drops it."""
    return _holding(_advise, advise)


def named(name: "Callable[[str, str], str]") -> "AbstractContextManager[None]":
    """Have options named by a function of parameter and value, until the context is left."""
    return _holding(_name, name)


@contextmanager
def _holding(variable: "ContextVar[T]", value: "T") -> "Iterator[None]":
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)
