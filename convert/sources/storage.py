"""Sources in cloud storage, through fsspec."""

from typing import TYPE_CHECKING, BinaryIO, cast

from sitemapx.errors import InputError, UsageError

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

__all__ = ["file_system", "open_stored", "storage_message"]
#: The packages that bring a protocol, by the extra of the same family.
_EXTRAS = {"s3": "s3", "s3a": "s3", "gs": "gcs", "gcs": "gcs", "az": "azure", "abfs": "azure"}


def file_system(url: str) -> "tuple[AbstractFileSystem, str]":
    """
    Find the file system of a URL, and the path there.

    Raises:
        UsageError: If no installed package knows it.

    """
    scheme = url.partition("://")[0]
    try:
        from fsspec.core import url_to_fs

        system, path = url_to_fs(url)
    except (ImportError, ValueError) as error:
        extra = _EXTRAS.get(scheme)
        advice = f"pip install 'sitemapx[{extra}]'" if extra else "no extra of sitemapx supports it"
        raise UsageError(f"{scheme}:// is not supported by this installation: {advice}") from error
    return system, str(path)


def open_stored(url: str) -> BinaryIO:
    """
    Open what is stored at a URL.

    Raises:
        InputError: If it cannot be opened; what fails later is an OSError.
        UsageError: If no installed package knows such URLs.

    """
    system, path = file_system(url)
    try:
        return cast(BinaryIO, system.open(path, "rb"))
    except Exception as error:  # whatever the package raises
        raise InputError(storage_message(error), url) from error


def storage_message(error: Exception) -> str:
    """Put an error of a file system into words."""
    if isinstance(error, FileNotFoundError):
        return "not found"
    return " ".join(str(error).split()) or type(error).__name__
