"""Plug-ins: formats and search engines of other packages, registered as entry points."""

from functools import cache

TYPE_CHECKING = False  # importing typing takes longer than editing robots.txt
if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.metadata import EntryPoint
    from typing import Any

#: Attribute of exceptions that stores the description of the plug-in that raised them.
_CULPRIT = "sitemapx_plugin"
#: Top-level module of each loaded plug-in, and its description.
_culprits: "dict[str, str]" = {}


@cache
def load_plugins(group: str, is_valid: "Callable[[Any], bool]") -> "dict[str, Any]":
    """
    Return the plug-ins of a group by name; a plug-in that cannot be loaded is logged and skipped.

    Args:
        group: Name of the group of entry points.
        is_valid: Returns whether a loaded object is of the right kind.

    """
    from importlib.metadata import entry_points

    loaded: dict[str, Any] = {}
    for point in entry_points(group=group):
        try:
            plugin = point.load()
            if not is_valid(plugin):
                raise TypeError(f"{point.value} is of type {type(plugin).__name__}")
        except Exception as error:  # noqa: BLE001 - of another package, which may raise anything
            import logging

            cause = f"{type(error).__name__}: {error}"
            logging.getLogger("sitemapx").warning("cannot load %s: %s", _describe(point), cause)
        else:
            loaded.setdefault(point.name, plugin)
            _culprits[point.module.partition(".")[0]] = _describe(point)
    return loaded


def _describe(point: "EntryPoint") -> str:
    package = f" of {point.dist.name} {point.dist.version}" if point.dist else ""
    return f"plug-in {point.name!r}{package}"


def find_culprit(error: BaseException) -> str:
    """
    Return a description of the plug-in that raised an error, or an empty string.

    The description is stored in the error, since a copy in another process has no traceback.
    """
    traceback = error.__traceback__
    while traceback and _CULPRIT not in error.__dict__:
        module = traceback.tb_frame.f_globals.get("__name__", "")
        if culprit := _culprits.get(module.partition(".")[0]):
            setattr(error, _CULPRIT, culprit)
        traceback = traceback.tb_next
    return getattr(error, _CULPRIT, "")
