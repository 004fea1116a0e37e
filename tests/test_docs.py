"""
The documentation is true: tables are generated from the code, and commands and examples run.

`pytest tests/test_docs.py --update-docs` writes the tables between their markers.
"""

import ast
import importlib
import inspect
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest

import sitemapx.convert.model.entry as entry_module
from sitemapx import public
from sitemapx.check.rules.registry import RULES
from sitemapx.check.selection import PROFILES
from sitemapx.cli.app import COMMANDS
from sitemapx.cli.commands.engines import HEAD, format_row
from sitemapx.cli.options.steps import STEPS, StepOption
from sitemapx.convert import Fetcher
from sitemapx.convert.formats.format import Format
from sitemapx.convert.formats.registry import FORMATS
from sitemapx.convert.model.batch import FIELDS
from sitemapx.convert.model.entry import Entry, Model
from sitemapx.convert.model.problems import PROBLEMS, ProblemKind
from sitemapx.convert.steps import public as steps
from sitemapx.submit.engines.registry import all_engines
from sitemapx.submit.robots.lint import FINDINGS
from sitemapx.submit.settings import ENGINE_KEYS, KEYS, Key
from tests.architecture import docstring, graph
from tests.conftest import ROOT, Run
from tests.effort import slow
from tests.markdown import coded, table
from tests.policies import POLICIES
from tests.report_picture import PICTURE, picture
from tests.servers import Answer, Server

PACKAGES = ("sitemapx.convert", "sitemapx.check", "sitemapx.submit")


def _formats() -> str:
    """Return the table of the fields that formats hold; those that hold the same share a row."""
    groups: dict[tuple[str, str], list[str]] = {}
    for form in FORMATS:
        limit = f"{form.limits.entries:,}" if form.limits else "any number"
        groups.setdefault((_held_fields(form), limit), []).append(form.name)
    rows = [[", ".join(names), *columns] for columns, names in groups.items()]
    return table(["formats", "fields", "entries in a file"], rows)


def _held_fields(form: Format) -> str:
    missing = [name for name in FIELDS if name not in form.holds]
    if len(missing) > 2:
        return ", ".join(name for name in FIELDS if name in form.holds)
    return f"all but {' and '.join(missing)}" if missing else "all"


def _policies() -> str:
    return table(["question", "what sitemapx does"], [[p.question, p.answer] for p in POLICIES])


def _codes(kinds: Mapping[str, ProblemKind]) -> str:
    rows = [[f"`{code}`", kind.severity, kind.meaning] for code, kind in kinds.items()]
    return table(["code", "severity", "meaning"], rows)


def _rules() -> str:
    head = ["code", "severity", "what is wrong", "how to fix it", "`--fix`"]
    rows = [
        [
            _page_of(code),
            rule.severity,
            coded(rule.wrong),
            coded(rule.fix),
            "✓" if rule.is_fixable else "",
        ]
        for code, rule in RULES.items()
    ]
    return table(head, [[c.replace("|", r"\|") for c in r] for r in rows])


def _page_of(code: str) -> str:
    return f"[`{code}`](rules/{code}.md)"


def _judges() -> str:
    rows: dict[tuple[str, str, str], list[str]] = {}
    for name, engine in PROFILES.items():
        for rule in engine.differences:
            why = f"{rule.why} [Source]({engine.source})"
            key = (name, rule.severity or "not reported", why)
            rows.setdefault(key, []).append(f"`{rule.code}`")
    cells = [[f"`{name}`", ", ".join(codes), *rest] for (name, *rest), codes in rows.items()]
    return table(["engine", "code", "severity", "reason"], cells)


def _engines() -> str:
    rows = [format_row(engine.about) for engine in all_engines()]
    named = [[cell.lower() for cell in HEAD], *([f"`{name}`", *rest] for name, *rest in rows)]
    parts = [row[:5] for row in named], [[row[0], *row[5:]] for row in named]
    return "\n\n".join(table(head, lines) for head, *lines in parts)


def _keys(keys: Mapping[str, Key]) -> str:
    rows = [[f"`{name}`", key.about, f"`{key.example}`"] for name, key in keys.items()]
    return table(["key", "meaning", "example"], rows)


def _steps() -> str:
    names = [f"{one.name} {one.attributes.get('metavar', '')}".strip() for one in STEPS]
    rows = [
        [f"`{name}`", f"`{_function(one)}`", one.help]
        for name, one in zip(names, STEPS, strict=True)
    ]
    head = ["option", "in Python", "what it does"]
    return table(head, [[cell.replace("|", r"\|") for cell in row] for row in rows])


def _function(step: StepOption) -> str:
    """Return the name of the function in `sitemapx.convert.steps` for an option."""
    make = step.make or next(one.make for one in STEPS if one.name == step.of)
    assert make
    (name,) = set(steps.__all__) & set(make.__code__.co_names)
    return name


def _fields() -> str:
    """Return the table of the fields of each model, described as in its docstring."""
    models: list[type[Model]] = [Entry, *(one for one in _models() if one is not Entry)]
    tables: list[str] = []
    for model in models:
        about, _, attributes = (inspect.getdoc(model) or "").partition("\n\nAttributes:\n")
        described = _descriptions(attributes)
        rows = [
            [f"`{name}`", f"`{_kind(annotation)}`", described.pop(name, "")]
            for name, annotation in model.__annotations__.items()
        ]
        assert not described, f"{model.__name__} describes what it does not have"
        tables.append(f"## {model.__name__}\n\n{about}\n\n{table(['field', 'type', ''], rows)}")
    return "\n".join(tables)


def _descriptions(section: str) -> dict[str, str]:
    """Return the descriptions in a section of a docstring, by name."""
    found = re.findall(r"^ {4}(\w+): (.+(?:\n {8}.+)*)", section, re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in found}


def _keywords() -> str:
    """Return the table of the keywords of the functions of `import sitemapx`."""
    functions: dict[tuple[str, str], list[str]] = {}
    for function in (getattr(public, name) for name in public.__all__):
        _, _, sections = (inspect.getdoc(function) or "").partition("\n\nArgs:\n")
        parameters = inspect.signature(function).parameters
        for name, text in _descriptions(sections.partition("\n\n")[0]).items():
            if parameters[name].kind is inspect.Parameter.KEYWORD_ONLY:
                functions.setdefault((name, text), []).append(f"`{function.__name__}`")
    rows = [[f"`{name}`", ", ".join(takers), text] for (name, text), takers in functions.items()]
    return table(["keyword", "functions", "meaning"], sorted(rows))


def _models() -> list[type[Model]]:
    return [
        one
        for one in vars(entry_module).values()
        if inspect.isclass(one) and issubclass(one, Model) and one is not Model
    ]


def _kind(annotation: object) -> str:
    text = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    return re.sub(r"sitemapx\.[\w.]+\.|\s*\| None", "", text).replace("|", "or")


def _comment_above(lines: list[str], number: int) -> str:
    comment: list[str] = []
    for line in reversed(lines[: number - 1]):
        if not line.strip().startswith("#:"):
            break
        comment.insert(0, line.strip().removeprefix("#:").strip())
    return " ".join(comment)


def _speed() -> str:
    """Return the comparisons with other programs from the results, with place and date."""
    results = (ROOT / "bench" / "RESULTS.md").read_text()
    lines = results.partition("\n## ")[0].splitlines()  # the rest has a row for each shape
    facts = dict(line[2:].split(": ", 1) for line in lines if line.startswith("- "))
    cells = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]
    rows = [
        [what, beside, value.split(" ")[0], memory]
        for what, beside, value, *_, memory in (row for row in cells if len(row) > 3)
        if f" {beside} ".startswith((" lxml loop", *(f" {name} " for name in _peers(facts))))
    ]
    about = f"{facts['Date']}, {facts['Processor']}. {facts['Versions']}."
    head = ["job", "compared with", "time, ours ÷ theirs", "peak memory, ours : theirs"]
    return f"{table(head, rows)}\n{about}\n"


def _peers(facts: dict[str, str]) -> list[str]:
    versions = [one.rsplit(" ", 1)[0] for one in facts["Versions"].split(", ")]
    return [name for name in versions if not name.startswith(("sitemapx", "Python", "lxml of"))]


def _packages() -> str:
    """Return the table of packages, except top-level ones, with their docstrings' first lines."""
    names = sorted(n for n in graph().modules if n.count(".") > 1 and graph().find_children(n))
    lines = (docstring(name).partition("\n")[0].removesuffix(".") for name in names)
    shown = (name.removeprefix("sitemapx.") for name in names)
    rows = [[f"`{name}`", line] for name, line in zip(shown, lines, strict=True)]
    return table(["package", "contents"], rows)


def _names(package: str) -> str:
    """Return the public names of a package, with the first lines of their docstrings."""
    module = importlib.import_module(f"{package}.public")
    rows = [[f"`{name}`", _about(module, name)] for name in module.__all__]
    assert all(about for _, about in rows), rows
    return table(["name", "what it is"], rows)


def _about(module: ModuleType, name: str) -> str:
    """Return the first line of a docstring; for a constant, that of the comment above it."""
    value = getattr(module, name)
    if inspect.isclass(value) or inspect.isfunction(value):
        return (inspect.getdoc(value) or "").partition("\n")[0].removesuffix(".")
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.ImportFrom) and any(one.name == name for one in node.names):
            source = inspect.getsource(importlib.import_module(str(node.module)))
            line = next(n for n, text in enumerate(source.splitlines()) if _binds(text, name))
            return _comment_above(source.splitlines(), line + 1).removesuffix(".")
    raise AssertionError(name)


def _binds(line: str, name: str) -> bool:
    return re.match(rf"{name}(: [^=]+)? = ", line) is not None


TABLES: list[tuple[str, str, Callable[[], str]]] = [
    ("docs/formats.md", "formats", _formats),
    ("docs/policies.md", "policies", _policies),
    ("docs/speed.md", "speed", _speed),
    ("docs/problems.md", "problems", partial(_codes, PROBLEMS)),
    ("docs/robots.md", "findings", partial(_codes, FINDINGS)),
    ("docs/check.md", "judges", _judges),
    ("docs/check.md", "rules", _rules),
    ("docs/engines.md", "engines", _engines),
    ("docs/submit.md", "keys", partial(_keys, KEYS)),
    ("docs/submit.md", "engine keys", partial(_keys, ENGINE_KEYS)),
    ("docs/jsonl.md", "fields", _fields),
    ("docs/steps.md", "steps", _steps),
    ("docs/architecture.md", "packages", _packages),
    ("docs/api.md", "keywords", _keywords),
    *(
        ("docs/api.md", f"names of {name}", partial(_names, name))
        for name in ("sitemapx", *PACKAGES)
    ),
]


def shown_table(name: str, marker: str, make: Callable[[], str], config: pytest.Config) -> str:
    """Return the table in a document, after updating it if requested."""
    path = ROOT / name
    pattern = re.compile(rf"(?<=<!-- {marker} -->\n).*?(?=<!-- end -->)", re.DOTALL)
    if config.getoption("--update-docs"):
        path.write_text(pattern.sub(lambda _: make(), path.read_text(), count=1))
    found = pattern.search(path.read_text())
    assert found is not None
    return found[0]


@pytest.mark.parametrize(("name", "marker", "make"), TABLES, ids=[row[1] for row in TABLES])
def test_table_is_up_to_date(
    name: str, marker: str, make: Callable[[], str], pytestconfig: pytest.Config
) -> None:
    assert make() == shown_table(name, marker, make, pytestconfig)


def _command(marker: str) -> str:
    found = re.search(rf"<!-- {marker} -->\n```sh\n(.*?)\n```", (ROOT / "README.md").read_text())
    assert found is not None
    return found[1]


@slow
def test_first_command_installs_and_converts(tmp_path: Path) -> None:
    """The first command in the README installs from a fresh copy and converts a sample."""
    project = tmp_path / "project"
    ignored = shutil.ignore_patterns(".*", "build", "data", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, project, symlinks=True, ignore=ignored)
    command = _command("first command").replace("python3", sys.executable, 1)
    done = subprocess.run(["bash", "-c", command], cwd=project, capture_output=True, timeout=300)

    assert 0 == done.returncode, done.stderr.decode()
    assert b"<loc>https://lighthouse.example/news/storm-damage</loc>" in done.stdout


def test_second_command_runs_the_tests() -> None:
    assert _command("test command").endswith(
        "pip install -e '.[test]' && .venv/bin/pytest -n auto --dist worksteal"
    )


def test_every_format_and_command_is_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text()

    assert [] == [form.name for form in FORMATS if form.name not in text]
    assert [] == [name for name in COMMANDS if f"sitemapx {name}" not in text]


def test_readme_is_short() -> None:
    """The README has at most 900 words, without URLs."""
    text = re.sub(r"\(https:[^)]*\)", "", (ROOT / "README.md").read_text())

    assert len(text.split()) <= 900


def test_picture_of_the_report_is_up_to_date() -> None:
    def words(text: str) -> str:
        return " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", text))

    assert words(picture()) == words(PICTURE.read_text())


@pytest.mark.parametrize(
    ("generator", "folder", "count"), [("manpages", "man", 30), ("commandpages", "commands", 13)]
)
def test_pages_of_commands_match_help(
    generator: str, folder: str, count: int, tmp_path: Path
) -> None:
    """Pages show the text of --help, generated in a process that has run no command yet."""
    command = [sys.executable, "-m", f"tests.{generator}", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True)
    made = {path.name: path.read_text() for path in tmp_path.iterdir()}

    assert count == len(made)
    assert made == {path.name: path.read_text() for path in (ROOT / "docs" / folder).iterdir()}


def test_links_of_the_readme_are_absolute() -> None:
    """Links also work on a package index: they are absolute, and lead to existing files."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    source = project["urls"]["Source"]
    raw = source.replace("//github.com/", "//raw.githubusercontent.com/")
    text = (ROOT / "README.md").read_text()
    links = [*re.findall(r"\]\(\s*([^)\s]+)\)", text), *project["urls"].values()]
    files = [
        link.removeprefix(start)
        for link in links
        for start in (f"{source}/blob/main/", f"{raw}/main/")
        if link.startswith(start)
    ]

    assert [] == [
        link
        for link in links
        if not link.startswith((source, raw, project["urls"]["Documentation"]))
    ]
    assert len(files) > 15
    assert [] == [name for name in files if not (ROOT / name).is_file()]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, sitemapx: Run) -> None:
    done = sitemapx(command, "--help")

    assert 0 == done.returncode
    assert f"Usage: sitemapx {command}".encode() in done.stdout


def test_python_in_the_readme_runs(
    tmp_path: Path, samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    (tmp_path / "samples").symlink_to(samples)
    monkeypatch.chdir(tmp_path)
    exec(code, {})

    assert b"<loc>" in (tmp_path / "pages.xml").read_bytes()
    assert b"<loc>" in (tmp_path / "kept.xml").read_bytes()


PYTHON_EXAMPLES = [
    pytest.param(code, id=f"{name}-{number}")
    for name in ("api.md", "python.md", "steps.md")
    for number, code in enumerate(
        re.findall(r"```python\n(.*?)```", (ROOT / "docs" / name).read_text(), re.DOTALL)
    )
]


@pytest.mark.parametrize("code", PYTHON_EXAMPLES)
def test_python_in_the_docs_runs(
    code: str,
    tmp_path: Path,
    samples: Path,
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    server.answers["/sitemap.xml"] = Answer((samples / "sitemap.xml").read_bytes())
    site = f'"{server.url}", fetcher=Fetcher(allow_private=True)'
    (tmp_path / "samples").symlink_to(samples)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("os.environ", {**os.environ, "XDG_STATE_HOME": str(tmp_path)})
    exec(code.replace('"example.com"', site), {"Fetcher": Fetcher})

    assert capsys.readouterr().out.strip() or "print" not in code
