"""Sources in cloud storage, through fsspec."""

from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO, cast

from sitemapx.errors import InputError, UsageError
from sitemapx.suggestions import closest

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

__all__ = ["file_system", "open_stored", "storage_message"]

#: The schemes that need no other package.
_OWN = ("http", "https", "file")
#: The packages that bring a protocol, by the extra of the same family.
_EXTRAS = {"s3": "s3", "s3a": "s3", "gs": "gcs", "gcs": "gcs", "az": "azure", "abfs": "azure"}


def file_system(url: str) -> "tuple[AbstractFileSystem, str]":
    """
    Find the file system of a URL, and the path there.

    Raises:
        UsageError: If no installed package knows it.

    """
    try:
        from fsspec.core import url_to_fs

        system, path = url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise UsageError(_why_unsupported(url.partition("://")[0])) from error
    return system, str(path)


def _why_unsupported(scheme: str) -> str:
    """Return why URLs of a scheme cannot be opened, and what can be done about it."""
    known = {*_OWN, *_EXTRAS}
    with suppress(ImportError):
        from fsspec.registry import known_implementations

        known |= known_implementations.keys()
    if scheme in known:
        extra = _EXTRAS.get(scheme)
        advice = f"pip install 'sitemapx[{extra}]'" if extra else "no extra of sitemapx supports it"
        return f"{scheme}:// is not supported by this installation: {advice}"
    meant = closest(scheme, _OWN) or closest(scheme, known)
    usual = ", ".join([*_OWN, *_EXTRAS])
    asked = f". Did you mean '{meant}:'?" if meant else f" (choose from {usual})"
    return f"unknown scheme '{scheme}:'{asked}"


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
