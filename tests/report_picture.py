"""
The picture of a report in the README: `sitemapx check` for a sample that `--fix` fixes.

`python -m tests.report_picture` redraws docs/report.svg.
"""

import os
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "report.svg"
_COMMAND = ("check", "fixable.xml")
_WIDTH = 100


def report() -> str:
    done = subprocess.run(
        [sys.executable, "-m", "sitemapx", *_COMMAND, "--format", "grouped"],
        cwd=ROOT / "samples",
        env=os.environ | {"FORCE_COLOR": "1", "NO_COLOR": "", "COLUMNS": str(_WIDTH)},
        capture_output=True,
        text=True,
    )
    return f"$ sitemapx {' '.join(_COMMAND)}\n{done.stdout}\n{done.stderr}"


def picture() -> str:
    with open(os.devnull, "w") as nowhere:
        text = Text.from_ansi(report().rstrip())
        width = max(map(len, text.plain.splitlines()))  # findings are not wrapped
        console = Console(record=True, width=width, file=nowhere, color_system="truecolor")
        console.print(text, soft_wrap=False)
        return console.export_svg(title="sitemapx", unique_id="report")


if __name__ == "__main__":
    PICTURE.write_text(picture())
