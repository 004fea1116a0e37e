"""Without pyarrow, tables are rejected with the name of the missing extra; other formats work."""

import subprocess
import sys
from pathlib import Path

import pytest

MISSING = "sitemapx: error: pyarrow is not installed: pip install 'sitemapx[arrow]'\n"
SCRIPT = (
    "import sys; sys.modules['pyarrow'] = None; from sitemapx.cli import main;"
    "sys.exit(main(sys.argv[1:]))"
)


def _run(*arguments: str) -> tuple[int, str]:
    command = [sys.executable, "-c", SCRIPT, *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("start", "options"),
    [
        (b"PAR1", ()),
        (b"ARROW1\0\0", ()),
        (b"\xff\xff\xff\xff", ()),
        (b"https://e.example/", ("--from", "parquet")),
    ],
    ids=["parquet", "feather", "arrow", "named"],
)
@pytest.mark.parametrize("command", [("convert", "--to", "text"), ("check",)], ids=" ".join)
def test_reading_a_table_names_the_missing_package(
    tmp_path: Path, start: bytes, options: tuple[str, ...], command: tuple[str, ...]
) -> None:
    table = tmp_path / "table"
    table.write_bytes(start)

    assert (2, MISSING) == _run(*command, *options, str(table))


@pytest.mark.parametrize(
    ("name", "status", "message"),
    [("parquet", 2, MISSING), ("arrow", 2, MISSING), ("text", 0, "4 entries read, 4 written\n")],
)
def test_only_writing_a_table_names_the_missing_package(
    samples: Path, name: str, status: int, message: str
) -> None:
    assert (status, message) == _run("convert", str(samples / "urls.txt"), "--to", name)
