"""The table of columns in docs/frames.md is current, and the recipes run."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from sitemapx.convert import Fetcher, Opener
from sitemapx.convert.model import tabular
from tests.conftest import PATIENCE, ROOT
from tests.markdown import table
from tests.servers import Answer, Server
from tests.test_docs import shown_table

PAGE = (ROOT / "docs" / "frames.md").read_text()
BLOCKS: list[tuple[str, str]] = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
#: Files that the recipes write, and text in them.
RESULTS = {
    "from-rows.xml": b"<loc>https://lighthouse.example/</loc>",
    "again.xml": b"<loc>https://lighthouse.example/tour?day=sat&amp;people=2</loc>",
    "urls.csv": b"https://lighthouse.example/,2026-10-30,sitemap.xml",
    "from-frame.xml": b"<loc>https://example.com/about/</loc>",
}


def _run_shell(code: str, server: Server) -> str:
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = ["bash", "-e", "-c", code]
    environment = {**os.environ, "PATH": programs}
    done = subprocess.run(command, env=environment, capture_output=True, timeout=PATIENCE)
    assert 0 == done.returncode, done.stderr
    return done.stderr.decode()


def _run_sql(code: str, server: Server) -> str:
    with duckdb.connect() as connection:
        return "".join(str(connection.sql(query)) for query in code.split(";\n") if query.strip())


def _run_python(code: str, server: Server) -> str:
    site = f'"{server.url}", opener=Opener(fetcher=Fetcher(allow_private=True))'
    printed = Path("printed")
    with printed.open("w") as file, contextlib.redirect_stdout(file):
        exec(code.replace('"example.com"', site), {"Fetcher": Fetcher, "Opener": Opener})
    return printed.read_text() or str(Path("from-frame.xml").stat())


_RUN: dict[str, Callable[[str, Server], str]] = {
    "sh": _run_shell,
    "sql": _run_sql,
    "python": _run_python,
}


def test_recipes_run(
    tmp_path: Path, samples: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.answers["/sitemap.xml"] = Answer((samples / "sitemap.xml").read_bytes())
    for name in ("sitemap.xml", "feed.xml"):
        shutil.copy(samples / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    kinds = [kind for kind, _ in BLOCKS]
    for kind, code in BLOCKS:
        if kind != "console":  # which installs
            assert _RUN[kind](code, server).strip(), code

    assert 7 == kinds.count("python")
    assert [] == [name for name, text in RESULTS.items() if text not in Path(name).read_bytes()]


def _format_columns() -> str:
    rows = [[f"`{field.name}`", f"`{_arrow_kind(field.type)}`"] for field in tabular.schema()]
    return table(["column", "type in Arrow"], rows)


def _arrow_kind(datatype: pa.DataType) -> str:
    if pa.types.is_list(datatype):
        return f"list<{_arrow_kind(datatype.value_type)}>"
    if pa.types.is_struct(datatype):
        return f"struct<{', '.join(field.name for field in datatype)}>"
    return str(datatype)


def test_column_table_is_current(pytestconfig: pytest.Config) -> None:
    assert _format_columns() == shown_table(
        "docs/frames.md", "columns", _format_columns, pytestconfig
    )
