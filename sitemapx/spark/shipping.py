"""
Objects pickled to Spark workers that may lack sitemapx.

Pickle stores a class by its name, so that unpickling without the package fails with an import error
that gives no advice. A `Shipped` object carries its own loader, whose error says what to install.
"""

from collections.abc import Callable
from typing import Any

from pyspark import cloudpickle


def _load(pickled: bytes) -> Any:
    import importlib.util
    import pickle

    if importlib.util.find_spec("sitemapx") is None:
        raise ModuleNotFoundError(
            "sitemapx is not installed on this Spark worker: pip install 'sitemapx[spark]' there, "
            "or ship an environment with it: "
            "https://spark.apache.org/docs/latest/api/python/tutorial/python_packaging.html"
        )
    kind, state = pickle.loads(pickled)  # noqa: S301 - made by the driver of the same job
    shipped = object.__new__(kind)
    shipped.__dict__.update(state)
    return shipped


# Pickle the function by value, as this module is missing on workers without sitemapx.
_load.__module__ = "__main__"


class Shipped:
    """Base class of objects whose unpickling raises an error with advice if sitemapx is missing."""

    def __reduce__(self) -> tuple[Callable[[bytes], Any], tuple[bytes]]:
        pickled = cloudpickle.dumps((type(self), self.__dict__))  # type: ignore[no-untyped-call]
        return _load, (pickled,)
