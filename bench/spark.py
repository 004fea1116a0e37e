"""
Measures the data source of Spark: `python -m bench.spark`, in a Python with PySpark.

The same 200 files are read by `sitemapx.read` in a single process, and by Spark with one and with
two workers, which discard the rows (format `noop`). The start-up of Python and Spark is excluded:
each job runs once before it is measured.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

from bench.samples.data import FOLDER
from bench.samples.varied import VARIED


def main() -> None:
    """Measure the jobs alternately, and print the ratios of each round."""
    parser = argparse.ArgumentParser(prog="python -m bench.spark", description=main.__doc__)
    parser.add_argument("--files", type=int, default=200, metavar="N", help="files [200]")
    parser.add_argument("--urls", type=int, default=10_000, metavar="N", help="URLs each [10,000]")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="rounds [5]")
    parser.add_argument("--job", help=argparse.SUPPRESS)
    options = parser.parse_args()
    folder = _make_samples(options.files, options.urls)
    if options.job:
        print(_JOBS[options.job](folder, options.files * options.urls))
        return
    seconds: dict[str, list[float]] = {name: [] for name in _JOBS}
    for number in range(options.rounds):
        for name in _JOBS:
            seconds[name].append(_measure(name, sys.argv[1:]))
        print(f"round {number + 1}:", *(f"{name} {seconds[name][-1]:.2f} s" for name in _JOBS))
    one, two = _ratios(seconds, "1 worker", "read"), _ratios(seconds, "1 worker", "2 workers")
    print(f"1 worker / read: {one} (goal: 1.3 at most)")
    print(f"1 worker / 2 workers: {two} (goal: 1.7 at least)")


def _ratios(seconds: dict[str, list[float]], first: str, second: str) -> str:
    ratios = [a / b for a, b in zip(seconds[first], seconds[second], strict=True)]
    return f"{median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def _measure(name: str, arguments: list[str]) -> float:
    command = [sys.executable, "-m", "bench.spark", *arguments, "--job", name]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return float(done.stdout.split()[-1])


def _make_samples(files: int, urls: int) -> Path:
    """Return the directory of varied files; create it if necessary."""
    folder = FOLDER / f"spark-{files}-{urls}"
    if not folder.exists():
        kind, draft = VARIED["varied"], folder.with_suffix(".new")
        draft.mkdir(parents=True)
        entries = kind.entries(files * urls)
        for number in range(files):
            with (draft / f"{number}.xml").open("w", encoding="utf-8") as file:
                file.write(kind.start)
                file.writelines(kind.render(next(entries)) for _ in range(urls))
                file.write(kind.end)
        draft.rename(folder)
    return folder


def _read_alone(folder: Path, expected: int) -> float:
    """Read all entries in this process; return seconds."""
    from sitemapx.convert import read

    paths = list(map(str, folder.iterdir()))
    for _ in range(2):
        start, found = time.perf_counter(), 0
        for path in paths:
            with read(path) as document:
                found += sum(1 for _ in document)
        assert found == expected, found
    return time.perf_counter() - start


def _read_with_workers(count: int, folder: Path, expected: int) -> float:
    """Read all columns of the protocol with this number of Spark workers; return seconds."""
    from pyspark.sql import SparkSession

    from sitemapx.spark import SitemapDataSource

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = SparkSession.builder.master(f"local[{count}]").getOrCreate()
    spark.dataSource.register(SitemapDataSource)
    columns = "loc,lastmod,changefreq,priority"
    reader = spark.read.format("sitemap").option("columns", columns)
    found = reader.load(str(folder)).count()
    assert found == expected, found
    for _ in range(3):
        start = time.perf_counter()
        reader.load(str(folder)).write.format("noop").mode("overwrite").save()
    return time.perf_counter() - start


_JOBS: dict[str, Callable[[Path, int], float]] = {
    "read": _read_alone,
    "1 worker": partial(_read_with_workers, 1),
    "2 workers": partial(_read_with_workers, 2),
}

if __name__ == "__main__":
    main()
