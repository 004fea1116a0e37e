"""
The command reference, generated from `--help`.

`python -m tests.commandpages` writes a page for each command to docs/commands, or to the directory
that is passed.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.commandhelp import CommandHelp, Paragraph, commands, write_pages
from tests.markdown import table

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "commands"
#: Characters that are special in Markdown, and names of options.
_MARKUP = re.compile(r"([\\<*\[\]|])|(?<![\w`])(--?[a-z][\w-]*)")


def pages() -> dict[str, str]:
    """Return all pages by name; subcommands are sections of the page of their command."""
    root, *others = commands()
    by_command: dict[str, list[CommandHelp]] = {}
    for one in others:
        by_command.setdefault(one.name.split()[1], []).append(one)
    index = [
        [f"[`sitemapx {name}`]({name}.md)", helps[0].summary] for name, helps in by_command.items()
    ]
    made = {f"{name}.md": "\n".join(_page(helps)) for name, helps in by_command.items()}
    toctree = "\n".join(by_command)
    made["index.md"] = (
        f"# Commands\n\n{root.summary}.\n\n{_table(['command', ''], index)}\n"
        f"```{{toctree}}\n:hidden:\n\n{toctree}\n```\n"
    )
    return made


def _page(helps: list[CommandHelp]) -> Iterator[str]:
    for command in helps:
        level = "#" * (len(command.name.split()) - 1)
        yield from (f"{level} `{command.name}`", "", f"{_escaped(command.summary)}.", "")
        yield from ("```text", f"{command.name} {command.usage}", "```", "")
        yield from _paragraphs(command.description)
        for heading, rows in command.sections.items():
            if heading != "Commands":
                yield from (f"**{heading}**", "")
                yield _table(["option", ""], [[f"`{term}`", _escaped(text)] for term, text in rows])
        yield from _paragraphs(command.epilog)


def _paragraphs(paragraphs: list[Paragraph]) -> Iterator[str]:
    for lines, heading in paragraphs:
        if heading and len(lines) > 1:
            commands = (f"$ {line.strip()}" for line in lines)
            yield from (f"**{heading}**", "", "```console", *commands, "```", "")
        else:
            text = _escaped(lines[0])
            yield from (f"**{heading}**: {text}" if heading else text, "")


def _escaped(text: str) -> str:
    """Escape Markdown, and mark options as code."""
    return _MARKUP.sub(lambda m: f"\\{m[1]}" if m[1] else f"`{m[2]}`", text)


def _table(head: list[str], rows: list[list[str]]) -> str:
    return table(head, [[re.sub(r"(?<!\\)\|", r"\\|", cell) for cell in row] for row in rows])


if __name__ == "__main__":
    write_pages(pages(), Path(sys.argv[1]) if sys.argv[1:] else FOLDER)
