"""
Programs that use columns of sitemapx: `python frames.py NAME FILE`.

`table` and `stream` print the number of rows and the last URL; `pandas` prints all URLs, and `call`
the median seconds of five calls that create a frame, without imports. For the first two, pandas is
hidden, as the extra `arrow` does not install it, and pyarrow would import it.
"""

import sys
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from statistics import median
from time import perf_counter

import pyarrow as pa

from sitemapx.convert import Opener, table

#: One process, as in the rows that it is compared with.
_OPENER = Opener(jobs=1)


def as_table(path: str) -> None:
    """Read a file as one Arrow table, in memory."""
    found = pa.table(table(path, opener=_OPENER))
    print(found.num_rows, found["loc"][-1])


def as_stream(path: str) -> None:
    """Read a file as Arrow batches, one at a time."""
    rows, last = 0, None
    for batch in pa.RecordBatchReader.from_stream(table(path, opener=_OPENER)):
        rows, last = rows + len(batch), batch["loc"][-1]
    print(rows, last)


def as_pandas(path: str) -> None:
    """Read a file into a pandas data frame."""
    import pandas as pd

    for loc in pd.DataFrame.from_arrow(table(path, opener=_OPENER))["loc"]:
        print(loc)


def as_call(path: str) -> None:
    """Measure how long it takes to read a file into a data frame."""
    import pandas as pd

    seconds = []
    for _ in range(5):
        start = perf_counter()
        pd.DataFrame.from_arrow(table(path, opener=_OPENER))
        seconds.append(perf_counter() - start)
    print(median(seconds))


class _WithoutPandas(MetaPathFinder):
    """Import hook that hides pandas."""

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        if fullname == "pandas":
            raise ModuleNotFoundError(fullname)


USES: dict[str, Callable[[str], None]] = {
    "table": as_table,
    "stream": as_stream,
    "pandas": as_pandas,
    "call": as_call,
}

if __name__ == "__main__":
    if sys.argv[1] not in ("pandas", "call"):
        sys.meta_path.insert(0, _WithoutPandas())
    USES[sys.argv[1]](sys.argv[2])
