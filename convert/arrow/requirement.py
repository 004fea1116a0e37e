"""The package that tables need."""

from sitemapx.errors import UsageError


def require_pyarrow() -> None:
    """
    Check that pyarrow can be imported.

    Raises:
        UsageError: If it is not installed; the message names the extra that brings it.

    """
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise UsageError("pyarrow is not installed: pip install 'sitemapx[arrow]'") from error
