"""The packages that are needed."""

from importlib import import_module

_FIRST = 4
_ADVICE = "pip install 'sitemapx[spark]' 'pyspark>=4.0'"


def require_spark() -> None:
    """
    Check that PySpark is there, is new enough, and has what data sources need.

    Raises:
        ImportError: If it is not; the message says how to install it.

    """
    for name in ("pyspark", "pyarrow", "fsspec"):
        try:
            found = import_module(name)
        except ImportError as error:
            raise ImportError(f"{name} is not installed: {_ADVICE}") from error
        if name == "pyspark" and int(found.__version__.partition(".")[0]) < _FIRST:
            message = f"sitemapx.spark requires PySpark 4.0 or later, not {found.__version__}"
            raise ImportError(f"{message}: {_ADVICE}")
