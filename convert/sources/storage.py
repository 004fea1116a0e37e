"""Access to cloud storage with fsspec."""

from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from sitemapx.convert.values.urls import without_password
from sitemapx.errors import InputError, UsageError
from sitemapx.suggestions import find_closest

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem


#: Schemes that are supported without other packages.
_OWN = ("http", "https", "file")
#: The extra of sitemapx that installs support for a scheme.
_EXTRAS = {"s3": "s3", "s3a": "s3", "gs": "gcs", "gcs": "gcs", "az": "azure", "abfs": "azure"}


def file_system(url: str) -> "tuple[AbstractFileSystem, str]":
    try:
        from fsspec.core import url_to_fs

        system, path = url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise UsageError(_why_unsupported(url.partition("://")[0])) from error
    return system, str(path)


def _why_unsupported(scheme: str) -> str:
    known = {*_OWN, *_EXTRAS}
    with suppress(ImportError):
        from fsspec.registry import known_implementations

        known |= known_implementations.keys()
    if scheme in known:
        extra = _EXTRAS.get(scheme)
        advice = f"pip install 'sitemapx[{extra}]'" if extra else "no extra of sitemapx supports it"
        return f"{scheme}:// is not supported by this installation: {advice}"
    meant = find_closest(scheme, _OWN) or find_closest(scheme, known)
    usual = ", ".join([*_OWN, *_EXTRAS])
    suggestion = f". Did you mean '{meant}:'?" if meant else f" (choose from {usual})"
    return f"unknown scheme '{scheme}:'{suggestion}"


def open_stored(url: str) -> BinaryIO:
    system, path = file_system(url)
    try:
        return cast(BinaryIO, system.open(path, "rb"))
    except Exception as error:  # storage packages raise any exception
        raise InputError(storage_message(error), url) from error


def storage_message(error: Exception) -> str:
    """Return a message for an fsspec error on one line, with masked passwords."""
    if isinstance(error, FileNotFoundError):
        return "not found"
    return without_password(" ".join(str(error).split())) or type(error).__name__


def is_local(system: "AbstractFileSystem") -> bool:
    return "file" in _protocols(system)


def headers(system: "AbstractFileSystem", media_type: str, *, is_packed: bool) -> dict[str, Any]:
    """Return arguments of `put_file` for media type and gzip; empty except for S3 and Google."""
    arguments: dict[str, Any] = {}
    if "s3" in _protocols(system):
        arguments["ContentType"] = media_type
        if is_packed:
            arguments["ContentEncoding"] = "gzip"
    elif "gs" in _protocols(system):
        arguments["content_type"] = media_type
        if is_packed:
            arguments["fixed_key_metadata"] = {"content_encoding": "gzip"}
    return arguments


def _protocols(system: "AbstractFileSystem") -> set[str]:
    protocol = system.protocol
    return {protocol} if isinstance(protocol, str) else set(protocol)
