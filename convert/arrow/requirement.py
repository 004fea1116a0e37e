"""Check that pyarrow is installed."""

from sitemapx.errors import UsageError


def require_pyarrow() -> None:
    """Raise UsageError with the extra to install if pyarrow is missing."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise UsageError("pyarrow is not installed: pip install 'sitemapx[arrow]'") from error
