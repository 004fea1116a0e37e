"""
Reads bookmarks exported by browsers: Netscape's bookmark file, a kind of HTML.

An entry has the title, description (`DD`) and tags of a bookmark. Folders are ignored. URLs that
are not web pages, such as `javascript:`, are skipped with a problem; attributes other than `HREF`
and `TAGS` are dropped with a problem, as dates, for example, are not those of the page.
"""

from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

from sitemapx.convert.formats.format import Context, report_if_empty
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Document
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.streams.stream import MAX_LINE, Readable, line_blocks
from sitemapx.convert.values import relative, urls

_READ = frozenset({"href", "tags"})
#: Maximum length of a text in characters.
_LONGEST = 1 << 20
#: Elements that end a bookmark, and elements that contain its texts.
_ENDS = frozenset({"a", "dt", "dl", "h3"})
_TEXTS = {"a": "title", "dd": "description"}


def read_bookmarks(stream: Readable, context: Context) -> Document:
    return Document(report_if_empty(_batches(stream, context), context, "no bookmarks"))


def _batches(stream: Readable, context: Context) -> Iterator[Batch]:
    parser = _BookmarkParser(context)
    for block in line_blocks(stream, context):
        context.observer.on_part(block)
        if entries := parser.read_text("".join(f"{line}\n" for line in block.lines)):
            yield Batch(entries)
    if entries := parser.read_end():
        yield Batch(entries)


class _BookmarkParser(HTMLParser):
    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._entries: list[Entry] = []
        self._fields: dict[str, Any] = {}
        self._line = 0
        self._texts: list[str] = []
        self._size = 0
        self._reads = ""

    def read_text(self, text: str) -> list[Entry]:
        """Parse more HTML, and return the bookmarks that have been completed."""
        self.feed(text)
        if len(self.rawdata) > MAX_LINE:
            message = "tag or comment is not closed within 10 MiB"
            self._context.problem("malformed", message, done="; skipped", line=self.getpos()[0])
            self.updatepos(0, len(self.rawdata))
            self.rawdata = ""
        entries, self._entries = self._entries, []
        return entries

    def read_end(self) -> list[Entry]:
        if "<" in self.rawdata:  # `close` would search the rest once per `<`
            message = "last tag or comment is not closed"
            self._context.problem("truncated", message, done="; skipped", line=self.getpos()[0])
        else:
            self.close()
        self._finish_bookmark()
        return self._entries

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._keep_text()
        if tag in _ENDS:
            self._finish_bookmark()
        if tag == "a":
            self._begin_bookmark({name: value or "" for name, value in attrs})
        self._reads = _TEXTS.get(tag, "") if self._fields else ""

    def handle_endtag(self, tag: str) -> None:
        """End the current text, so that text after a link is not added to its title."""
        self._keep_text()
        self._reads = ""

    def handle_data(self, data: str) -> None:
        if self._reads and self._size < _LONGEST:
            self._texts.append(data)
            self._size += len(data)
            if self._size >= _LONGEST:
                message = f"{self._reads} is too long"
                self._context.problem("entry-too-large", message, done="; cut", line=self._line)

    def _keep_text(self) -> None:
        if text := " ".join("".join(self._texts).split()):
            self._fields[self._reads] = text
        self._texts.clear()
        self._size = 0

    def _begin_bookmark(self, attributes: dict[str, str]) -> None:
        self._line = self.getpos()[0]
        tags = (tag.strip() for tag in attributes.get("tags", "").split(","))
        self._fields = {"loc": attributes.get("href", ""), "categories": tuple(filter(None, tags))}
        for name in attributes:
            if name not in _READ:
                self._context.count_dropped(f"{name.upper()} of a bookmark", line=self._line)

    def _finish_bookmark(self) -> None:
        self._keep_text()
        fields, self._fields = self._fields, {}
        if not fields:
            return
        loc = relative.resolve(urls.clean(fields["loc"]), self._context.url) or fields["loc"]
        if urls.is_absolute(loc):
            self._entries.append(Entry(**{**fields, "loc": loc}))
        else:
            message = f"bookmark is not a web page: {loc[:80]!r}"
            self._context.problem("not-a-url", message, done="; skipped", line=self._line)
