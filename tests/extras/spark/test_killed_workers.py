"""Jobs whose workers are killed, on a cluster of Apache Spark: nothing is lost, or there twice."""

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
    """Give a folder with enough files that a job takes some seconds."""
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(FILES):
        (folder / f"{number}.xml").write_bytes(sitemap(f"{BASE}{number}/", ENTRIES))
    return folder


def _executors(spark: "SparkSession") -> list[int]:
    """List the processes of the workers of this session."""
    name = spark.sparkContext.applicationId.encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:  # it has ended
            continue
        if name in words and any(b"CoarseGrainedExecutorBackend" in word for word in words):
            found.append(int(process.name))
    return found


def _completed(spark: "SparkSession") -> int:
    """Count the tasks that are done, of the stages that are running."""
    tracker = spark.sparkContext.statusTracker()
    stages = map(tracker.getStageInfo, tracker.getActiveStageIds())
    return sum(stage.numCompletedTasks for stage in stages if stage)


def _with_a_worker_killed(spark: "SparkSession", job: Callable[[], object]) -> None:
    """Run a job, and kill a worker in the middle of it."""
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


def test_reading(spark: "SparkSession", read: Read, many: Path) -> None:
    """What the worker had not read yet, or read in part, is read by another."""
    found: list[str] = []
    frame = read(many, columns="loc", partitionBytes="1")

    _with_a_worker_killed(spark, lambda: found.extend(locs(frame)))

    expected = [f"{BASE}{file}/{row}" for file in range(FILES) for row in range(ENTRIES)]
    assert found == sorted(expected)


def test_writing(spark: "SparkSession", read: Read, many: Path, tmp_path: Path) -> None:
    """The files of the worker are written again; those of its last attempt go."""
    target = tmp_path / "public"
    frame = read(many, columns="loc,lastmod", partitionBytes="1").repartition(FILES)
    writer = frame.write.format("sitemap").mode("overwrite").option("baseUrl", BASE)

    _with_a_worker_killed(spark, lambda: writer.save(str(target)))

    with read_document(target / "sitemap.xml") as document:
        listed = {os.path.basename(entry.loc or "") for entry in document}
    assert {path.name for path in target.iterdir()} == {"sitemap.xml", *listed}
    found = locs(read(target / "sitemap.xml", sourceUrl=f"{BASE}sitemap.xml"))
    expected = [f"{BASE}{file}/{row}" for file in range(FILES) for row in range(ENTRIES)]
    assert found == sorted(expected)
