"""Steps of a conversion: which fields they read, what they count, and what they keep on disk."""

import io
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sitemapx.convert import Document, Entry, Problem, Reporter, Summary, convert, target_of, write
from sitemapx.convert.disk.spill import DigestSet, Sorter
from sitemapx.convert.formats.sitemap.vocabulary import IMAGE, VIDEO, Element
from sitemapx.convert.model.batch import Batch, Columns
from sitemapx.convert.model.entry import is_url_field
from sitemapx.convert.steps import Step, assign, drop, head, include, rewrite, since, sort, unique
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


def convert_source(tmp_path: Path, source: str, *steps: Step, to: str = "text") -> Summary:
    target = target_of(str(tmp_path / "out"), format=to)
    return convert([io.BytesIO(source.encode())], target, steps=steps)


# ---- fields that readers skip


def _record_kinds(kinds: list[type[Batch]]) -> Step:
    """Return a step that appends the type of each batch to a list."""

    def run(batches: Iterator[Batch], context: Reporter) -> Iterator[Batch]:
        for batch in batches:
            kinds.append(type(batch))
            yield batch

    return Step("spy", run, ())


def test_reader_stays_quick_for_steps_on_urls(tmp_path: Path) -> None:
    kinds: list[type[Batch]] = []
    steps = [include(["/*1"]), unique(), rewrite([("e.example", "f.example")]), drop(["title"])]
    convert_source(tmp_path, RSS, *steps, _record_kinds(kinds))
    written = (tmp_path / "out").read_text()

    assert Columns in kinds
    assert "".join(f"https://f.example/{n}\n" for n in range(1, COUNT, 10)) == written


_CURIOUS = [since("2024"), sort("loc"), Step("mine", lambda batches, _: batches)]
_DATED = RSS.replace("<link>h", "<pubDate>Fri, 02 Feb 2024 10:00:00 GMT</pubDate><link>h")


@pytest.mark.parametrize("step", _CURIOUS, ids=lambda step: step.name)
def test_fields_are_read_if_a_step_needs_them(tmp_path: Path, step: Step) -> None:
    dates: list[str] = []

    def look(batches: Iterator[Batch], _: Reporter) -> Iterator[Batch]:
        for batch in batches:
            dates.extend(str(published) for published in batch.column("published") if published)
            yield batch

    convert_source(tmp_path, _DATED, Step("look", look, ()))
    assert not dates

    convert_source(tmp_path, _DATED, Step("look", look, ()), step)
    assert ["2024-02-02T10:00:00Z"] * (COUNT + 1) == dates


def test_dropped_fields_are_counted_after_selection(tmp_path: Path) -> None:
    chosen = include(["/1", "/2", "/untitled"])
    dated = assign({"lastmod": "2024"})

    assert {"title": COUNT} == convert_source(tmp_path, RSS).not_held
    assert {"title": 2} == convert_source(tmp_path, RSS, chosen).not_held
    assert {} == convert_source(tmp_path, RSS, drop(["title"])).not_held
    assert {"lastmod": 3, "title": 2} == convert_source(tmp_path, RSS, chosen, dated).not_held


# ---- counts


def test_function_becomes_a_step(tmp_path: Path) -> None:
    def shout(batches: Iterator[Batch], context: Reporter) -> Iterator[Batch]:
        for batch in batches:
            context.problem("shortened-text", "too loud")
            yield Batch([Entry(loc=f"{entry.loc}!") for entry in batch.entries])

    problems: list[Problem] = []
    document = Document.from_entries([Entry(loc="https://e.example/")])
    target = target_of(str(tmp_path / "urls.txt"))
    write(document, target, steps=[Step("shout", shout)], report=problems.append)

    assert "https://e.example/!\n" == (tmp_path / "urls.txt").read_text()
    assert ["shortened-text"] == [problem.code for problem in problems]


@pytest.mark.parametrize("name", ["loc", "colour"])
def test_required_or_unknown_field_cannot_be_dropped(name: str) -> None:
    with pytest.raises(UsageError):
        drop([name])


# ---- stopping early

CRAWL = ["address,status code\n", "https://e.example/,200\n", "https://e.example/gone,404\n"]


def test_head_stops_reading_and_reports_what_was_skipped(tmp_path: Path) -> None:
    path = tmp_path / "crawl.csv"
    path.write_text("".join([CRAWL[0], *CRAWL[1:] * 100_000]))
    problems: list[Problem] = []
    target, size = target_of(str(tmp_path / "urls.txt")), 0

    def count(entries: int, read: int) -> None:
        nonlocal size
        size = read

    convert([str(path)], target, steps=[head(2)], report=problems.append, progress=count)

    assert 0 < size < path.stat().st_size / 2
    assert ["skipped-page"] == [problem.code for problem in problems]


@pytest.mark.parametrize(("steps", "is_complete"), [([], True), ([head(1)], False)])
def test_state_is_saved_as_incomplete_after_an_early_stop(
    tmp_path: Path, steps: list[Step], is_complete: bool
) -> None:
    saved: list[bool] = []
    step = Step("spy", lambda batches, _: batches, save=saved.append)
    convert_source(tmp_path, RSS, step, *steps)

    assert [is_complete] == saved


# ---- addresses


def _list_fields(element: Element) -> Iterator[tuple[str, bool]]:
    """Yield the fields of an element, and whether their values are URLs."""
    for child in element.children:
        if child.kind:
            yield child.text_field or child.field, child.kind.is_url
        yield from ((attribute.field, attribute.kind.is_url) for attribute in child.attributes)
        yield from _list_fields(child)


def test_url_fields_match_the_vocabulary() -> None:
    fields = dict([*_list_fields(IMAGE), *_list_fields(VIDEO)])

    assert {"thumbnail_loc", "info", "license"} < {name for name in fields if fields[name]}
    assert fields == {name: is_url_field(name) for name in fields}


# ---- data that outgrows memory


def test_sorter_spills_to_disk() -> None:
    row = bytes(1000)
    tracemalloc.start()
    with closing(Sorter(1_000_000)) as sorter:
        for number in range(100):
            sorter.add_rows([b"%d" % -number] * 200, [row + b"%d" % number] * 200)
        result = sum(1 for _ in sorter)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert 20_000 == result
    assert peak < 4_000_000


def test_digest_set_recognizes_texts_on_disk() -> None:
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


def test_full_disk_is_reported() -> None:
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
def test_small_runs_do_not_import_sqlite(command: list[str]) -> None:
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
