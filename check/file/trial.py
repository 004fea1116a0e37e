"""Tries the fixes of a file without writing it, to find out what `check --fix` would change."""

from collections.abc import Collection
from contextlib import closing
from functools import cached_property
from itertools import chain

from sitemapx.check.contents import Repeats, fixed_pieces
from sitemapx.check.edits import MARKUP, escaped
from sitemapx.check.file.wellformedness import defect_in, defect_of
from sitemapx.convert.formats.format import Format
from sitemapx.convert.formats.registry import detect
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.sources import opening
from sitemapx.convert.streams import gzip as gzip_
from sitemapx.errors import InputError

_START = 1 << 16


class FixTrial:
    """Tries the fixes of a file for some codes, on demand; can be pickled."""

    def __init__(self, path: str, format: Format, url: str | None, codes: Collection[str]) -> None:
        self.path, self.format, self.url, self.codes = path, format, url, codes
        self._repeats: Repeats | None = None

    def __getstate__(self) -> dict[str, object]:
        return {**vars(self), "_repeats": None}  # created again on demand

    @cached_property
    def is_possible(self) -> bool:
        """Whether the fixed file is readable to its end, and well-formed XML or still a list."""
        codes = MARKUP.intersection(self.codes)
        pieces = fixed_pieces(self.path, self.format, self.url, codes, with_values=False)
        try:
            first = next(pieces, b"")
            if self.format.roots:
                return self._is_sound() or not defect_of(chain([first], pieces))
            for _ in pieces:
                pass
            return self._is_still_list()
        except InputError:
            return False
        finally:
            pieces.close()

    def _is_still_list(self) -> bool:
        """Return whether the fixed list is still detected as a list, not as CSV for example."""
        start = b""
        with closing(fixed_pieces(self.path, self.format, self.url, self.codes)) as pieces:
            for piece in pieces:
                start += piece
                if len(start) >= _START:
                    break
        return detect(start).name == self.format.name

    def _is_sound(self) -> bool:
        """Return whether the document is well-formed without any fix, and has no DOCTYPE."""
        with opening.open_source(self.path) as opened:
            _, stream = gzip_.unpack(opened, Reporter())
            has_doctype = b"<!doctype" in stream.read(_START).lower()
        return not has_doctype and not defect_in(self.path)

    def escapes(self, url: str) -> bool:
        """Return whether the fix escapes a URL; it does not if the file lists the escaped URL."""
        uri = self.is_possible and escaped(url, self.codes)
        if uri and self._repeats is None:
            self._repeats = Repeats.in_file(self.path, self.url, self.codes)
        return bool(uri and self._repeats and self._repeats.allows(url, uri))

    def close(self) -> None:
        if self._repeats:
            self._repeats.close()
