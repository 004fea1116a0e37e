"""Detection of the programs to measure, and of their versions."""

import json
import platform
import shutil
import subprocess
import sysconfig
from compileall import compile_dir
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from bench.samples.data import DATA

__all__ = ["SITEMAP_JS", "XMLLINT", "Peers", "find_peers"]

SITEMAP_JS = "sitemap.js"
XMLLINT = "xmllint --stream"
_LOOPS = Path(__file__).with_name("programs") / "loops.py"
_SITEMAP_JS_PATH = DATA / "node_modules" / ".bin" / "sitemap"


@dataclass(frozen=True)
class Peers:
    """
    The programs to measure.

    Attributes:
        sitemapx: Path of the command `sitemapx` in the environment of the running Python.
        python: Path of the Python with the other packages.
        sitemap_js: Path of the command of sitemap.js, which may be missing.
        xmllint: Path of the command of libxml2, which may be missing.
        versions: Versions of installed packages.
        formats: Formats that sitemapx reads.

    """

    sitemapx: str
    python: str
    sitemap_js: str
    xmllint: str
    versions: dict[str, str]
    formats: frozenset[str]

    def loop(self, name: str, *files: Path | str) -> tuple[str, ...]:
        """Return the command line that runs a loop of `programs.loops` over files."""
        return (self.python, str(_LOOPS), name, *map(str, files))

    def has(self, name: str) -> bool:
        """Return whether a package is installed, or sitemapx reads a format, of this name."""
        return not name or name in self.versions or name in self.formats


def find_peers(python: str) -> Peers:
    """
    Find sitemapx, compile its bytecode, and find the packages in another Python.

    Raises:
        PackageNotFoundError: If sitemapx is not installed with the running Python.
        OSError: If there is no such Python for the peers.

    """
    _compile_bytecode()
    sitemapx = str(Path(sysconfig.get_path("scripts")) / "sitemapx")
    versions = {
        "sitemapx": metadata.version("sitemapx"),
        "lxml of sitemapx": metadata.version("lxml"),
        "Python": platform.python_version(),
        **json.loads(_output_of(python, str(_LOOPS), "versions")),
    }
    if _SITEMAP_JS_PATH.exists():
        versions[SITEMAP_JS] = _output_of(str(_SITEMAP_JS_PATH), "--version").strip()
        versions["Node.js"] = _output_of("node", "--version").strip().removeprefix("v")
    xmllint = shutil.which("xmllint") or ""
    if xmllint:
        # Printed on stderr as `xmllint: using libxml version 20914`.
        said = subprocess.run((xmllint, "--version"), check=True, capture_output=True, text=True)
        versions[XMLLINT] = said.stderr.split("\n")[0].rpartition(" ")[2]
    rows = [line.split() for line in _output_of(sitemapx, "formats").split("\n")[1:] if line]
    formats = frozenset(name for name, is_read, *_ in rows if is_read == "yes")
    return Peers(sitemapx, python, str(_SITEMAP_JS_PATH), xmllint, versions, formats)


def _compile_bytecode() -> None:
    """Compile sitemapx, as pip does except for editable installations."""
    spec = find_spec("sitemapx")
    for package in map(Path, spec.submodule_search_locations or [] if spec else []):
        for folder in [package, *filter(Path.is_dir, package.iterdir())]:  # including links
            compile_dir(folder, quiet=2)


def _output_of(*argv: str) -> str:
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout
