"""
Objects on their way to the workers of Spark, on which sitemapx may be missing.

Spark pickles what runs there. Classes are pickled by their names, so that a worker without the
package fails with an import error that tells nobody what to do about it; `Shipped` objects bring
the function that loads them along, which names the remedy.
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


# Functions of this module are pickled by value: it is missing where the message is needed.
_load.__module__ = "__main__"


class Shipped:
    """An object that a worker loads if it has sitemapx, or refuses with a helpful message."""

    def __reduce__(self) -> tuple[Callable[[bytes], Any], tuple[bytes]]:
        """Pickle the object within bytes, which only `_load` looks into."""
        pickled = cloudpickle.dumps((type(self), self.__dict__))  # type: ignore[no-untyped-call]
        return _load, (pickled,)
