"""
What people do with columns: `python frames.py NAME FILE`, in the Python that has sitemapx.

`table` and `stream` print how many rows there are, and the last URL; `pandas` prints all URLs. Only
the last one has pandas, which the extra `arrow` does not bring, and pyarrow imports if it can.
"""

import sys
from collections.abc import Callable
from importlib.abc import MetaPathFinder

import pyarrow as pa

from sitemapx.convert import Opener, table

#: One process, as with the rows of other commands that are compared with it.
_OPENER = Opener(jobs=1)


def as_table(path: str) -> None:
    """Hold all columns in memory."""
    found = pa.table(table(path, opener=_OPENER))
    print(found.num_rows, found["loc"][-1])


def as_stream(path: str) -> None:
    """Hold one batch after the other."""
    rows, last = 0, None
    for batch in pa.RecordBatchReader.from_stream(table(path, opener=_OPENER)):
        rows, last = rows + len(batch), batch["loc"][-1]
    print(rows, last)


def as_pandas(path: str) -> None:
    """Make a frame of all columns."""
    import pandas as pd

    for loc in pd.DataFrame.from_arrow(table(path, opener=_OPENER))["loc"]:
        print(loc)


class _WithoutPandas(MetaPathFinder):
    """Imports as where pandas is not installed."""

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        if fullname == "pandas":
            raise ModuleNotFoundError(fullname)


USES: dict[str, Callable[[str], None]] = {
    "table": as_table,
    "stream": as_stream,
    "pandas": as_pandas,
}

if __name__ == "__main__":
    if sys.argv[1] != "pandas":
        sys.meta_path.insert(0, _WithoutPandas())
    USES[sys.argv[1]](sys.argv[2])
