"""Raise `UsageError` if pyarrow is not installed."""

from sitemapx.errors import UsageError


def require_pyarrow() -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise UsageError("pyarrow is not installed: pip install 'sitemapx[arrow]'") from error
