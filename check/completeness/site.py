"""Settings of the check against the built site."""

import os
from dataclasses import dataclass

from sitemapx.convert.sources.urlmap import folder_address
from sitemapx.errors import UsageError

__all__ = ["BuiltSite"]


@dataclass(frozen=True)
class BuiltSite:
    """
    A built site: the directory of its HTML pages and other files.

    Attributes:
        folder: Path of the directory.
        url: Public URL of the directory; None for the root of the host of the first sitemap whose
            URL is known, else of the first page.

    Raises:
        UsageError: If the directory does not exist, or `url` is the URL of a file.

    """

    folder: str
    url: str | None = None

    def __post_init__(self) -> None:
        """
        Check both.

        Raises:
            UsageError: If there is no such directory, or the URL is that of a file.

        """
        if not os.path.isdir(self.folder):
            raise UsageError(f"{self.folder} is not a directory")
        if self.url:
            folder_address(self.url)
