"""Texts are plain English in one style, with one word for one thing."""

import ast
import importlib
import inspect
import re
import tokenize
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from sitemapx.check.rules.registry import RULES
from sitemapx.convert.model.problems import PROBLEMS
from sitemapx.submit.robots.lint import FINDINGS

_SOURCES = Path(__file__).parent.parent
_LONGEST_HEADLINE = 55
#: Names that begin a sentence or a headline as they are spelt.
_NAMES = ("hreflang", "http:", "x-default", "content_loc", "lastmod", "%")
#: Messages say "search engine"; texts of several sentences do so once. "engine yandex" is code.
_ENGINE = (
    r"(?<!search )(?<!template )(?<![-`.])\bengines?\b"
    r"(?![`\]]|\.[\w{]|\ (?:bing|google|yandex|\{\})$)"
)
#: Pages of the project, which the installed package lacks.
_PAGE = r"\bdocs/\w+\.md\b"
#: Banned phrase -> replacement.
_BANNED = {
    r"\bmend(s|ed|ing)?\b(?!-loc)": "fix",
    r"(?<!cannot )\b(told|tells?)\b": "report, notify, say, show",
    r"\b(that|which) (is|are) (none|no)\b(?! longer)|\b(is|are) (?-i:none)\b": "invalid, missing",
    r"\bthere is (no|nothing|none)\b(?! (sitemap|base URL)\b)": "missing, not found",
    r"\b(left|leaves?|leaving)( \w+)? out\b": "skip an entry, drop a value, omit",
    r"\b(stays?|left|is) as (it|they) (is|was|are|were)\b": "was not changed",
    r"\bhas no place\b": "does not support",
    r"\b(full|whole) URL\b(?!,)": "absolute URL",
    r"\bletter for letter\b": "exactly",
    r"\bwritten otherwise\b|\botherwise than\b": "differently, not as",
    r"\bschemas? refuses?\b|\brefused by the\b": "fails schema validation",
    r"\bchild(ren)? of an index\b": "listed sitemap",
    r"\btwins?\b": "duplicate",
    _ENGINE: "search engine",
    r"\bsecrets are there\b": "with credentials configured",
    r"\ba defect of\b": "internal error",
    r"\bis there already\b": "already exists",
    r"\bnothing in it\b": "empty",
    r"(?<!private )(?<!IP )(?<!email )(?<!loopback )(?<!, )\baddress(es)?\b": "URL",
    r"\bfolders?\b": "directory",
    r"\btells? no format\b": "cannot infer the format",
    r"\bask(s|ed)? for\b(?! a pause)": "fetch, request",
    r"\b(one|which) of both\b": "one of them, which of them",
    r"\btak(e|es|ing)( \w+)? (out|away)\b": "remove",
    r"\bname (it|its|the) .*with --": "pass --option",
    r"\b(no|any|some|every)body\b|\bwhoever\b": "the subject that is meant",
    r"\bwhite space\b": "whitespace",
    r"\bletters beyond ASCII\b": "non-ASCII character",
    r"\bis not known\b": "is unknown",
    r"\brun this again\b": "run again",
    r"\b(object|one|URLs?|requests?) a (line|request|day|minute)\b": "per line, per request",
    r"\bwrong usage\b": "usage error",
    r"\bwrite .* anew\b": "rewrite",
    r"\bsays? (how|where|so)\b.*\bthat it does\b": "documented",
    r"\b(what|whatever) became of\b": "result, regardless of the result",
    r"\bstays the \w+ that\b|\bthe one that is meant\b": "is kept as, the correct one",
    r"\binvented\b": "made up",
    r"\bnot a byte (more|else)\b": "every other byte stays the same",
    r"\bin its place\b": "instead",
    r"\bwhat .*\b(have in common|has to know)\b": "parts that they share",
    _PAGE: "a command, or the URL of the page",
    # British spelling, with -ize as in Oxford
    r"\w+(cogni|rmali|nimi|gani|mari|timi|tiali|tali)s(e[ds]?|ing)\b": "-ize",
    r"\b(mis)?spelled\b": "spelt",
    r"\b(behavior|colou?rized|colored|catalog|favorite)\b": "behaviour, coloured, catalogue",
}
#: Banned pattern in docstrings and comments -> replacement.
_BANNED_IN_CODE = {
    r"(?:^|[.;:] )(?:What|Who|Whom|Whose|How (?:many|much|often))\b": "a noun, as in: Number of …",
    r"\b[Ww](?:hoever|hatever|homever)\b|\bto whom\b": "the subject that is meant",
    r"\bsuch as (?:are|is)\b": "those that, or an adjective",
    r"\b[Ss]o (?:many|much)\b": "Maximum number of …",
    r"\bof it\b": "the noun",
    r"(?<!here )\b(?:is|are|was|were) (?:none|no)\b(?! longer)": "is invalid, is not a …",
    r"\b(?:[Tt]old|[Tt]ells?)\b": "report, notify, show",
    r"\b[Aa]sk(?:s|ed|ing)? for\b(?! a pause)": "request, fetch",
    r"\b(?:[Nn]o|[Aa]ny|[Ss]ome|[Ee]very)body\b": "the subject that is meant",
    r"\ball the same\b|\bin vain\b|\bbecame of\b|\bonce more\b": "anyway, pointless, result, again",
    r"\bletter for letter\b|\bleaves? out\b|\bbrought to light\b": "exactly, skip, revealed",
    r"\bwhat is below\b|\bfor good\b|\bin any spelling\b": "the layers below, permanently, form",
    r"\b(?:held|holds?|kept|keeps?) back\b": "buffered, deferred",
    r"^`sitemapx [^`]*`\.$": "The command `sitemapx …`: verb and object",
}
#: Names of functions that say neither what they do nor to what.
_BANNED_NAMES = frozenset(
    {
        *("at", "in", "to", "by", "on", "one", "told", "said", "asked", "judged", "joined"),
        *("spread", "placed", "cleaned", "mute", "be_copy", "look_at", "shape_of", "respelled"),
        *("loaded", "delayed", "gone", "against", "outside", "in_step", "trial"),
    }
)
#: Exceptions: file and text, with the reason.
_RIGHT_IN_CODE = {
    # help of a command, which the tests of texts for users check
    ("sitemapx/cli/commands/submit/withdraw.py", "the next `submit` of it sends it again"),
}
_CODE_FOLDERS = ("bench", "check", "convert", "samples", "sitemapx", "submit", "tests")
_NO_URLS = (
    "header has no URL column: expected a column named loc, url or address, "
    "or columns named by language codes such as en and de-AT"
)
#: Exceptions: file and text.
_RIGHT = {
    ("convert/formats/csv/header.py", "full url"),  # a name that a column may have, as "address"
    ("convert/formats/csv/header.py", _NO_URLS),
}
#: Starts of SQL statements.
_SQL = ("ATTACH ", "SELECT ", "INSERT ", "UPDATE ", "DELETE ", "CREATE ", "DROP ", "(:", "(id ")
_HEADLINES = {code: rule.wrong for code, rule in RULES.items()}
_REASONS = {
    f"{what} of {code}": text
    for code, rule in RULES.items()
    for what, text in (("why", rule.why), ("fix", rule.fix))
}
_MEANINGS = {
    f"{kind} {code}": one.meaning
    for kind, kinds in (("problem", PROBLEMS), ("finding of robots", FINDINGS))
    for code, one in kinds.items()
}
_FILES = [
    path.relative_to(_SOURCES).as_posix()
    for folder in ("check", "convert", "submit", "sitemapx/cli", "sitemapx")
    for path in sorted(
        _SOURCES.glob(f"{folder}/*.py" if folder == "sitemapx" else f"{folder}/**/*.py")
    )
]
_DOCUMENTS = [
    path.relative_to(_SOURCES).as_posix()
    for path in sorted([*_SOURCES.glob("*.md"), *(_SOURCES / "docs").rglob("*.md")])
]
PACKAGES = ("sitemapx.convert", "sitemapx.convert.steps", "sitemapx.check", "sitemapx.submit")
_PUBLIC = [
    f"{package}.{name}"
    for package in PACKAGES
    for name in dir(importlib.import_module(package))
    if callable(getattr(importlib.import_module(package), name)) and not name.startswith("_")
]


def _banned(text: str, *, allowed: Collection[str] = ()) -> list[str]:
    """Return the banned phrases in a text, with replacements."""
    return [
        f"{m[0]!r}: write {instead}"
        for pattern, instead in _BANNED.items()
        if pattern not in allowed and (m := re.search(pattern, text, re.IGNORECASE))
    ]


def _violations(texts: Mapping[str, str], *, allowed: Collection[str] = ()) -> dict[str, list[str]]:
    """Return the banned phrases of each text that has any, by the name of the text."""
    found = {name: _banned(text, allowed=allowed) for name, text in texts.items()}
    return {name: banned for name, banned in found.items() if banned}


def test_headlines_fit_into_a_line() -> None:
    wrong = [
        headline
        for headline in _HEADLINES.values()
        if len(headline) > _LONGEST_HEADLINE
        or not (headline[0].isupper() or headline.startswith(_NAMES))
        or headline.startswith(("A ", "An ", "The "))
        or headline.endswith((".", ":", ";", "!"))
    ]
    assert [] == wrong
    assert {} == _violations(_HEADLINES)


def test_headlines_are_distinct() -> None:
    assert [one for one, count in Counter(_HEADLINES.values()).items() if count > 1] == []


def test_reasons_are_sentences() -> None:
    wrong = [
        text
        for text in _REASONS.values()
        if not (text[0].isupper() or text.startswith(_NAMES)) or not text.endswith((".", ".)"))
    ]
    assert [] == wrong
    assert {} == _violations(_REASONS)


def test_meanings_are_phrases() -> None:
    """Meanings of codes begin without an article and end without a full stop."""
    wrong = [
        text
        for text in _MEANINGS.values()
        if text.startswith(("a ", "an ", "the ")) or text.endswith(".")
    ]
    assert [] == wrong
    assert {} == _violations(_MEANINGS)


def test_modules_have_no_banned_phrase() -> None:
    texts = {
        f"{name}: {text}": text
        for name in _FILES
        for text in _texts(_SOURCES / name)
        if (name, text) not in _RIGHT
    }
    assert {} == _violations(texts)


def test_documents_have_no_banned_phrase() -> None:
    parts = {
        f"{name}: {part}": part
        for name in _DOCUMENTS
        for part in _parts((_SOURCES / name).read_text(encoding="utf-8"))
    }
    assert {} == _violations(parts, allowed=(_ENGINE, _PAGE))


def _parts(text: str) -> list[str]:
    """Return the paragraphs, items and cells of Markdown, without code and targets of links."""
    text = re.sub(r"^( *)```.*?^\1```|^ {4}.*?$|^<!--.*?-->$", "\n", text, flags=re.M | re.S)
    text = re.sub(r"`[^`]*`", "`…`", re.sub(r"\]\([^)]*\)", "]", text))
    parts = re.split(r"\n\s*\n|^ *(?:[-*#]+|\d+\.) |^\||\|$| \| ", text, flags=re.MULTILINE)
    return [" ".join(part.split()) for part in parts]


def test_public_docstrings_have_no_banned_phrase() -> None:
    parts = {
        f"{name}: {part}": part
        for name in _PUBLIC
        for documented in _docstrings(_member(name))
        for part in _parts(documented)
    }
    assert {} == _violations(parts, allowed=(_ENGINE, _PAGE))


def _member(name: str) -> object:
    package, _, member = name.rpartition(".")
    return getattr(importlib.import_module(package), member)


def _docstrings(documented: object) -> Iterator[str]:
    """Return the docstrings of a function, or of a class and its public members."""
    yield inspect.getdoc(documented) or ""
    for name, member in vars(documented).items() if inspect.isclass(documented) else ():
        if not name.startswith("_") and (inspect.isroutine(member) or isinstance(member, property)):
            yield inspect.getdoc(member) or ""


def test_package_docstrings_have_no_banned_phrase() -> None:
    parts = {
        f"{package}: {part}": part
        for package in PACKAGES
        for part in _parts(importlib.import_module(package).__doc__ or "")
    }
    assert {} == _violations(parts)


def test_pages_that_the_program_names_exist() -> None:
    """URLs of the documentation in messages lead to pages."""
    texts = "\n".join(text for name in _FILES for text in _texts(_SOURCES / name))
    pages = re.findall(r"sitemapx\.github\.io/sitemapx/([\w/-]+)\.html", texts)
    assert pages
    assert [one for one in pages if not (_SOURCES / "docs" / f"{one}.md").exists()] == []


def test_package_and_readme_have_the_same_description() -> None:
    project = tomllib.loads((_SOURCES / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    start = "Convert, validate, repair, compare and submit sitemaps"
    readme = (_SOURCES / "README.md").read_text(encoding="utf-8")
    assert project["description"] == f"{start}, feeds and URL lists."
    assert readme.startswith(f"# sitemapx\n\n{start}")


def _texts(path: Path) -> Iterator[str]:
    """Yield the texts of a module with several words, except SQL."""
    for text in _literals(ast.parse(path.read_text(encoding="utf-8"))):
        if " " in text.strip() and not text.lstrip().startswith(_SQL):
            yield text


def _literals(tree: ast.Module) -> Iterator[str]:
    """Yield all string literals, and docstrings of commands, which are their help."""
    skipped = set[int]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            skipped.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            skipped.update(map(id, node.values))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and _is_command(node):
            yield " ".join((ast.get_docstring(node) or "").split())
        elif isinstance(node, ast.JoinedStr):
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
            )
        elif isinstance(node, ast.Constant) and id(node) not in skipped:
            yield node.value if isinstance(node.value, str) else ""


def _is_command(function: ast.FunctionDef) -> bool:
    """Return whether a function is a command or group of click."""
    names = {
        node.attr
        for decorator in function.decorator_list
        if isinstance(decorator, ast.Call)
        for node in ast.walk(decorator.func)
        if isinstance(node, ast.Attribute)
    }
    return not names.isdisjoint({"command", "group"})


def _code_files() -> Iterator[str]:
    """Yield all modules by their real paths, without the links in `sitemapx`."""
    links = ("sitemapx/check/", "sitemapx/convert/", "sitemapx/submit/")
    for folder in _CODE_FOLDERS:
        for path in sorted((_SOURCES / folder).rglob("*.py")):
            name = path.relative_to(_SOURCES).as_posix()
            if not name.startswith(links):
                yield name


def _code_texts(path: Path) -> Iterator[str]:
    """Yield all docstrings and comments of a module, each on one line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield " ".join((ast.get_docstring(node) or "").split())
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.COMMENT:
                yield token.string.lstrip("#: ")


def _violations_in_code(path: Path, name: str) -> list[str]:
    """Return the banned patterns in the docstrings and comments of a module."""
    allowed = [text for file, text in _RIGHT_IN_CODE if file == name]
    return [
        f"{name}: {m[0]!r} in {text[max(0, m.start() - 40) : m.end() + 40]!r}: write {instead}"
        for text in _code_texts(path)
        for pattern, instead in _BANNED_IN_CODE.items()
        for m in re.finditer(pattern, text)
        if not any(right in text for right in allowed)
    ]


def _banned_names(path: Path) -> list[str]:
    return [
        node.name
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.strip("_") in _BANNED_NAMES
    ]


def test_docstrings_and_comments_have_no_banned_pattern() -> None:
    """All code is in plain English; nothing is exempt but `_RIGHT_IN_CODE`."""
    assert [] == [
        found for name in _code_files() for found in _violations_in_code(_SOURCES / name, name)
    ]


def test_functions_are_named_by_verbs() -> None:
    assert [] == [
        (name, function) for name in _code_files() for function in _banned_names(_SOURCES / name)
    ]


def test_planted_patterns_in_code_are_found(tmp_path: Path) -> None:
    """Each pattern matches a docstring and a comment; plain English matches none."""
    planted = (
        "What is kept. Whoever reads it. Such as are left: such as are left. So many bytes. All of "
        "it. A date that is none. Is told. Asked for twice. Nobody knows. Kept all the same. "
        "It is brought to light. May import `x` and what is below it. Requests are held back."
    )
    path = tmp_path / "module.py"
    bare_path = "`sitemapx x`."
    for source in (
        f'"""{bare_path}"""\ndef x():\n    """{planted}"""\n',
        f"#: {bare_path}\n#: {planted}\n",
    ):
        path.write_text(source)
        found = _violations_in_code(path, "module.py")
        assert [
            instead
            for instead in _BANNED_IN_CODE.values()
            if not any(text.endswith(instead) for text in found)
        ] == []
    path.write_text('"""Return the codes; None if there is none."""\n#: Maximum number of bytes.\n')
    assert _violations_in_code(path, "module.py") == []
    path.write_text("def _told():\n    pass\n")
    assert _banned_names(path) == ["_told"]


def test_a_banned_phrase_is_found() -> None:
    assert _banned("fix the date") == []
    assert _banned("search engines skip it; a private address needs --allow-private") == []
    assert _banned("a date that is none") == ["'that is none': write invalid, missing"]


def test_texts_of_a_module_are_found(tmp_path: Path) -> None:
    """Messages, help and docstrings of commands are checked; other docstrings are not."""
    path = tmp_path / "module.py"
    path.write_text(
        '"""What it is told."""\n'
        '@click.command("x")\n@click.option("--y", help="Where the folder is.")\n'
        'def command(y):\n    """Tell\n    engines."""\n    say(f"the folder {y} is gone")\n'
        'def other():\n    """Return what was told."""\n'
    )
    assert {
        "Tell engines.": [
            "'Tell': write report, notify, say, show",
            "'engines': write search engine",
        ],
        "Where the folder is.": ["'folder': write directory"],
        "the folder {} is gone": ["'folder': write directory"],
    } == {text: found for text in _texts(path) if (found := _banned(text))}
