"""Runs a test in its own process, away from threads of servers and browsers of other tests."""

import functools
import multiprocessing
import sys
from collections.abc import Callable
from importlib import import_module
from typing import ParamSpec

__all__ = ["in_own_process"]

_P = ParamSpec("_P")
_spawn = multiprocessing.get_context("spawn")


def in_own_process(test: Callable[_P, None]) -> Callable[_P, None]:
    """
    Run a test in its own process.

    Its arguments are pickled. If it fails, the traceback is in its captured stderr.
    """

    @functools.wraps(test)
    def run(*args: _P.args, **kwargs: _P.kwargs) -> None:
        process = _spawn.Process(target=_run, args=(test.__module__, test.__name__, args, kwargs))
        process.start()
        process.join()
        assert process.exitcode == 0, "see the captured stderr"

    return run


def _run(module: str, name: str, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
    test = getattr(import_module(module), name)
    sys.exit(test.__wrapped__(*args, **kwargs))
