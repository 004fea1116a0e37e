"""The text of a block without comments and CDATA sections, which may stand anywhere in XML."""

import re

from sitemapx.convert.xml.plain import BLANKS, decoded, has_odd_text

__all__ = ["GONE", "bare", "cleaned"]

#: Stands where a comment was, and around the text of a CDATA section; no document has it.
GONE = "\x01"
_COMMENT_OR_CDATA = re.compile(
    r"<!(?:--(?:[^-]++|-(?!-))*+-->|\[CDATA\[((?:[^\]]++|\](?!\]>))*+)\]\]>)"
)


def cleaned(data: bytes) -> str | None:
    """
    Decode a block, and take comments and CDATA sections out of it.

    Returns:
        The text, in which only `GONE` is not from the block, and only elements and instructions
        begin with `<`. None if it has characters, references or markup that take a parser.

    """
    text = decoded(data)
    if text is None:
        return None
    text = _with_line_feeds(text)
    if "!" in text:
        text = _without_cdata(text) or _without_sections(text)
    return None if text is None or has_odd_text(text) else text


def bare(data: bytes, marks: str) -> str | None:
    """
    Decode a block for patterns that match only what needs no cleaning.

    Returns:
        None if it has `GONE`, a mark, or one of the characters beyond controls that XML forbids.

    """
    try:
        text = data.decode().lstrip(BLANKS)
    except UnicodeDecodeError:
        return None
    is_odd = any(character in text for character in (GONE, *marks, "\ufffe", "\uffff"))
    return None if is_odd else _with_line_feeds(text)


def _with_line_feeds(text: str) -> str:
    """Let lines end as a parser does: https://www.w3.org/TR/xml/#sec-line-ends"""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _without_cdata(text: str) -> str | None:
    """Take all CDATA sections out at once; None if anything else begins with `<!`."""
    if any(part.startswith("--") for part in text.split("!")):
        return None
    start, *parts = text.split("<![CDATA[")
    if text.count("<!") != len(parts) or "\0" in text:
        return None
    sections = [part.partition("]]>") for part in parts]
    if not all(end for _, end, _ in sections):
        return None
    together = _escaped("\0".join([content for content, _, _ in sections]))
    contents = together.split("\0") if parts else []
    rests = [rest for _, _, rest in sections]
    pairs = zip(contents, rests, strict=True)
    return "".join([start, *[f"{GONE}{content}{GONE}{rest}" for content, rest in pairs]])


def _without_sections(text: str) -> str | None:
    """Take comments and CDATA sections out; None if there is anything else of that kind."""
    if "\0" in text:
        return None
    first, *parts = _COMMENT_OR_CDATA.split(text)
    rests = [first, *parts[1::2]]
    if any("!" in rest and "<!" in rest for rest in rests):  # the rarer one is found soon
        return None
    contents = _escaped("\0".join([content or "" for content in parts[::2]])).split("\0")
    pairs = zip(contents, rests[1:], strict=False)
    return "".join([first, *[f"{GONE}{content}{GONE}{rest}" for content, rest in pairs]])


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
