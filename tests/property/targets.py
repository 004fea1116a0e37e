"""
Properties of `check`, `check --fix`, the writers and the fast paths that hold for any bytes.

A target is a function that takes a document, and raises an exception if its property is violated.
"""

import io
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from lxml import etree

from sitemapx.check.checker import check
from sitemapx.check.edits import MARKUP
from sitemapx.check.findings import Finding
from sitemapx.check.fix.fixer import FixableFile, fix_file
from sitemapx.check.rules.registry import RULES
from sitemapx.check.schema.xsd import schema_of
from sitemapx.convert import Context, Document, Entry, Opener, Problem, Safeguards, read
from sitemapx.convert.conversion import write
from sitemapx.convert.formats.registry import by_name, detect
from sitemapx.convert.model.batch import batched
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.problems import PROBLEMS
from sitemapx.convert.outputs.target import target_of
from sitemapx.convert.streams.gzip import unpack
from sitemapx.convert.values import uris
from sitemapx.errors import InputError
from tests.convert.documents import Dribble
from tests.convert.formats.test_quick import only_full_reader
from tests.property.mutations import CORPUS, Seed

__all__ = ["TARGETS"]

URL = "https://e.example/sitemap.xml"
#: Output formats, each of which is read again.
WRITTEN = (
    *("sitemap", "sitemapindex", "text", "jsonl", "json", "csv", "tsv"),
    *("rss", "mrss", "atom", "jsonfeed"),
)
_XML = {"sitemap": "urlset", "sitemapindex": "sitemapindex", "rss": "", "mrss": "", "atom": ""}
#: A shorter URL is invalid by the official schema.
_SHORTEST = 12
_FEEDS = ("rss", "mrss", "atom")
#: Errors of https://www.w3.org/TR/xml-names/; the document is still well-formed.
_NAMESPACE_ERRORS = range(etree.ErrorTypes.NS_ERR_XML_NAMESPACE, etree.ErrorTypes.NS_ERR_COLON + 1)
_STRICT = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
#: Size of a block in bytes, so that small documents have several.
_BLOCK = 700


# ---- check


def checks(seed: Seed) -> None:
    """Require valid positions of findings, and an error for XML that is not well-formed."""
    findings = _findings(seed.data)
    if (form := _form(seed.data)) and form.roots and (error := _syntax_error(seed.data)):
        assert any(finding.severity == "error" for finding in findings), error
    assert {finding.code for finding in findings} <= RULES.keys()
    assert all(finding.message for finding in findings)
    assert all(finding.line is None or finding.line >= 1 for finding in findings)
    assert all(finding.column is None or finding.column >= 1 for finding in findings)


def _findings(source: bytes | Path, name: str | None = None) -> list[Finding]:
    findings: list[Finding] = []
    opener = Opener(format=name, url=URL, follows=False)
    stream = source if isinstance(source, Path) else io.BytesIO(source)
    check([stream], opener=opener, report=findings.append)
    return findings


# ---- check --fix


def fixes(seed: Seed) -> None:
    """Require that `--fix` adds no finding, loses only exact duplicates, and is idempotent."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "file")
        path.write_bytes(seed.data)
        before, entries = _findings(path), _entries(path)
        form = _form(seed.data)
        codes = frozenset(item.code for item in before)
        if form is None or not (file := FixableFile(str(path), form, URL, codes)).codes:
            return
        if not file.is_possible:
            return
        done = fix_file(file)
        fixed = path.read_bytes()
        if fixed == seed.data:
            return
        assert done.left or not done.why_not, done.why_not
        if form.roots:
            etree.fromstring(_unpacked(fixed), _STRICT)
        after = Counter(item.code for item in _findings(path))
        more = after - Counter(item.code for item in before)
        assert not more or codes & MARKUP, f"more than before: {dict(more)}"
        _assert_kept(entries, _entries(path))
        fix_file(file._replace(found=frozenset(after)))
        assert fixed == path.read_bytes(), "a second run changes more"


def _form(data: bytes) -> Any:
    try:
        return detect(unpack(io.BytesIO(data), Context())[0])
    except InputError:
        return None


def _syntax_error(data: bytes) -> str:
    try:
        etree.fromstring(_unpacked(data), _STRICT)
    except etree.XMLSyntaxError as error:
        is_of_namespaces = error.code in _NAMESPACE_ERRORS
        return "" if is_of_namespaces else str(error)
    return ""


def _unpacked(data: bytes) -> bytes:
    return unpack(io.BytesIO(data), Context())[1].read()


def _entries(path: Path) -> list[Entry]:
    entries: list[Entry] = []
    with suppress(InputError), read(path, source_url=URL) as document:
        entries.extend(document)
    return entries


def _assert_kept(before: list[Entry], after: list[Entry]) -> None:
    """Require that all URLs are kept in order; exact duplicates may be merged."""
    olds, news = ([_normalize(item.loc) for item in some] for some in (before, after))
    assert list(dict.fromkeys(olds)) == list(dict.fromkeys(news)), "other URLs than before"
    assert not Counter(news) - Counter(olds), "URLs more often than before"
    spellings = Counter(map(_normalize, {item.loc for item in before}))
    assert not spellings - Counter(news), "fewer spellings than before"


def _normalize(loc: str | None) -> str:
    return uris.normalize(uris.to_uri(loc or "") or loc or "")


# ---- every writer


def writes(seed: Seed) -> None:
    """Require that writers produce valid documents, written identically when read again."""
    head, entries, family = _read(seed)
    for name in WRITTEN:
        if name in ("csv", "tsv"):  # each row needs a URL or an ID
            entries = [entry for entry in entries if entry.loc or entry.id]
        written, reported = _written(entries, head, name, family)
        if written is None:
            continue
        if name in _XML:
            _assert_valid(written, _XML[name], entries)
        document = read(io.BytesIO(written), format=name)
        problems: list[Problem] = []
        again = read(io.BytesIO(written), format=name, report=problems.append)
        second = list(again)
        rewritten, _ = _written(second, document.head, name, document.family)
        if name in _FEEDS and any(entry.extras for entry in (*entries, *second)):
            continue  # a foreign element of one format may mean something in another
        is_feed = name in (*_FEEDS, "jsonfeed")
        if is_feed and any(entry.news and not entry.lastmod for entry in entries):
            continue  # readers take the date of publication for that of the change as well
        assert _contents(rewritten) == _contents(written), f"{name} differs when written again"
        reported += problems
        assert {problem.code for problem in reported} <= PROBLEMS.keys()


def _contents(written: bytes | None) -> bytes:
    """Remove namespace declarations from the root: the field that uses one may be dropped."""
    return re.sub(rb"<(urlset)[^>]*>", rb"<\1>", written or b"", count=1)


def _read(seed: Seed) -> tuple[Head, list[Entry], str]:
    entries: list[Entry] = []
    head, family = Head(), ""
    with suppress(InputError):
        document = read(io.BytesIO(seed.data), source_url=URL)
        head, family = document.head, document.family
        entries.extend(document)
    return head, [entry for entry in entries if entry != Entry()], family


def _written(
    entries: list[Entry], head: Head, name: str, family: str
) -> tuple[bytes | None, list[Problem]]:
    problems: list[Problem] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "out")
        document = Document(batched(entries), head=head, family=family)
        target = target_of(str(path), format=name)
        defaults = Head(title="T", link="https://e.example/", description="D", id="urn:a")
        filled = _fill(head, defaults)
        safeguards = Safeguards(partial=True)
        write(document, target, head=filled, safeguards=safeguards, report=problems.append)
        return (path.read_bytes() if path.exists() else None), problems


def _fill(head: Head, defaults: Head) -> Head:
    """Return the head, with missing fields that feeds require taken from `defaults`."""
    names = ("title", "link", "description", "id")
    return Head(**{name: getattr(head, name) or getattr(defaults, name) for name in names})


def _assert_valid(written: bytes, root: str, entries: list[Entry]) -> None:
    tree = etree.fromstring(written, _STRICT)
    if not root or any(entry.extras for entry in entries) or not len(tree):
        return  # foreign elements have no schema
    if any(len(element.text or "") < _SHORTEST for element in tree.iter("{*}loc")):
        return  # the official schema rejects http://t.co, which is a URL
    schemas = [schema_of(root), *_official(root)]
    for schema in schemas:
        assert schema.validate(tree), str(schema.error_log)


_OFFICIAL: dict[str, list[etree.XMLSchema]] = {}


def _official(root: str) -> list[etree.XMLSchema]:
    """Load the official schema of a root element; return an empty list if it is not available."""
    if root not in _OFFICIAL:
        name = "all-local.xsd" if root == "urlset" else "siteindex.xsd"
        path = CORPUS.parent / "schemas" / name
        _OFFICIAL[root] = [etree.XMLSchema(etree.parse(path))] if path.exists() else []
    return _OFFICIAL[root]


# ---- the quick readers


def paths(seed: Seed) -> None:
    """Require that quick and full reader agree, and that `check` reports the same with both."""
    form = _form(seed.data)
    if form is None or form.name not in ("sitemap", "sitemapindex"):
        return
    data = _unpacked(seed.data)
    fast = _outcome(data, form.name)
    quick = [(item.code, item.line, item.loc) for item in _findings(data, form.name)]
    with only_full_reader():
        slow = _outcome(data, form.name)
        full = [(item.code, item.line, item.loc) for item in _findings(data, form.name)]
    assert fast == slow, _difference(fast, slow)
    assert quick == full, _difference([quick], [full])


def _outcome(data: bytes, name: str) -> list[Any]:
    problems: list[Problem] = []
    entries: list[Any] = []
    context = Context(problems.append)
    error = None
    try:
        for batch in by_name(name).reader()(Dribble(data, _BLOCK), context).batches:
            entries += batch.entries
    except InputError as raised:
        error = str(raised)
    return [entries, [(problem.code, problem.line) for problem in problems], error]


def _difference(fast: list[Any], slow: list[Any]) -> str:
    pairs = zip(fast, slow, strict=True)
    return "; ".join(f"{a!r:.400} | {b!r:.400}" for a, b in pairs if a != b)


TARGETS: dict[str, Callable[[Seed], None]] = {
    "check": checks,
    "fix_file": fixes,
    "write": writes,
    "paths": paths,
}

os.environ.setdefault("SOURCE_DATE_EPOCH", "1790000000")
