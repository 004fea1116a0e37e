"""Fields that all feeds support."""

import re
from typing import Literal

FEED_FIELDS = (
    *("loc", "lastmod", "title", "description", "id", "published", "language", "authors"),
    *("categories", "enclosures", "extras"),
)
#: Fields from which missing ones are filled in; see `writing`.
USED_FIELDS = ("news", "videos")
HEAD_FIELDS = (
    *("title", "link", "description", "language", "authors", "self_link", "hubs", "updated"),
)
#: RSS: "a string that uniquely identifies the item"; Atom: the same,
#: https://www.rfc-editor.org/rfc/rfc4287#section-4.1.1
UNIQUE: tuple[Literal["loc", "id"], ...] = ("id",)
#: An author in RSS: an email address, and a name in parentheses.
ADDRESS_AND_NAME = re.compile(r"\S+@\S+\s+\((.+)\)")
