"""The code is where the documentation says it is, and imports what its packages say they import."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from configparser import ConfigParser
from functools import cache, reduce
from importlib import import_module
from pathlib import Path

import pytest

from tests.architecture import (
    PICTURE,
    PROGRAM,
    family,
    graph,
    imports,
    layers,
    notes,
    picture,
)
from tests.conftest import ROOT

PACKAGES = sorted(name for name in graph().modules if graph().find_children(name))
MAIN = f"{PROGRAM}.__main__"
DOCUMENTS = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").glob("*.md"),
    *(ROOT / name / "README.md" for name in ("tests", "bench")),
]


def _modules(*folders: str) -> list[Path]:
    """List the modules in these folders, those behind links not again."""
    found = sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return [path for path in found if not any(parent.is_symlink() for parent in path.parents)]


PRODUCT = _modules("check", "convert", "sitemapx", "submit")
MODULES = [*PRODUCT, *_modules("bench", "tests")]

#: The most modules in a folder, and the most lines of code in a module.
MOST_MODULES, MOST_LINES = 20, 500


def test_picture() -> None:
    """The picture of the layers is that of the import graph; see `tests.architecture`."""
    assert picture() == PICTURE.read_text()


def test_no_circles() -> None:
    """The modules and packages in a package import each other in one direction only."""
    for package in PACKAGES:
        children = graph().find_children(package) - {MAIN}
        assert sum(map(len, layers(package))) == len(children), package


# ---- what a package says that it may import


@cache
def _contracts() -> list[list[set[str]]]:
    """List the contracts of .importlinter that have layers, each from the top."""
    config = ConfigParser()
    config.read(ROOT / ".importlinter")
    return [_layers(section) for section in config.values() if section.get("type") == "layers"]


def _layers(contract: Mapping[str, str]) -> list[set[str]]:
    prefix = f"{contract['containers']}." if "containers" in contract else ""
    lines = contract["layers"].strip().splitlines()
    return [{f"{prefix}{name.strip()}" for name in line.split("|")} for line in lines]


def _named(package: str) -> set[str]:
    """List the modules that a package may import by what it says: `x`, but not "in `x`"."""
    _, found, sentence = notes(package).partition("May import ")
    assert found, f"{package}: what may it import?"
    names = re.findall(r"(?<! in )(?<! of )(?<! but )`([\w.]+)`", sentence)
    named = {_resolved(name, package) for name in names}
    return named | set(_below(named)) if "what is below" in sentence else named


def _resolved(name: str, package: str) -> str:
    """Find what a name means in a package: a module beside it, or beside one around it."""
    around = package
    while around:
        around = around.rpartition(".")[0]
        found = f"{around}.{name}" if around else name
        if found in graph().modules:
            return found
    raise AssertionError(f"{package}: there is no {name}")


def _below(names: set[str]) -> Iterator[str]:
    """Give what is in layers below these modules."""
    for contract in _contracts():
        depths = [depth for depth, layer in enumerate(contract) if names & layer]
        if depths:
            yield from set().union(*contract[max(depths) + 1 :])


def _allowed(package: str) -> set[str]:
    """List the modules that a package may import, by its docstring and those around it."""
    shared = ("errors", "names", "optionnames", "suggestions")
    allowed = {PROGRAM, *(f"{PROGRAM}.{name}" for name in shared)}
    while package != PROGRAM:
        allowed |= set().union(*map(family, _named(package)))
        package = package.rpartition(".")[0]
    return allowed


def test_packages_import_what_they_say() -> None:
    """The docstring of a package says what it may import, and it imports nothing else."""
    forbidden = {package: sorted(imports(package) - _allowed(package)) for package in PACKAGES}

    assert {} == {package: names for package, names in forbidden.items() if names}


def test_packages_say_what_contracts_allow() -> None:
    """The docstring of a package allows only what is in lower layers of .importlinter."""
    for package in PACKAGES:
        for contract in _contracts():
            depth = {name: depth for depth, layer in enumerate(contract) for name in layer}
            own = next((depth[one] for one in depth if package in family(one)), None)
            below = {name for name, other in depth.items() if own is not None and other > own}
            beside = depth.keys() - below - {one for one in depth if package in family(one)}

            assert own is None or [] == sorted(_named(package) & beside), package


# ---- names in documentation


def _exists(name: str) -> bool:
    """Tell whether a dotted name is that of a module, a class or a function."""
    parts = f"{PROGRAM}.{name.removeprefix(f'{PROGRAM}.')}".split(".")
    length = max(n for n in range(1, len(parts) + 1) if ".".join(parts[:n]) in graph().modules)
    try:
        reduce(getattr, parts[length:], import_module(".".join(parts[:length])))
    except AttributeError:
        return False
    return True


def test_names_in_documents_exist() -> None:
    """Each module, function, file and directory that a document names exists."""
    dotted = rf"(?:{PROGRAM}\.)?(?:cli|convert|check|submit|errors)(?:\.[A-Za-z_]\w*)+"
    ignored = set((ROOT / ".gitignore").read_text().splitlines())
    tops = {top.name for top in ROOT.iterdir()}
    for path in DOCUMENTS:
        spans = re.findall(r"(?<!`)`([^`\s]+)`(?!`)", path.read_text())
        names = {span for span in spans if re.fullmatch(dotted, span)}
        paths = {span for span in spans if re.match(r"(?:[\w.]+)/[\w./-]*$", span)} - ignored
        globs = {re.sub(r"NAME|CODE|TOPIC", "*", one) for one in paths if one.split("/")[0] in tops}

        assert [] == sorted(name for name in names if not _exists(name)), path
        assert [] == sorted(one for one in globs if not any(ROOT.glob(one.rstrip("/")))), path


@pytest.mark.parametrize(("walk", "most"), [("convert", 20), ("submit", 16)])
def test_walk(walk: str, most: int) -> None:
    """A walk through the program has few stages, and each names a function or a class."""
    text = (ROOT / "docs" / "architecture.md").read_text()
    section = text.split(f"<!-- {walk} -->")[1].split("<!-- end -->")[0]
    _, *stages = re.split(r"^\d+\. ", section, flags=re.MULTILINE)

    assert 10 <= len(stages) <= most
    assert all(re.search(r"`\w+(?:\.\w+)+`", stage) for stage in stages)


def test_references_exist() -> None:
    """Whatever docstrings and comments tell to see is there: beside them, or in any module."""
    texts = {path: path.read_text() for path in MODULES}
    anywhere = {path.stem for path in MODULES} | {path.parent.name for path in MODULES}
    for text in texts.values():
        anywhere |= set(re.findall(r"^(?:class |def |)(\w+)(?=[(:]| = )", text, re.MULTILINE))
    missing = [
        f"{path.relative_to(ROOT)}: {name}"
        for path, text in texts.items()
        for name in re.findall(r"\b[Ss]ee\s+`([A-Za-z_][\w.]*)`", text)
        if not (_exists(name) if name.startswith(f"{PROGRAM}.") else name in anywhere)
        and not set(name.split(".")) <= _words(text)
    ]

    assert [] == missing


def _words(text: str) -> set[str]:
    """List the words in the code of a module, without its docstrings and comments."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value = ast.Constant(None)
    return set(re.findall(r"\w+", ast.unparse(tree)))


# ---- names that modules offer


@cache
def _trees() -> dict[str, ast.Module]:
    """Parse all modules: by their dotted names, for those of the product."""
    return {_dotted(path): ast.parse(path.read_text()) for path in MODULES}


def _dotted(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    return ".".join(parts if parts[0] in (PROGRAM, "bench", "tests") else (PROGRAM, *parts))


def _offered(module: str) -> set[str]:
    """List the names that a module offers: those in `__all__`, else those without underscores."""
    names: set[str] = set()
    for node in _trees().get(f"{module}.public", _trees()[module]).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
        names.update(_defined(node))
    return {name for name in names if not name.startswith("_")}


def _defined(node: ast.stmt) -> Iterator[str]:
    """Give the names that a statement defines in its module."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.If | ast.Try):
        for inner in (*node.body, *node.orelse):
            yield from _defined(inner)
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            yield from (one.id for one in ast.walk(target) if isinstance(one, ast.Name))


def _decorated(module: str) -> set[str]:
    """List the functions of a module that a decorator may have put to use."""
    return {
        node.name
        for node in _trees()[module].body
        if isinstance(node, ast.FunctionDef) and node.decorator_list
    }


def _imported(name: str) -> Iterator[tuple[str, str]]:
    """Give what a module imports from others, and what it uses of those imported as a whole."""
    modules = {}
    for node in ast.walk(_trees()[name]):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if (whole := f"{node.module}.{alias.name}") in _trees():
                    modules[alias.asname or alias.name] = whole
                else:
                    yield node.module, alias.name
    for node in ast.walk(_trees()[name]):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield modules.get(node.value.id, ""), node.attr


def test_imported_names_are_offered() -> None:
    """What a module of the product imports from another is defined there, without underscore."""
    wrong = [
        f"{_dotted(path)}: {module}.{name}"
        for path in PRODUCT
        for node in ast.walk(_trees()[_dotted(path)])
        if isinstance(node, ast.ImportFrom) and (module := node.module) in _trees()
        for name in (alias.name for alias in node.names)
        if f"{module}.{name}" not in _trees() and name not in ("*", "__version__")
        if name.startswith("_") or name not in _offered(str(module))
    ]

    assert [] == wrong


def test_offered_names_are_used() -> None:
    """A name without underscore is a type, or used by another module, or named in a string."""
    used = {found for name in _trees() for found in _imported(name)}
    named = {
        word
        for path in PRODUCT
        for node in ast.walk(_trees()[_dotted(path)])
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for word in re.findall(r":(\w+)$", node.value)
    }
    named |= {"command", "TYPE_CHECKING"}  # `LazyGroup` imports the command of each module
    modules = [_dotted(path) for path in PRODUCT if path.stem not in ("public", "__init__")]
    wrong = [
        f"{module}: {name}"
        for module in modules
        for name in sorted(_offered(module) - _decorated(module) - named)
        if (name.isupper() and len(name) > 1) or name[0].islower()
        if (module, name) not in used
    ]

    assert [] == wrong


def test_no_homonyms() -> None:
    """No two classes of the product have the same name, with or without an underscore."""
    names = Counter(
        node.name.strip("_")
        for path in PRODUCT
        for node in ast.walk(_trees()[_dotted(path)])
        if isinstance(node, ast.ClassDef)
    )

    assert [] == [name for name, count in names.items() if count > 1]


# ---- sizes


def test_no_folder_is_wide() -> None:
    """A folder does not hold too many modules, `__init__` aside."""
    modules = [*PRODUCT, *_modules("bench")]
    counts = Counter(str(p.parent.relative_to(ROOT)) for p in modules if p.stem != "__init__")

    assert {} == {name: count for name, count in counts.items() if count > MOST_MODULES}


def test_no_module_is_long() -> None:
    """A module does not have too many lines of code; comments and docstrings do not count."""
    counts = {str(path.relative_to(ROOT)): _lines_of_code(path) for path in PRODUCT}

    assert {} == {name: count for name, count in counts.items() if count > MOST_LINES}


def _lines_of_code(path: Path) -> int:
    tree = _trees()[_dotted(path)]
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    docstrings = {
        line
        for node in statements
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for line in range(node.lineno, (node.end_lineno or 0) + 1)
    }
    lines = path.read_text().splitlines()
    is_code = (bool(line.strip()) and not line.lstrip().startswith("#") for line in lines)
    return sum(has_code and n not in docstrings for n, has_code in enumerate(is_code, 1))
