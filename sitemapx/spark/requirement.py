"""Checks that the packages required by `sitemapx.spark` are installed."""

from importlib import import_module

_ADVICE = "pip install 'sitemapx[spark]' 'pyspark>=4.0'"


def require_spark() -> None:
    """Raise ImportError with installation advice if PySpark 4, PyArrow or fsspec is missing."""
    for name in ("pyspark", "pyarrow", "fsspec"):
        try:
            module = import_module(name)
        except ImportError as error:
            raise ImportError(f"{name} is not installed: {_ADVICE}") from error
        if name == "pyspark" and int(module.__version__.partition(".")[0]) < 4:
            message = f"sitemapx.spark requires PySpark 4.0 or later, not {module.__version__}"
            raise ImportError(f"{message}: {_ADVICE}")
