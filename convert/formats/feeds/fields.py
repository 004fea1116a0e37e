"""Fields that all feeds hold."""

import re
from typing import Literal

#: Fields of an entry.
FEED_FIELDS = (
    *("loc", "lastmod", "title", "description", "id", "published", "language", "authors"),
    *("categories", "enclosures", "extras"),
)
#: Fields from which a feed takes what an entry lacks; see `writing`.
USED_FIELDS = ("news", "videos")
#: Fields of the head.
HEAD_FIELDS = (
    *("title", "link", "description", "language", "authors", "self_link", "hubs", "updated"),
)
#: RSS: "a string that uniquely identifies the item"; Atom: entries with the same id are the same,
#: https://www.rfc-editor.org/rfc/rfc4287#section-4.1.1
UNIQUE: tuple[Literal["loc", "id"], ...] = ("id",)
#: An author in RSS: an email address, and a name in parentheses.
ADDRESS_AND_NAME = re.compile(r"\S+@\S+\s+\((.+)\)")
