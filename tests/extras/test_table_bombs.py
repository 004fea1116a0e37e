"""Tables that decompress to much more data take little memory, and are truncated."""

import json
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sitemapx.convert import Problem, read
from tests.conftest import PATIENCE
from tests.effort import slow

_URL = "https://e.example/"
_LONG = _URL + "a" * 900_000
_MB = 1 << 20


def _repeated(text: str, count: int) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array([0] * count, pa.int32()), [text])


def _parquet(path: Path, table: pa.Table, **options: Any) -> None:
    settings: dict[str, Any] = {"compression": "zstd"} | options
    pq.write_table(table, path, **settings)


def _arrow(path: Path, column: pa.Array, *, compression: str | None = "zstd") -> None:
    records = pa.record_batch([column], ["loc"])
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.ipc.new_stream(path, records.schema, options=options) as writer:
        writer.write_batch(records)


def _feather(path: Path, column: pa.Array) -> None:
    records = pa.record_batch([column], ["loc"])
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_file(path, records.schema, options=options) as writer:
        writer.write_batch(records)


def _views(count: int) -> pa.Array:
    """Return rows that share the bytes of a long text."""
    text = _LONG.encode()
    views = struct.pack("<i4sii", len(text), text[:4], 0, 0) * count
    buffers = [None, pa.py_buffer(views), pa.py_buffer(text)]
    return pa.Array.from_buffers(pa.string_view(), count, buffers)


def _with_list(values: pa.Array) -> pa.Table:
    lists = pa.ListArray.from_arrays(pa.array([0, len(values)], pa.int32()), values)
    return pa.table({"loc": [_URL], "categories": lists})


BOMBS: dict[str, Callable[[Path], None]] = {
    "dictionary.parquet": lambda path: _parquet(path, pa.table({"loc": _repeated(_LONG, 5000)})),
    "plain.parquet": lambda path: _parquet(
        path, pa.table({"loc": [_LONG] * 1000}), use_dictionary=False
    ),
    "late.parquet": lambda path: _parquet(
        path, pa.table({"loc": [f"{_URL}{n}" for n in range(5000)] + [_LONG] * 1000})
    ),
    "snappy.parquet": lambda path: _parquet(
        path, pa.table({"loc": _repeated(_LONG, 5000)}), compression="snappy"
    ),
    "delta.parquet": lambda path: _parquet(
        path,
        pa.table({"loc": pa.array([_LONG] * 3000, pa.large_string())}),
        use_dictionary=False,
        column_encoding={"loc": "DELTA_BYTE_ARRAY"},
    ),
    "nulls.parquet": lambda path: _parquet(path, _with_list(pa.nulls(30_000_000, pa.int64()))),
    "list.parquet": lambda path: _parquet(path, _with_list(_repeated(_LONG, 20_000))),
    "zstd.arrows": lambda path: _arrow(path, pa.array([_LONG] * 1000)),
    "lz4.arrows": lambda path: _arrow(path, pa.array([_LONG] * 1000), compression="lz4"),
    "zstd.arrow": lambda path: _feather(path, pa.array([_LONG] * 1000)),
    "dictionary.arrows": lambda path: _arrow(path, _repeated(_LONG, 10_000)),
    "nulls.arrows": lambda path: _arrow(path, pa.nulls(50_000_000)),
    "views.arrows": lambda path: _arrow(path, _views(5000), compression=None),
    "runs.arrows": lambda path: _arrow(
        path,
        pa.RunEndEncodedArray.from_arrays(pa.array([5000], pa.int32()), pa.array([_LONG])),
    ),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bomb_is_truncated(name: str, tmp_path: Path) -> None:
    BOMBS[name](tmp_path / name)
    problems: list[Problem] = []
    for _ in read(tmp_path / name, report=problems.append):
        pass

    assert (tmp_path / name).stat().st_size < 5 * _MB
    assert "too-large" in {problem.code for problem in problems}


@slow
@pytest.mark.parametrize("command", ["convert --to text", "check"])
@pytest.mark.parametrize("name", BOMBS)
def test_bomb_takes_little_memory(name: str, command: str, tmp_path: Path) -> None:
    BOMBS[name](tmp_path / name)
    code = (
        "import json, resource, subprocess, sys; "
        "done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE); "
        "peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10; "
        "print(json.dumps([done.returncode, peak]))"
    )
    verb, *options = command.split()
    arguments = [sys.executable, "-m", "sitemapx", verb, str(tmp_path / name), *options]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, timeout=PATIENCE, check=True
    )
    status, peak = json.loads(done.stdout)

    assert status == 1
    assert peak < 300 * _MB


def test_large_row_is_skipped(tmp_path: Path) -> None:
    """Rows are limited like entries in XML; the rows around them are kept."""
    path, problems = tmp_path / "a.parquet", list[Problem]()
    categories = [["a"], ["b"] * 300_000, ["c"]]
    _parquet(path, pa.table({"loc": [f"{_URL}{n}" for n in range(3)], "categories": categories}))
    entries = list(read(path, report=problems.append))

    assert [f"{_URL}0", f"{_URL}2"] == [entry.loc for entry in entries]
    assert [("entry-too-large", 2)] == [(problem.code, problem.line) for problem in problems]


@pytest.mark.parametrize("compression", [None, "zstd", "lz4"])
@pytest.mark.parametrize("suffix", ["arrow", "arrows"])
def test_compressed_arrow_is_read(compression: str | None, suffix: str, tmp_path: Path) -> None:
    urls = [f"{_URL}{n}" for n in range(10_000)]
    new = pa.ipc.new_file if suffix == "arrow" else pa.ipc.new_stream
    records = pa.record_batch([pa.array(urls), pa.array(urls).dictionary_encode()], ["loc", "id"])
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with new(tmp_path / f"a.{suffix}", records.schema, options=options) as writer:
        for start in range(0, 10_000, 3000):
            writer.write_batch(records.slice(start, 3000))
    entries = list(read(tmp_path / f"a.{suffix}"))

    assert urls == [entry.loc for entry in entries] == [entry.id for entry in entries]


def test_views_of_other_libraries_are_read(tmp_path: Path) -> None:
    urls = [f"{_URL}{'a' * (n % 30)}{n}" for n in range(100)]
    pl.DataFrame({"loc": urls}).write_ipc(tmp_path / "a.arrow", compression="zstd")

    assert urls == [entry.loc for entry in read(tmp_path / "a.arrow")]


@pytest.mark.parametrize("cut", [9, 200, 600, -1])
@pytest.mark.parametrize("write", [_feather, _arrow])
def test_damaged_table_is_reported(write: Callable[..., None], cut: int, tmp_path: Path) -> None:
    path = tmp_path / "a"
    write(path, pa.array([f"{_URL}{n}" for n in range(100)]))
    data = path.read_bytes()
    for damaged in (data[:cut], data[: cut - 1] + b"\xf7\xff\xff\x7f" + data[cut + 3 :]):
        path.write_bytes(damaged)
        command = [sys.executable, "-m", "sitemapx", "convert", str(path), "--to", "text"]
        done = subprocess.run(command, capture_output=True, timeout=PATIENCE)

        assert b"internal error" not in done.stderr
        assert b"Traceback" not in done.stderr
