"""A format of another package: `!` and a URL on each line."""

from collections.abc import Collection

from sitemapx.convert import Batch, Context, Document, Entry, Format, Head, Readable, Reader, Writer


def read_shout(stream: Readable, context: Context) -> Document:
    """Read lines that begin with an exclamation mark."""
    lines = stream.read().decode().splitlines()
    return Document.of(Entry(loc=line[1:]) for line in lines if line.startswith("!"))


class ShoutWriter:
    """Write lines that begin with an exclamation mark."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        """Write nothing."""
        return b""

    def encode(self, batch: Batch) -> list[bytes]:
        """Write a line for each entry."""
        return [f"!{entry.loc}\n".encode() for entry in batch.entries]

    def finish(self) -> bytes:
        """Write nothing."""
        return b""


def _is_shout(start: str) -> bool:
    return start.startswith("!")


reader: Reader = read_shout
writer: Writer = ShoutWriter(Context())
FORMAT = Format(
    "shout", "Shouted URLs", read_shout, ShoutWriter, (".shout",), sniff=_is_shout, holds=("loc",)
)
