"""Kinds of media: video, image, audio and so on."""

from mimetypes import guess_type

__all__ = ["FLASH", "media_kind", "media_type"]

#: Not a media file, but a player with the video in it; YouTube's feeds have no other address.
FLASH = "application/x-shockwave-flash"


def media_type(type_: str | None, url: str | None) -> str:
    """Return the media type that is given, or that of the ending of the URL."""
    return (type_ or "").strip().lower() or guess_type((url or "").partition("?")[0])[0] or ""


def media_kind(type_: str, medium: str | None, *, is_played: bool) -> str:
    """
    Return "video", "image", "audio" and so on; the empty string if nothing tells.

    Args:
        type_: The media type.
        medium: That of Media RSS, which counts more.
        is_played: Whether there is a duration or a player.

    """
    if type_ == FLASH:
        return "video"
    if medium := (medium or "").strip():
        return medium.lower()
    kind = type_.partition("/")[0]
    if kind in ("video", "image", "audio"):
        return kind
    return "video" if is_played else kind
