"""Workers and drivers without the packages they need."""

import importlib.metadata
import os
import subprocess
import sys
from pathlib import Path

import pyspark
from pyspark import cloudpickle

from sitemapx.spark.listing import SourceFile
from sitemapx.spark.options import ReaderOptions
from sitemapx.spark.source import FilesPartition, SitemapReader
from tests.conftest import ROOT


def _run_python(code: str, packages: Path, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run code with only the packages in a directory."""
    return subprocess.run(
        [sys.executable, "-S", "-c", code],
        env={**os.environ, "PYTHONPATH": str(packages)},
        input=data,
        cwd=packages,
        capture_output=True,
    )


def test_pickled_reader_is_complete() -> None:
    partition = FilesPartition([SourceFile("a.xml", size=3)])
    reader = SitemapReader(ReaderOptions(("a.xml",), include=("/blog/*",), since="7d"))

    again = cloudpickle.loads(cloudpickle.dumps((partition, reader)))  # type: ignore[no-untyped-call]

    assert again[0].files == partition.files
    assert vars(again[1]).keys() == vars(reader).keys()


def test_worker_without_package_is_reported(tmp_path: Path) -> None:
    installed = Path(pyspark.__file__).parent.parent
    for name in ("pyspark", "py4j"):  # which only Apache Spark needs
        (tmp_path / name).symlink_to(installed / name)
    pickled = cloudpickle.dumps(FilesPartition([]))  # type: ignore[no-untyped-call]

    done = _run_python("import pickle, sys; pickle.load(sys.stdin.buffer)", tmp_path, pickled)

    *_, last = done.stderr.decode().splitlines()
    assert last.startswith(
        "ModuleNotFoundError: sitemapx is not installed on this Spark worker: "
        "pip install 'sitemapx[spark]' there, or ship an environment with it: https://"
    )


def test_older_spark_is_reported(tmp_path: Path) -> None:
    (tmp_path / "pyspark").mkdir()
    (tmp_path / "pyspark" / "__init__.py").write_text('__version__ = "3.5.6"')
    (tmp_path / "sitemapx").symlink_to(ROOT / "sitemapx")

    done = _run_python("import sitemapx.spark", tmp_path)

    *_, last = done.stderr.decode().splitlines()
    expected = (
        "sitemapx.spark requires PySpark 4.0 or later, not 3.5.6: pip install 'sitemapx[spark]'"
    )
    assert last.startswith(f"ImportError: {expected}")


def test_missing_spark_is_reported(tmp_path: Path) -> None:
    (tmp_path / "sitemapx").symlink_to(ROOT / "sitemapx")

    done = _run_python("import sitemapx.spark", tmp_path)

    *_, last = done.stderr.decode().splitlines()
    assert last == (
        "ImportError: pyspark is not installed: pip install 'sitemapx[spark]' 'pyspark>=4.0'"
    )
    required = importlib.metadata.requires("sitemapx") or []
    assert not [name for name in required if name.startswith("pyspark") and "test" not in name]
