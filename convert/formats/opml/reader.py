"""
Reads lists of feeds in OPML 2.0 and 1.0: http://opml.org/spec2.opml

The document is an index whose entries are the feeds, at any depth of outlines, so that the feeds
are opened like the sitemaps of a sitemap index. An outline that includes another OPML file is an
entry as well. Groups, links to web pages and outlines that are comments are ignored.

A list is parsed as a whole: an outline may contain all others.
"""

from collections.abc import Iterator, Mapping

from sitemapx.convert.formats.format import Context, report_if_empty
from sitemapx.convert.model.batch import batched
from sitemapx.convert.model.document import Document
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.streams.encodings import utf8_chunks
from sitemapx.convert.streams.stream import Readable
from sitemapx.convert.values import relative, urls
from sitemapx.convert.xml.cutter import MAX_ATTRIBUTES, Block, has_long_tag
from sitemapx.convert.xml.elements import local_name
from sitemapx.convert.xml.frame import parse_as_html
from sitemapx.convert.xml.parsers import XmlElement, find_defect_line
from sitemapx.convert.xml.repair.markup import close_elements, fix_characters
from sitemapx.convert.xml.tags import find_root, why_rootless
from sitemapx.errors import InputError

#: Maximum size of a list in bytes: about 100,000 feeds.
_MAX_SIZE = 32 * 1024 * 1024
#: Types of outlines whose `url` is followed: other lists, and feeds written by some programs.
_LINKED = frozenset({"include", "rss", "rss1", "atom"})


def read_opml(stream: Readable, context: Context) -> Document:
    """Read a list of feeds; raise `InputError` if the stream is not OPML or exceeds a limit."""
    root = _parse(_read_all(stream, context), context)
    entries = _read_entries(root, context)
    batches = report_if_empty(batched(entries), context, "no outline has the URL of a feed")
    return Document(batches, is_index=True)


def _read_all(stream: Readable, context: Context) -> bytes:
    data = bytearray()
    for chunk in utf8_chunks(stream.read, context):
        data += chunk
        if len(data) > _MAX_SIZE:
            raise InputError(f"OPML is larger than {_MAX_SIZE // 1024 // 1024} MiB")
    return bytes(data)


def _parse(data: bytes, context: Context) -> XmlElement:
    """Parse the document; if it is not well-formed, repair it first and report the repairs."""
    tag = find_root(data, context)
    if tag is None:
        raise InputError(why_rootless(data))
    name = tag[1].decode("utf-8", "replace")
    if name.lower() != "opml":
        raise InputError(f"wrong root element <{name}>: expected <opml>")
    if has_long_tag(data):
        raise InputError(f"a tag has more than {MAX_ATTRIBUTES:,} attributes")
    line = 1 + data.count(b"\n", 0, tag.start())
    markup = data[tag.start() :]  # without declaration and DOCTYPE
    context.observer.on_part(Block(markup, line, is_last=True))
    padding = b"\n" * (line - 1)  # so that the parser counts the lines of the file
    root = parse_as_html(padding + markup)
    if root is None:
        markup = padding + fix_characters(markup, context, line)
        root = parse_as_html(markup)
    if root is None:
        return _recover(markup, tag[1], context)
    context.observer.on_tree(root)
    return root


def _recover(markup: bytes, name: bytes, context: Context) -> XmlElement:
    if b"</" + name not in markup:
        message, line = f"file ends before </{name.decode()}>", 1 + markup.count(b"\n")
        context.problem("truncated", message, line=line)
    else:
        message, done = "OPML is not well-formed", "; repaired as far as possible"
        context.problem("malformed", message, done=done, line=find_defect_line(markup))
    root = parse_as_html(close_elements(markup), recover=True)
    if root is None:
        raise InputError("OPML is not well-formed")
    return root


def _read_entries(root: XmlElement, context: Context) -> Iterator[Entry]:
    waiting = [root]
    while waiting:
        element = waiting.pop()
        attributes = {str(key).lower(): str(value) for key, value in element.items()}
        if attributes.get("iscomment") == "true":  # everything in it is a comment, too
            continue
        is_outline = local_name(element).lower() == "outline"
        if is_outline and (entry := _read_outline(attributes, element.sourceline, context)):
            yield entry
        waiting += reversed(element)


def _read_outline(
    attributes: Mapping[str, str], line: int | None, context: Context
) -> Entry | None:
    """Return an entry for the link of an outline, or None; an invalid link is reported."""
    kind = attributes.get("type", "").strip().lower()
    url = attributes.get("xmlurl")
    if url is None and kind in _LINKED:
        url = attributes.get("url", "")
    if url is None:
        return None
    title = attributes.get("title") or attributes.get("text") or None
    url = urls.clean(url)
    if not url:
        message = f"outline of type {kind!r} has no URL: {title!r}" if kind else "empty xmlUrl"
        context.problem("no-loc", message, done="; skipped", line=line)
        return None
    found = relative.resolve(url, context.url)
    if not found or not urls.is_absolute(found):
        code = "bad-loc" if found else "relative-listed-sitemap"
        done = "; skipped" + ("" if found else relative.remedy(url, context.url))
        context.problem(code, relative.describe(url), done=done, line=line)
        return None
    if found != url:
        context.note_form("relative-listed-sitemap", relative.describe(url), line=line)
    return Entry(
        loc=found,
        title=title,
        description=attributes.get("description") or None,
        language=attributes.get("language") or None,
    )
