"""What the official schema says of elements, apart from these."""

from typing import NamedTuple

from sitemapx.check.positions import Position
from sitemapx.check.schema.errors import Refusal
from sitemapx.check.schema.validator import STOPPED
from sitemapx.convert.model.problems import reported_loc
from sitemapx.convert.values import urls
from sitemapx.convert.xml.elements import local_name

__all__ = ["END_OF_VERDICTS", "SchemaVerdict"]


class SchemaVerdict(NamedTuple):
    """
    What the schema says of an element; see `Refusal`.

    Attributes:
        name: The name of the element.
        url: The URL that it holds, or that of its item.
        value: The refused value, if it is not the URL.
        loc: The URL of its item.
        position: Where it stands.
        is_fixable: Whether the fix for its code, if there is one, applies here.

    """

    code: str
    message: str
    is_sure: bool
    once: str | None
    namespace: str | None
    name: str
    url: str | None
    loc: str | None
    position: Position
    value: str = ""
    is_fixable: bool = True

    @classmethod
    def of(cls, refusal: Refusal, position: Position, *, is_fixable: bool) -> "SchemaVerdict":
        """Make it of a refused element."""
        element, loc = refusal.element, refusal.loc
        name = local_name(element)
        url = urls.clean(element.text or "") if name == "loc" else loc
        return cls(
            refusal.code,
            refusal.message,
            refusal.is_sure,
            refusal.once,
            refusal.namespace,
            name,
            reported_loc(url) or None,
            loc,
            position,
            "" if name == "loc" else element.get("hreflang") or element.text or "",
            is_fixable,
        )

    def may_be_reported_by(self, message: str) -> bool:
        """Return whether a message has a word of the refused value; always true for `<loc>`."""
        return self.name == "loc" or any(word in message for word in self.value.split())


#: Nothing more of a file is judged.
END_OF_VERDICTS = SchemaVerdict(
    code="partly-judged",
    message=STOPPED,
    is_sure=False,
    once=None,
    namespace=None,
    name="",
    url=None,
    loc=None,
    position=Position(),
)
