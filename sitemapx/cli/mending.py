"""`sitemapx check --fix`: findings wait until it is known which of them were mended."""

import os
from collections import Counter
from collections.abc import Iterator
from tempfile import TemporaryDirectory

import msgspec
from msgspec.structs import replace

from sitemapx.cli.console import Console
from sitemapx.cli.reports import Write
from sitemapx.convert.checking import Checked
from sitemapx.convert.findings import Finding
from sitemapx.convert.mending import Mendable, changes, mend
from sitemapx.convert.problems import Severity
from sitemapx.convert.spilling import Queue
from sitemapx.convert.wording import counted

__all__ = ["Mending"]


class Mending:
    """
    Keeps findings, mends what they are in, and gives them back.

    Attributes:
        fixed: How many findings of each severity were mended.

    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._findings = Queue()
        self._codes: dict[str, set[str]] = {}
        self._mended: dict[str, Mendable] = {}
        self.fixed: Counter[Severity] = Counter()

    def add(self, finding: Finding) -> None:
        """Keep a finding."""
        self._findings.add(msgspec.json.encode(finding))
        if finding.source:
            self._codes.setdefault(finding.source, set()).add(finding.code)

    def _files(self, checked: Checked) -> Iterator[Mendable]:
        """Give the files in which there is something that can be mended."""
        for source, codes in self._codes.items():
            form, url = checked.sources.get(source, (None, None))
            file = form and Mendable(source, form, url)
            if file and file.is_possible and any(map(file.mends, codes)):
                yield file

    def mend(self, checked: Checked) -> None:
        """
        Mend all files that can be.

        Raises:
            OutputError: If one cannot be written; it is left as it was.

        """
        for file in self._files(checked):
            if why_not := mend(file):
                self._console.say(f"{file.path} is not mended: {why_not}")
            else:
                self._mended[file.path] = file

    def show(self, checked: Checked, write: Write) -> None:
        """Show what mending would change, and change nothing."""
        for file in self._files(checked):
            with TemporaryDirectory() as folder:
                path = os.path.join(folder, os.path.basename(file.path))
                if why_not := mend(file, path):
                    self._console.say(f"{file.path} is not mended: {why_not}")
                    continue
                self._mended[file.path] = file
                for line in changes(file.path, path):
                    write(line)

    def findings(self) -> Iterator[Finding]:
        """Give all findings, with what became of them."""
        for row in self._findings:
            finding = msgspec.json.decode(row, type=Finding)
            file = self._mended.get(finding.source or "")
            if file and file.mends(finding.code):
                self.fixed[finding.severity] += 1
                finding = replace(finding, fixed=True)
            yield finding

    def told(self) -> Iterator[str]:
        """Put into words what was done."""
        yield f"mended: {self.fixed.total():,} of these, in {counted(len(self._mended), 'file')}"

    def close(self) -> None:
        """Give the room back."""
        self._findings.close()
