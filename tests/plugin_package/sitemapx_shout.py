"""A format with `!` before the URL on each line, and a search engine for such URLs."""

from collections.abc import Iterator
from typing import ClassVar

from sitemapx.convert import (
    Batch,
    Context,
    Document,
    Encoded,
    Entry,
    Format,
    Readable,
    Reporter,
    Writer,
)
from sitemapx.submit import (
    Answer,
    EngineInfo,
    ItemKind,
    Setup,
    Steps,
    SubmissionBatch,
    json_request,
    verdict,
)


def read_shout(stream: Readable, context: Context) -> Document:
    return Document.from_entries(_entries(stream, context))


def _entries(stream: Readable, context: Context) -> Iterator[Entry]:
    for number, line in enumerate(_lines(stream), 1):
        text = line.decode("utf-8", "replace").strip()
        if text.startswith("!"):
            yield Entry(loc=text[1:])
        elif text:
            context.problem("not-a-url", "line without '!'", done="; skipped", line=number)


def _lines(stream: Readable) -> Iterator[bytes]:
    rest = b""
    while data := stream.read(1 << 16):
        *lines, rest = (rest + data).split(b"\n")
        yield from lines
    yield rest


class ShoutWriter(Writer):
    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter  # for what cannot be written

    def encode(self, batch: Batch) -> Encoded:
        return Encoded.from_chunks([f"!{entry.loc}\n".encode() for entry in batch.entries])


def _is_shout(start: str) -> bool:
    return start.startswith("!")


FORMAT = Format(
    "shout", "Shouted URLs", read_shout, ShoutWriter, (".shout",), sniff=_is_shout, holds=("loc",)
)


class Shout:
    about: ClassVar[EngineInfo] = EngineInfo(
        name="shout",
        title="A service that is shouted at",
        takes={"urls": 100},
        endpoint="https://shout.example/api",
        secrets=("SHOUT_TOKEN",),
    )

    def __init__(self, setup: Setup) -> None:
        self._base = setup.base(self.about)
        self._headers = {"Authorization": f"Bearer {setup.secrets['SHOUT_TOKEN']}"}

    def open(self, kind: ItemKind, host: str, site: str) -> Steps[int | None]:
        yield from ()  # no request before the first batch
        return None  # no limit of the number of URLs

    def send(self, batch: SubmissionBatch) -> Steps[Answer]:
        content = {"urls": batch.urls}
        return verdict((yield json_request("POST", self._base, content, headers=self._headers)))
