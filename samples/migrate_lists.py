#!/usr/bin/env python3
"""
Turn a folder of text lists into XML sitemaps, one for each list, and an index of them.

    python samples/migrate_lists.py samples/lists public https://lighthouse.example/
"""

import sys
from pathlib import Path

from sitemapx.convert import Document, Entry, convert, target_of, write
from sitemapx.errors import SitemapxError


def migrate(lists: Path, public: Path, base_url: str) -> None:
    """Convert every `*.txt` in a folder, and list the results in `public/sitemap_index.xml`."""
    if not lists.is_dir():
        sys.exit(f"error: {lists} is not a folder")
    public.mkdir(parents=True, exist_ok=True)
    base_url = base_url.rstrip("/") + "/"
    names: list[str] = []
    for source in sorted(lists.glob("*.txt")):
        output = public / f"{source.stem}.xml"
        target = target_of(str(output), base_url=base_url)
        summary = convert([source], target, report=lambda problem: print(problem, file=sys.stderr))
        print(f"{source.name}: {summary.read} read, {summary.written} written to {output.name}")
        names.append(output.name)
    index = Document.from_entries(Entry(loc=base_url + name) for name in names)
    write(index, target_of(str(public / "sitemap_index.xml"), format="sitemapindex"))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    try:
        migrate(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
    except SitemapxError as error:
        sys.exit(f"error: {error}")
