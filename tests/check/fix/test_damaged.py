"""`--fix` improves damaged files or leaves them unchanged."""

import gzip
from collections import Counter
from pathlib import Path

import pytest
from lxml import etree

from sitemapx.check.checker import check
from sitemapx.check.edits import MARKUP
from sitemapx.check.fix.fixer import FixableFile, fix_file
from sitemapx.convert import Opener, read
from sitemapx.convert.formats.format import Format
from sitemapx.convert.values import uris

_URL = "https://e.example/sitemap.xml"
_DAMAGED = sorted((Path(__file__).parent / "damaged").iterdir())
assert _DAMAGED


def _check(path: Path) -> tuple[Counter[str], Format | None]:
    codes: Counter[str] = Counter()
    checked = check(
        [path],
        opener=Opener(url=_URL, follows=False),
        report=lambda one: codes.update({one.code: one.times}),
    )
    return codes, checked.sources.get(str(path), (None, None))[0]


def _locs(path: Path) -> list[str]:
    return [uris.to_uri(one.loc or "") or one.loc or "" for one in read(path, source_url=_URL)]


def _fix(path: Path) -> tuple[bytes, bool]:
    """Fix a file; return its contents, and whether the fix may have changed them."""
    codes, form = _check(path)
    if form is None:
        return path.read_bytes(), False
    result = fix_file(FixableFile(str(path), form, _URL, frozenset(codes)))
    return path.read_bytes(), result.left is not None


@pytest.mark.parametrize("damaged", _DAMAGED, ids=lambda path: path.name)
def test_fix_makes_nothing_worse(damaged: Path, tmp_path: Path) -> None:
    path = tmp_path / damaged.name
    data = damaged.read_bytes()
    path.write_bytes(data)
    (codes, _), locs = _check(path), _locs(path)
    new, is_done = _fix(path)
    if not is_done or new == data:
        assert new == data
        return
    assert not _check(path)[0] - codes or codes.keys() & MARKUP
    assert dict.fromkeys(locs) == dict.fromkeys(_locs(path))
    if path.suffix == ".xml":
        raw = gzip.decompress(new) if path.stem == "gz" else new
        etree.fromstring(raw, etree.XMLParser(resolve_entities=False, no_network=True))
    assert new == _fix(path)[0]
