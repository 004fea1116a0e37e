"""
Sessions of Spark for tests.

    pytest tests/extras/spark                                   # on Sail, which needs no Java
    SITEMAPX_SPARK_MASTER='local[2]' pytest tests/extras/spark  # on Apache Spark

With `local-cluster[2,1,1024]` as the master there are workers to kill.
"""

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["MASTER", "session"]

#: The master of Apache Spark; empty for Sail.
MASTER = os.environ.get("SITEMAPX_SPARK_MASTER", "")


@contextmanager
def session() -> "Iterator[SparkSession]":
    """Start the engine with the data sources registered, and stop it at the end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the engines, about versions of pandas
        with _apache() if MASTER else _sail() as spark:
            from sitemapx.spark import SitemapDataSource, SitemapProblemsDataSource

            spark.dataSource.register(SitemapDataSource)
            spark.dataSource.register(SitemapProblemsDataSource)
            yield spark


@contextmanager
def _sail() -> "Iterator[SparkSession]":
    os.environ.setdefault("RUST_LOG", "error")
    # Else a later test in this process that forks where few files may be open ends in an abort.
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
    from pysail.spark import SparkConnectServer
    from pyspark.sql import SparkSession

    server = SparkConnectServer("127.0.0.1", 0)
    server.start()
    address = server.listening_address
    assert address
    with pytest.MonkeyPatch.context() as patch:
        # PySpark takes a main module without a file, as in processes of xdist, for its own tests.
        patch.setattr(sys.modules["__main__"], "__file__", __file__, raising=False)
        spark = SparkSession.builder.remote(f"sc://{address[0]}:{address[1]}").getOrCreate()
    try:
        yield spark
    finally:
        spark.stop()
        server.stop()


@contextmanager
def _apache() -> "Iterator[SparkSession]":
    import pyspark
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_HOME", os.path.dirname(pyspark.__file__))
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    settings = {"spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1"}
    builder = SparkSession.builder.master(MASTER)
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    try:
        yield spark
    finally:
        spark.stop()
