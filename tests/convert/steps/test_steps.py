"""Steps in a conversion: what readers need not read, what is counted, where what is much goes."""

import io
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sitemapx.convert import Document, Entry, Problem, Reporter, Summary, convert, target_of, write
from sitemapx.convert.disk.spill import DigestSet, Sorter
from sitemapx.convert.formats.sitemap.vocabulary import IMAGE, VIDEO, Element
from sitemapx.convert.model.batch import Batch, Columns
from sitemapx.convert.steps import Step, assign, drop, include, rewrite, since, sort, unique
from sitemapx.convert.steps.urls import is_url_field
from sitemapx.errors import UsageError
from tests.conftest import PATIENCE

#: More than a block, so that the first is read at once where no more than URLs are needed.
COUNT = 3000
RSS = (
    '<rss version="2.0"><channel><title>T</title><link>https://e.example/</link>\n'
    + "".join(
        f"<item><title>T</title><link>https://e.example/{number}</link></item>\n"
        for number in range(COUNT)
    )
    + "<item><link>https://e.example/untitled</link></item>\n</channel></rss>\n"
)


def converted(tmp_path: Path, source: str, *steps: Step, to: str = "text") -> Summary:
    """Convert a source of these bytes."""
    target = target_of(str(tmp_path / "out"), format=to)
    return convert([io.BytesIO(source.encode())], target, steps=steps)


# ---- what readers need not read


def _spy(kinds: list[type[Batch]]) -> Step:
    """Make a step that notes what comes along."""

    def run(batches: Iterator[Batch], context: Reporter) -> Iterator[Batch]:
        for batch in batches:
            kinds.append(type(batch))
            yield batch

    return Step("spy", run, ())


def test_quick_paths_stay(tmp_path: Path) -> None:
    """Of steps that need but URLs, a reader that could be quick without them still is."""
    kinds: list[type[Batch]] = []
    steps = [include(["/*1"]), unique(), rewrite([("e.example", "f.example")]), drop(["title"])]
    converted(tmp_path, RSS, *steps, _spy(kinds))
    written = (tmp_path / "out").read_text()

    assert Columns in kinds
    assert "".join(f"https://f.example/{n}\n" for n in range(1, COUNT, 10)) == written


_CURIOUS = [since("2024"), sort("loc"), Step("mine", lambda batches, _: batches)]
_DATED = RSS.replace("<link>h", "<pubDate>Fri, 02 Feb 2024 10:00:00 GMT</pubDate><link>h")


@pytest.mark.parametrize("step", _CURIOUS, ids=lambda step: step.name)
def test_what_is_needed_is_read(tmp_path: Path, step: Step) -> None:
    """A step that looks at more gets more; without it, nobody needs the dates of a text list."""
    dates: list[str] = []

    def look(batches: Iterator[Batch], _: Reporter) -> Iterator[Batch]:
        for batch in batches:
            dates.extend(str(published) for published in batch.column("published") if published)
            yield batch

    converted(tmp_path, _DATED, Step("look", look, ()))
    assert not dates

    converted(tmp_path, _DATED, Step("look", look, ()), step)
    assert ["2024-02-02T10:00:00Z"] * (COUNT + 1) == dates


def test_what_is_not_read_is_counted(tmp_path: Path) -> None:
    """What a text list has no place for is counted where it was chosen, and not where dropped."""
    chosen = include(["/1", "/2", "/untitled"])
    dated = assign({"lastmod": "2024"})

    assert {"title": COUNT} == converted(tmp_path, RSS).not_held
    assert {"title": 2} == converted(tmp_path, RSS, chosen).not_held
    assert {} == converted(tmp_path, RSS, drop(["title"])).not_held
    assert {"lastmod": 3, "title": 2} == converted(tmp_path, RSS, chosen, dated).not_held


# ---- what is counted


def test_left_out(tmp_path: Path) -> None:
    """The summary says how many entries each step dropped."""
    steps = [include(["/*"]), include(["/1", "/2"]), unique(), sort("loc")]
    summary = converted(tmp_path, RSS, *steps)

    assert (COUNT + 1, 2) == (summary.read, summary.written)
    assert {"include": COUNT - 1} == +summary.left_out


def test_steps_of_a_caller(tmp_path: Path) -> None:
    """Any function from batches to batches makes a step, and may report problems."""

    def shout(batches: Iterator[Batch], context: Reporter) -> Iterator[Batch]:
        for batch in batches:
            context.problem("cut", "too loud")
            yield Batch([Entry(loc=f"{entry.loc}!") for entry in batch.entries])

    problems: list[Problem] = []
    document = Document.of([Entry(loc="https://e.example/")])
    target = target_of(str(tmp_path / "urls.txt"))
    write(document, target, steps=[Step("shout", shout)], report=problems.append)

    assert "https://e.example/!\n" == (tmp_path / "urls.txt").read_text()
    assert ["cut"] == [problem.code for problem in problems]


_MISTAKES: dict[str, Callable[[], Step]] = {
    "include": lambda: include(["re:("]),
    "since": lambda: since("soon"),
    "rewrite": lambda: rewrite([("a b", "c")]),
    "drop": lambda: drop(["loc"]),
    "assign": lambda: assign({"title": "T"}),
}


@pytest.mark.parametrize("name", _MISTAKES)
def test_mistakes(name: str) -> None:
    """What a step is told in words is checked when it is made."""
    with pytest.raises(UsageError):
        _MISTAKES[name]()


# ---- addresses


def _fields(element: Element) -> Iterator[tuple[str, bool]]:
    """Give the fields of a part of an entry, and whether they are URLs by their kind."""
    for child in element.children:
        if child.kind:
            yield child.text_field or child.field, child.kind.is_url
        yield from ((one.field, one.kind.is_url) for one in child.attributes)
        yield from _fields(child)


def test_addresses_are_known_by_name() -> None:
    """The fields that are moved with a site are those that are URLs in its sitemaps."""
    fields = dict([*_fields(IMAGE), *_fields(VIDEO)])

    assert {"thumbnail_loc", "info", "license"} < {name for name in fields if fields[name]}
    assert fields == {name: is_url_field(name) for name in fields}


# ---- where what is much goes


def test_memory() -> None:
    """What is sorted on disk does not stay in memory."""
    row = bytes(1000)
    tracemalloc.start()
    with closing(Sorter(1_000_000)) as sorter:
        for number in range(100):
            sorter.add_rows([b"%d" % -number] * 200, [row + b"%d" % number] * 200)
        found = sum(1 for _ in sorter)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert 20_000 == found
    assert peak < 4_000_000


def test_seen() -> None:
    """What was seen is known on disk as well as in memory; nothing is never known."""
    with closing(DigestSet(2)) as seen:
        assert [True, True, False, True, False] == seen.add_texts(["a", "b", "a", "c", "c"])
        assert [False, False, True, True, True] == seen.add_texts(["b", "c", None, None, "\ud800"])


_FULL = """
import resource
from sitemapx.convert.disk.spill import Sorter
from sitemapx.errors import OutputError
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
sorter = Sorter(0)
try:
    for _ in range(500):
        sorter.add_rows([b"k"], [bytes(100_000)])
except OutputError as error:
    print(error)
sorter.close()
"""


def test_disk_full() -> None:
    """A disk without room for temporary files is told in a line, with the way out."""
    pytest.importorskip("resource", reason="limits of processes are those of Unix")
    command = [sys.executable, "-W", "error", "-c", _FULL]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)

    assert "" == done.stderr
    assert done.stdout.startswith("cannot write temporary files: ")
    assert done.stdout.endswith("; set TMPDIR to another directory\n")


_LITTLE = [
    ["convert", "-", "--to", "text", "--unique", "--sort", "loc", "-q"],
    ["diff", "-", "/dev/null", "--from", "text", "-q"],
]


@pytest.mark.parametrize("command", _LITTLE, ids=lambda command: command[0])
def test_sqlite_is_not_imported(command: list[str]) -> None:
    """What is little stays in memory, and needs no database."""
    code = (
        "import sys; from sitemapx.cli import main; status = main(sys.argv[1:]);"
        "print(status, sorted({'sqlite3', 'requests', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *command],
        input=b"https://e.example/\n",
        capture_output=True,
        timeout=PATIENCE,
    )

    assert f"{int(command[0] == 'diff')} []" == done.stdout.decode().splitlines()[-1]
