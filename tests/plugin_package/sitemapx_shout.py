"""An example plugin: a format with `!` and a URL on each line, and a search engine."""

from collections.abc import Collection
from typing import ClassVar

from sitemapx.convert import (
    Batch,
    Context,
    Document,
    Encoded,
    Entry,
    Format,
    Head,
    Readable,
    Reader,
    Reporter,
    Writer,
)
from sitemapx.submit.engines.engine import (
    Engine,
    EngineInfo,
    ItemKind,
    Setup,
    SubmissionBatch,
)
from sitemapx.submit.engines.exchange import Answer, Steps, json_request, verdict


def read_shout(stream: Readable, context: Context) -> Document:
    lines = stream.read().decode().splitlines()
    return Document.from_entries(Entry(loc=line[1:]) for line in lines if line.startswith("!"))


class ShoutWriter(Writer):
    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        return b""

    def encode(self, batch: Batch) -> Encoded:
        return Encoded.from_chunks([f"!{entry.loc}\n".encode() for entry in batch.entries])

    def finish(self) -> bytes:
        return b""


def _is_shout(start: str) -> bool:
    return start.startswith("!")


reader: Reader = read_shout
writer: Writer = ShoutWriter(Reporter())
FORMAT = Format(
    "shout", "Shouted URLs", read_shout, ShoutWriter, (".shout",), sniff=_is_shout, holds=("loc",)
)


class Shout:
    """A search engine provided by another package."""

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
        yield from ()
        return None

    def send(self, batch: SubmissionBatch) -> Steps[Answer]:
        content = {"urls": batch.urls}
        return verdict((yield json_request("POST", self._base, content, headers=self._headers)))


engine: type[Engine] = Shout
