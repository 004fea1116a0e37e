"""Jobs on Apache Spark whose workers are killed lose and repeat nothing."""

import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sitemapx.convert import read as read_document
from tests.extras.spark.conftest import Read, locs, sitemap
from tests.waiting import wait_until

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BASE = "https://e.example/"
FILES, ENTRIES = 40, 5000


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """Write enough files for a job of some seconds."""
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(FILES):
        (folder / f"{number}.xml").write_bytes(sitemap(f"{BASE}{number}/", ENTRIES))
    return folder


def _executors(spark: "SparkSession") -> list[int]:
    """Return the IDs of the worker processes of this session."""
    name = spark.sparkContext.applicationId.encode()
    result = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:  # it has ended
            continue
        if name in words and any(b"CoarseGrainedExecutorBackend" in word for word in words):
            result.append(int(process.name))
    return result


def _completed(spark: "SparkSession") -> int:
    """Count the finished tasks of the running stages."""
    tracker = spark.sparkContext.statusTracker()
    stages = map(tracker.getStageInfo, tracker.getActiveStageIds())
    return sum(stage.numCompletedTasks for stage in stages if stage)


def _with_a_worker_killed(spark: "SparkSession", job: Callable[[], object]) -> None:
    """Run a job, and kill a worker while it runs."""
    is_done = threading.Event()

    def kill() -> int:
        wait_until(lambda: _completed(spark) > 4 or is_done.is_set())
        assert not is_done.is_set()
        killed = _executors(spark)[0]
        os.kill(killed, signal.SIGKILL)
        return killed

    wait_until(lambda: len(_executors(spark)) == 2)
    with ThreadPoolExecutor(1) as pool:
        killing = pool.submit(kill)
        try:
            job()
        finally:
            is_done.set()
    assert killing.result() not in _executors(spark)


def test_files_of_killed_worker_are_read_by_another(
    spark: "SparkSession", read: Read, many: Path
) -> None:
    result: list[str] = []
    frame = read(many, columns="loc", partitionBytes="1")

    _with_a_worker_killed(spark, lambda: result.extend(locs(frame)))

    expected = [f"{BASE}{file}/{row}" for file in range(FILES) for row in range(ENTRIES)]
    assert result == sorted(expected)


def test_files_of_killed_worker_are_written_again(
    spark: "SparkSession", read: Read, many: Path, tmp_path: Path
) -> None:
    target = tmp_path / "public"
    frame = read(many, columns="loc,lastmod", partitionBytes="1").repartition(FILES)
    writer = frame.write.format("sitemap").mode("overwrite").option("baseUrl", BASE)

    _with_a_worker_killed(spark, lambda: writer.save(str(target)))

    with read_document(target / "sitemap.xml") as document:
        listed = {os.path.basename(entry.loc or "") for entry in document}
    assert {path.name for path in target.iterdir()} == {"sitemap.xml", *listed}
    result = locs(read(target / "sitemap.xml", sourceUrl=f"{BASE}sitemap.xml"))
    expected = [f"{BASE}{file}/{row}" for file in range(FILES) for row in range(ENTRIES)]
    assert result == sorted(expected)
