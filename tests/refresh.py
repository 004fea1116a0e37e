"""
Refreshes tables that are copied from registries and documentation, and checks their age.

`python -m tests.refresh` fetches the sources of all tables, or of those that are named, and writes
the tables with the date. Nothing is written unless all sources can be read. `--check` needs no
network: it fails if a table is older than 180 days, as the release workflow does.
"""

import argparse
import ast
import csv
import json
import re
import sys
import textwrap
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from http.client import HTTPException
from pathlib import Path
from urllib.request import Request, urlopen

ROOT = Path(__file__).parent.parent
MAX_AGE = timedelta(days=180)
_TIMEOUT = 30
_INDENT = "    "
_HEADERS = {"User-Agent": "sitemapx/refresh (https://github.com/sitemapx/sitemapx)"}
#: The date of a table, in a comment above it.
_AS_OF = re.compile(r"(?<=\bas of )\d{4}-\d\d-\d\d")
#: The month in which documentation was read, in the table of crawlers.
_MONTH = re.compile(r'(?<=")20\d\d-\d\d(?=")')

Fetch = Callable[[str], str]


class SourceError(Exception):
    """A source cannot be read, or no longer contains what is expected."""


@dataclass(frozen=True)
class Table:
    """
    A table of the product.

    Attributes:
        name: Name of the table on the command line.
        path: The module that contains the table.
        refresh: Returns the module with new contents, but the old date; None if the table has to be
            compared by hand with the documentation that the module names.

    """

    name: str
    path: str
    refresh: Callable[[str, Fetch], str] | None

    def dates(self, text: str) -> list[date]:
        """Return the dates in the module; a month counts from its first day."""
        found = _AS_OF.findall(text) or [f"{month}-01" for month in _MONTH.findall(text)]
        if not found:
            raise SourceError(f"{self.path} has no date")
        return [date.fromisoformat(one) for one in found]

    def refreshed(self, text: str, fetch: Fetch, today: date) -> str:
        """Return the module as of today."""
        assert self.refresh is not None
        text = self.refresh(text, fetch)
        return _MONTH.sub(f"{today:%Y-%m}", _AS_OF.sub(today.isoformat(), text))


def _top_level_domains(text: str, fetch: Fetch) -> str:
    url = "https://data.iana.org/TLD/tlds-alpha-by-domain.txt"
    names = [line.lower() for line in fetch(url).splitlines() if not line.startswith("#")]
    invalid = [name for name in names if not re.fullmatch(r"[a-z][a-z0-9-]*", name)]
    _expect(url, not invalid and len(names) > 1000, "is not the list of top-level domains")
    lines = textwrap.wrap(" ".join(sorted(names)), 96, break_on_hyphens=False)
    start = '_TOP_LEVEL_DOMAINS = frozenset(\n    """\n'
    return _replace(text, start, "\n".join(lines), '\n""".split')


def _special_networks(text: str, fetch: Fetch) -> str:
    embedding = set(re.findall(r'IPv6Network\("(.*?)"\)', text))
    lines = []
    for version in ("ipv4", "ipv6"):
        registry = f"iana-{version}-special-registry"
        url = f"https://www.iana.org/assignments/{registry}/{registry}-1.csv"
        rows = list(csv.DictReader(fetch(url).splitlines(keepends=True)))
        _expect(url, len(rows) > 20 and "Globally Reachable" in rows[0], f"is not {registry}")
        for row in rows:
            # "False [1]" has a footnote; terminated blocks have no value.
            is_reachable = row["Globally Reachable"].startswith("True")
            rfc = re.search(r"RFC(\d+)", row["RFC"])
            name = " ".join(row["Name"].replace('"', "").split())
            note = f"{name}, RFC {rfc[1] if rfc else 'unknown'}"
            for block in re.findall(r"[0-9a-f:.]+/\d+", row["Address Block"]):
                if block not in embedding:
                    lines.append(f'{_INDENT}"{block}": {is_reachable},  # {note}')
    return _replace(text, "_REGISTERED = {\n", "\n".join(lines), "\n}\n")


def _crawlers(text: str, fetch: Fetch) -> str:
    """Check that the documentation of each crawler still names it."""
    missing = [
        f"{source} does not name {token}"
        for token, source in _documented(text)
        if not re.search(rf"\b{re.escape(token)}\b", fetch(source), re.IGNORECASE)
    ]
    if missing:
        raise SourceError("; ".join([*missing, "correct submit/robots/crawlers.py"]))
    return text


def _documented(text: str) -> Iterator[tuple[str, str]]:
    """Yield the crawlers of a module, each with the URL of its documentation."""
    module = ast.parse(text)
    constants: dict[str, str] = {}
    for node in module.body:
        match node:
            case ast.Assign(targets=[ast.Name(name)], value=ast.Constant(str(url))):
                constants[name] = url
    for call in ast.walk(module):
        match call:
            case ast.Call(func=ast.Name("KnownCrawler"), args=[ast.Constant(str(token)), *rest]):
                yield token, _url(rest[2], constants)


def _url(node: ast.expr, constants: dict[str, str]) -> str:
    match node:
        case ast.Constant(str(url)):
            return url
        case ast.Name(name):
            return constants[name]
        case ast.FormattedValue(value):
            return _url(value, constants)
        case ast.JoinedStr(values):
            return "".join(_url(value, constants) for value in values)
    raise SourceError(f"not a URL: {ast.unparse(node)}")


def _indexnow(text: str, fetch: Fetch) -> str:
    url = "https://www.indexnow.org/searchengines.json"
    endpoints = []
    for meta in json.loads(fetch(url)).values():
        engine = json.loads(fetch(meta))
        if not engine.get("unsubscribe"):
            endpoints.append(engine["api"])
    invalid = [one for one in endpoints if not re.fullmatch(r"https://[\w./-]+", one)]
    _expect(url, bool(endpoints) and not invalid, "is not the list of search engines")
    lines = "\n".join(f'{_INDENT}"{endpoint}",' for endpoint in endpoints)
    return _replace(text, "_OTHERS = (\n", lines, "\n)\n")


TABLES = (
    Table("top-level-domains", "convert/values/relative.py", _top_level_domains),
    Table("special-networks", "convert/http/ssrf.py", _special_networks),
    Table("crawlers", "submit/robots/crawlers.py", _crawlers),
    Table("indexnow", "submit/engines/indexnow.py", _indexnow),
    Table("engines", "submit/engines/registry.py", None),
)


def _replace(text: str, start: str, new: str, end: str) -> str:
    """Replace the text between two strings."""
    before, found, rest = text.partition(start)
    assert found, start
    return before + start + new + rest[rest.index(end) :]


def _expect(url: str, condition: bool, otherwise: str) -> None:
    if not condition:
        raise SourceError(f"{url} {otherwise}")


def _fetcher(mirror: str) -> Fetch:
    """Return a function that fetches each URL once, from a copy below `mirror` if that is set."""

    @cache
    def fetch(url: str) -> str:
        place = f"{mirror}/{url.removeprefix('https://')}" if mirror else url
        try:
            with urlopen(Request(place, headers=_HEADERS), timeout=_TIMEOUT) as response:
                return str(response.read().decode("utf-8"))
        except (OSError, HTTPException, UnicodeDecodeError) as error:
            raise SourceError(f"cannot read {url}: {error}") from error

    return fetch


def refresh(names: Collection[str], root: Path, mirror: str, today: date) -> None:
    """
    Write the tables with these names, or all that have a source.

    Raises:
        SourceError: If a source cannot be read; nothing is written.

    """
    fetch = _fetcher(mirror)
    written: dict[Path, str] = {}
    for table in TABLES:
        if table.refresh and table.name in (names or {table.name}):
            path = root / table.path
            try:
                written[path] = table.refreshed(path.read_text(), fetch, today)
            except (LookupError, ValueError) as error:
                raise SourceError(f"unexpected source of {table.name}: {error!r}") from error
    for path, text in written.items():
        path.write_text(text)


def too_old(root: Path, today: date) -> list[str]:
    """Return a message for each table that is older than `MAX_AGE`."""
    messages = []
    for table in TABLES:
        oldest = min(table.dates((root / table.path).read_text()))
        if today - oldest > MAX_AGE:
            remedy = f"run python -m tests.refresh {table.name}"
            if not table.refresh:
                remedy = "compare it with the documentation, and update the date"
            messages.append(f"{table.path}: {table.name} is of {oldest}: {remedy}")
    return messages


def main(words: Sequence[str], root: Path = ROOT, today: date | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.refresh", description=__doc__)
    names = [table.name for table in TABLES if table.refresh]
    parser.add_argument("names", nargs="*", metavar="TABLE", help=", ".join(names))
    parser.add_argument("--check", action="store_true", help="fail if a table is too old")
    parser.add_argument("--mirror", default="", metavar="URL", help="where to find HOST/PATH")
    options = parser.parse_args(words)
    if unknown := set(options.names) - set(names):
        parser.error(f"unknown table {min(unknown)!r}; choose from {', '.join(names)}")
    today = today or date.today()
    if options.check:
        messages = too_old(root, today)
        print("\n".join(messages) or "all tables are recent")
        return 1 if messages else 0
    try:
        refresh(options.names, root, options.mirror, today)
    except SourceError as error:
        print(f"{error}\nnothing was changed", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
