"""`sitemapx check --fix`: findings wait until it is known which of them were mended."""

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from tempfile import TemporaryDirectory

import msgspec
from msgspec.structs import replace

from sitemapx.cli.reports import Write
from sitemapx.convert.checking import Checked
from sitemapx.convert.findings import Finding
from sitemapx.convert.mending import Mendable, changes, mend
from sitemapx.convert.problems import Severity
from sitemapx.convert.spilling import Queue
from sitemapx.convert.wording import counted
from sitemapx.errors import OutputError

__all__ = ["Mending"]

#: What a finding is known by before and after: its code, and the URL of its entry.
_Key = tuple[str, str | None]


class Mending:
    """
    Keeps findings, mends what they are in, and gives them back.

    Attributes:
        fixed: How many findings were mended.
        unmended: How many of each severity were not.
        has_failed: Whether a file could not be written.

    """

    def __init__(self, say: Callable[[str], object], codes: Collection[str]) -> None:
        """Take whom to tell, and the codes that are looked for."""
        self._say = say
        self._wanted = codes
        self._findings = Queue()
        self._codes: dict[str, Counter[str]] = {}
        self._mended: dict[str, Mendable] = {}
        self._left: dict[str, Counter[_Key]] = {}
        self._gone: dict[str, Counter[str]] = {}
        self._never: set[str] = set()
        self._rest: Counter[str] = Counter()
        self.fixed = 0
        self.unmended: Counter[Severity] = Counter()
        self.has_failed = False

    def add(self, finding: Finding) -> None:
        """Keep a finding."""
        self._findings.add(msgspec.json.encode(finding))
        if finding.source:
            self._codes.setdefault(finding.source, Counter())[finding.code] += 1

    def _files(self, checked: Checked) -> Iterator[Mendable]:
        """Give the files in which there is something that can be mended."""
        for source, codes in list(self._codes.items()):
            form, url = checked.sources.get(source, (None, None))
            file = form and Mendable(source, form, url, frozenset(codes), self._wanted)
            if file and file.codes:
                if file.is_possible:
                    yield file
                else:
                    self._never.add(source)

    def mend(self, checked: Checked) -> None:
        """Mend all files that can be; one that cannot be written is left as it was."""
        for file in self._files(checked):
            self._do(file)

    def show(self, checked: Checked, write: Write) -> None:
        """Show what mending would change, and change nothing."""
        for file in self._files(checked):
            with TemporaryDirectory() as folder:
                path = os.path.join(folder, os.path.basename(file.path))
                self._do(file, path)
                if os.path.exists(path):
                    for line in changes(file.path, path):
                        write(line)

    def _do(self, file: Mendable, output: str | None = None) -> None:
        try:
            why_not, more, left, gone = mend(file, output)
        except OutputError as error:
            self.has_failed = True
            self._say(f"{file.path} is not mended: {error}")
            return
        if left is None:
            self._say(f"{file.path} is not mended: {why_not}")
            return
        if why_not:
            self._say(f"{file.path} is not wholly mended: {why_not}")
        for finding in more:
            self.add(finding)
        codes = frozenset(self._codes[file.path])
        self._mended[file.path] = file._replace(found=codes)
        self._left[file.path], self._gone[file.path] = left, gone

    def findings(self) -> Iterator[Finding]:
        """Give all findings, with what became of them."""
        for row in self._findings:
            finding = msgspec.json.decode(row, type=Finding)
            source = finding.source or ""
            file = self._mended.get(source)
            if file and self._is_fixed(finding, source, file):
                self.fixed += 1
                finding = replace(finding, fixed=True)
            else:
                self.unmended[finding.severity] += 1
            yield finding

    def _is_fixed(self, finding: Finding, source: str, file: Mendable) -> bool:
        """Tell whether a finding is not in the result any more, and note it if it could be."""
        code, key = finding.code, (finding.code, finding.loc)
        if code not in file.codes:  # other files may show it, too: it is gone if all were in this
            return self._gone[source][code] == self._codes[source][code]
        if self._left[source][key] > 0:
            self._left[source][key] -= 1
            self._rest[code] += 1
            return False
        return True

    def told(self) -> Iterator[str]:
        """Put into words what was done."""
        yield f"mended: {self.fixed:,} of these, in {counted(len(self._mended), 'file')}"
        if self._rest:
            codes = ", ".join(f"{code} ({count:,})" for code, count in sorted(self._rest.items()))
            yield f"left, since there is no one right way to mend them: {codes}"
        if self._never:
            names = ", ".join(sorted(self._never))
            yield f"only sitemaps, indexes and lists on disk are ever mended, not {names}"

    def close(self) -> None:
        """Give the room back."""
        self._findings.close()
