"""The parsers of XML, none of which opens a file, asks a server or expands an entity."""

from lxml import etree

__all__ = ["RECOVERING", "STRICT"]


def _parser(*, recover: bool) -> etree.XMLParser:
    return etree.XMLParser(
        recover=recover,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
    )


STRICT = _parser(recover=False)
RECOVERING = _parser(recover=True)
