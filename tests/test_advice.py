"""Advice in messages mentions only options that its reader can pass."""

import ast
import re
import shlex
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import click
import pytest

from sitemapx.cli.app import sitemapx
from sitemapx.cli.commands import convert
from sitemapx.cli.commands.check import command as check
from sitemapx.cli.commands.submit import command as submit
from sitemapx.cli.options.types import advise, option_name
from sitemapx.cli.publish.command import command as publish
from sitemapx.cli.publish.site import SettingsAdvice
from sitemapx.cli.terminal.groups import WithCommands
from tests.conftest import ROOT

STEPS = {"convert": convert.command, "check": check.command, "submit": submit.command}
_option = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
#: A command in backticks, without placeholders for the command and its options.
_advised_commands = re.compile("`(sitemapx [a-z][^`…]*)`").findall
#: A command without backticks: an example in help, or a line by itself.
_command_in = re.compile(r"sitemapx [a-z]+ .*")


def _options_in(text: str) -> set[str]:
    """Return the options in a message, except those in commands."""
    return {option for part in text.split("`")[::2] for option in _option.findall(part)}


def _part(part: ast.expr) -> str:
    """Return a part of a message: text, or the name of an option on the command line."""
    if isinstance(part, ast.Constant):
        return str(part.value)
    assert isinstance(part, ast.FormattedValue)
    call = part.value
    if not (isinstance(call, ast.Call) and ast.unparse(call.func) == "option"):
        return "X"
    names = [arg.value for arg in call.args if isinstance(arg, ast.Constant)]
    return option_name(*map(str, names)) if names else "X"


def _messages(folder: str) -> Iterator[str]:
    """Yield the texts in the code of a directory that mention options; no docstrings or help."""
    return (text for text in _texts(folder) if _options_in(text))


def _texts(folder: str) -> Iterator[str]:
    """Yield the texts with spaces in the code of a directory; no docstrings."""
    for path in (ROOT / folder).rglob("*.py"):
        tree = ast.parse(path.read_text())
        docs = {
            node.body[0].value
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and isinstance(node.body[0], ast.Expr)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                text = "".join(map(_part, node.values))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = node.value
            else:
                continue
            if node not in docs and " " in text:
                yield text


def _contexts(context: click.Context) -> Iterator[click.Context]:
    """Yield the contexts of a command and all its subcommands."""
    yield context
    command = context.command
    inner: list[click.Command | None] = []
    if isinstance(command, click.Group):
        inner = [command.get_command(context, name) for name in command.list_commands(context)]
    elif isinstance(command, WithCommands):
        inner = [command.get_command(name) for name in command.names]
    for one in filter(None, inner):
        yield from _contexts(click.Context(one, context, one.name))


def test_advice_has_only_options_of_the_command() -> None:
    texts = set(_messages("submit"))
    contexts = list(_contexts(click.Context(sitemapx)))

    assert len(texts) > 15
    assert len(contexts) > 20
    for context in contexts:
        known = {opt for param in context.command.params for opt in param.opts}
        with context:
            assert all(_options_in(advise(text)) <= known for text in texts)
            assert advise("run again") == "run again"
            assert advise("run `sitemapx submit --all`") == "run `sitemapx submit --all`"


def _options_of(context: click.Context) -> set[str]:
    """Return the options of a command and all its subcommands."""
    params = (param for one in _contexts(context) for param in one.command.params)
    return {"--help", *(opt for param in params for opt in param.opts)}


@pytest.mark.parametrize("folder", ["convert", "check", "submit", "sitemapx/cli"])
def test_messages_name_options_that_exist(folder: str) -> None:
    """Advice that names an unknown option is dropped when it is adapted."""
    known = _options_of(click.Context(sitemapx))
    texts = set(_messages(folder))

    assert texts
    assert not {text: wrong for text in texts if (wrong := _options_in(text) - known)}


def test_messages_of_a_command_name_its_options() -> None:
    root = click.Context(sitemapx)
    folders = [path for path in (ROOT / "sitemapx/cli/commands").iterdir() if path.is_dir()]
    commands = {path: sitemapx.get_command(root, path.name) for path in folders}
    texts = {
        (command.name, text): _options_in(_command_in.sub("", text))
        - _options_of(click.Context(command, root))
        for path, command in commands.items()
        if command
        for text in _messages(str(path.relative_to(ROOT)))
    }

    assert len(texts) > 20
    assert not {text: wrong for text, wrong in texts.items() if wrong}


def _parse(command: str) -> None:
    """Parse a command line without running the command; raise UsageError if that fails."""
    context, args = click.Context(sitemapx), shlex.split(command)[1:]
    while isinstance(context.command, click.Group) and args[0] != "--help":
        name, inner, args = context.command.resolve_command(context, args)
        assert inner
        context = click.Context(inner, context, name)
    with suppress(click.exceptions.Exit):  # after printing help
        context.command.make_context(context.info_name, args, context.parent)


def test_advised_commands_run_as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sitemapx.toml").write_text("convert.sources = ['a']\ncheck.sources = ['a']\n")
    folders = ["convert", "check", "submit", "sitemapx/cli"]
    texts = [text for folder in folders for text in _texts(folder)]
    cases = (ROOT / "tests/cases").glob("*/*/*")
    texts += [path.read_text() for path in cases if path.name in ("out", "err")]
    commands = {command for text in texts for command in _advised_commands(text)}

    assert len(commands) > 30
    for command in commands:
        _parse(command)


@pytest.mark.parametrize("step", STEPS)
def test_publish_names_settings_of_its_steps(step: str) -> None:
    advise_reader = SettingsAdvice(STEPS[step], publish)
    folders = {"convert": ["convert"], "check": ["check", "convert"], "submit": ["submit"]}
    own = {opt for param in publish.params for opt in param.opts}
    options = {opt for param in STEPS[step].params for opt in param.opts} - own
    texts = {text for folder in folders[step] for text in _messages(folder)}

    assert texts
    for text in texts:
        assert not _options_in(advise_reader(text)) & options


@pytest.mark.parametrize(
    ("step", "text", "expected"),
    [
        ("submit", "pass --no-wait to send now", "set no-wait = true in [submit] to send now"),
        ("submit", "pass --journal to use another", "set journal in sitemapx.toml to use another"),
        ("submit", "raise --budget", "raise budget in [submit]"),
        ("submit", "check --endpoint", "check endpoint in [engines.NAME]"),
        ("submit", "pass --allow-removals", "pass --allow-removals"),
        ("submit", "see `sitemapx check a.xml --map u=d`", "see `sitemapx check a.xml --map u=d`"),
        ("submit", "https://e.example/a--journal", "https://e.example/a--journal"),
        (
            "convert",
            "pass --from text, csv or jsonl to read it",
            'set from = "text" in [convert], csv or jsonl to read it',
        ),
        (
            "convert",
            "pass --source-url URL-OF-THIS-INDEX or --map URL=DIR",
            'set source-url = "URL-OF-THIS-INDEX" in [convert] or map in [convert] URL=DIR',
        ),
        ("check", "allow this with --allow-private", "allow this with allow-private in [check]"),
    ],
)
def test_options_become_settings(step: str, text: str, expected: str) -> None:
    assert expected == SettingsAdvice(STEPS[step], publish)(text)


def test_messages_of_submit_pass_options_through_advice() -> None:
    """Text with `pass --` in `submit` must go through `advice`, or the `action` of an answer."""
    actions = re.compile(r"(advice\(|Answer\(|_WORDS|_ERRORS|_CURES|_OPTIONS|action = )")
    plain = {
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in Path(ROOT / "submit").rglob("*.py")
        for line in path.read_text().splitlines()
        if "pass --" in line
        and not actions.search(line)
        and not line.strip().startswith(("#", ">"))
    }

    assert set() == {line for line in plain if "robots/" not in line and not line.endswith('"""')}
