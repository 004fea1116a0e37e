"""
XML-RPC pings of blogs: https://www.xmlrpc.com/weblogsCom, with the extendedPing of others.

Few services are left, and which of them do something with a ping is not known.
"""

from typing import ClassVar
from xml.etree.ElementTree import Element

from sitemapx.submit.engines.engine import About, Batch, Kind, Setup
from sitemapx.submit.engines.exchange import Answer, Reply, Request, Steps, unreadable, verdict

__all__ = ["XmlRpc"]

#: Historic limits of the services.
_LONGEST_NAME = 1024
_LONGEST_URL = 255
_XML = {"Content-Type": "text/xml"}
_THANKS = (
    "<methodResponse><params><param><value><struct><member><name>flerror</name><value>"
    "<boolean>0</boolean></value></member></struct></value></param></params></methodResponse>"
)


class XmlRpc:
    """Pings a service."""

    about: ClassVar[About] = About(
        name="xmlrpc",
        title="XML-RPC ping (Ping-O-Matic and others), for feeds",
        status="opt-in",
        takes={"feeds": 1},
        endpoint="https://rpc.pingomatic.com",
        options={"name": "the name of the site, if not the title of the feed"},
        limits="5 minutes between pings",
        note="Few services still answer, and search engines do not listen.",
    )

    def __init__(self, setup: Setup) -> None:
        self._endpoint = setup.base(self.about) + ("" if setup.endpoints else "/")
        self._name = setup.options.get("name", "")

    def open(self, kind: Kind, host: str, site: str) -> Steps[int | None]:
        """Ask nothing."""
        yield from ()
        return None

    def send(self, batch: Batch) -> Steps[Answer]:
        """Ping."""
        from xmlrpc.client import dumps

        (item,) = batch.items
        head = item.head
        name = (self._name or (head and head.title) or batch.host)[:_LONGEST_NAME]
        home = (head and head.link) or f"{batch.site}/"
        if max(len(home), len(item.url)) > _LONGEST_URL:
            return Answer("refused", None, f"an address of more than {_LONGEST_URL} characters")
        body = dumps((name, home, home, item.url), "weblogUpdates.extendedPing", encoding="utf-8")
        reply = yield Request("POST", self._endpoint, _XML, body, Reply(200, text=_THANKS))
        return _judge(reply)


def _judge(reply: Reply) -> Answer:
    """Judge by `flerror`; a fault has none, but a message of its own."""
    if not reply.is_ok:
        return verdict(reply)
    members = _members(reply.text) if not reply.error else {}
    said = members.get("message") or members.get("faultString") or ""
    if members.get("flerror", "").strip() in ("0", "false"):
        return Answer("accepted", reply.status, said)
    if not members:
        return unreadable(reply)
    return Answer("refused", reply.status, said or "the service says that there was an error")


def _members(text: str) -> dict[str, str]:
    """Read the members of the one struct of an answer; none if it is no XML, or has a DTD."""
    from xml.etree.ElementTree import ParseError, fromstring

    if "<!DOCTYPE" in text.upper():
        return {}
    try:
        # Without a DTD there are no entities that could grow.
        root: Element = fromstring(text.strip())  # noqa: S314
    except ParseError:
        return {}
    return {
        (member.findtext("name") or "").strip(): "".join(value.itertext()).strip()
        for member in root.iter("member")
        if (value := member.find("value")) is not None
    }
