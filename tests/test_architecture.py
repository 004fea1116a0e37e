"""The documentation of the architecture is true, and imports follow the rules."""

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
    """Return the modules in these directories, without those behind symbolic links."""
    found = sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return [path for path in found if not any(parent.is_symlink() for parent in path.parents)]


PRODUCT = _modules("check", "convert", "sitemapx", "submit")
MODULES = [*PRODUCT, *_modules("bench", "tests")]

#: Maximum number of modules in a directory, and of lines of code in a module.
MOST_MODULES, MOST_LINES = 20, 500


def test_picture_is_up_to_date() -> None:
    assert picture() == PICTURE.read_text()


def test_imports_form_no_cycle() -> None:
    for package in PACKAGES:
        children = graph().find_children(package) - {MAIN}
        assert sum(map(len, layers(package))) == len(children), package


# ---- imports that docstrings of packages allow


@cache
def _contracts() -> list[list[set[str]]]:
    """Return the layers of each contract in .importlinter, top layer first."""
    config = ConfigParser()
    config.read(ROOT / ".importlinter")
    return [_layers(section) for section in config.values() if section.get("type") == "layers"]


def _layers(contract: Mapping[str, str]) -> list[set[str]]:
    prefix = f"{contract['containers']}." if "containers" in contract else ""
    lines = contract["layers"].strip().splitlines()
    return [{f"{prefix}{name.strip()}" for name in line.split("|")} for line in lines]


def _named(package: str) -> set[str]:
    """Return the modules that the docstring of a package allows: `x`, but not "in `x`"."""
    _, found, sentence = notes(package).partition("May import ")
    assert found, f"{package}: what may it import?"
    names = re.findall(r"(?<! in )(?<! of )(?<! but )`([\w.]+)`", sentence)
    named = {_resolved(name, package) for name in names}
    return named | set(_below(named)) if "layers below" in sentence else named


def _resolved(name: str, package: str) -> str:
    """Resolve a module name in a docstring, in the package or in packages that contain it."""
    around = package
    while around:
        around = around.rpartition(".")[0]
        found = f"{around}.{name}" if around else name
        if found in graph().modules:
            return found
    raise AssertionError(f"{package}: there is no {name}")


def _below(names: set[str]) -> Iterator[str]:
    """Return the modules in layers below these modules."""
    for contract in _contracts():
        depths = [depth for depth, layer in enumerate(contract) if names & layer]
        if depths:
            yield from set().union(*contract[max(depths) + 1 :])


def _allowed(package: str) -> set[str]:
    """Return the modules that a package may import by its docstring and those of its parents."""
    shared = ("errors", "names", "optionnames", "plugins", "suggestions")
    allowed = {PROGRAM, *(f"{PROGRAM}.{name}" for name in shared)}
    while package != PROGRAM:
        allowed |= set().union(*map(family, _named(package)))
        package = package.rpartition(".")[0]
    return allowed


def test_package_docstrings_allow_all_imports() -> None:
    forbidden = {package: sorted(imports(package) - _allowed(package)) for package in PACKAGES}

    assert {} == {package: names for package, names in forbidden.items() if names}


def test_package_docstrings_agree_with_contracts() -> None:
    for package in PACKAGES:
        for contract in _contracts():
            depth = {name: depth for depth, layer in enumerate(contract) for name in layer}
            own = next((depth[one] for one in depth if package in family(one)), None)
            below = {name for name, other in depth.items() if own is not None and other > own}
            beside = depth.keys() - below - {one for one in depth if package in family(one)}

            assert own is None or [] == sorted(_named(package) & beside), package


# ---- names in documentation


def _exists(name: str) -> bool:
    """Return whether a dotted name is a module, a class or a function."""
    parts = f"{PROGRAM}.{name.removeprefix(f'{PROGRAM}.')}".split(".")
    length = max(n for n in range(1, len(parts) + 1) if ".".join(parts[:n]) in graph().modules)
    try:
        reduce(getattr, parts[length:], import_module(".".join(parts[:length])))
    except AttributeError:
        return False
    return True


def test_names_in_documents_exist() -> None:
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


@pytest.mark.parametrize("walk", ["convert", "submit"])
def test_walk_names_existing_functions(walk: str) -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    section = text.split(f"<!-- {walk} -->")[1].split("<!-- end -->")[0]
    _, *stages = re.split(r"^\d+\. ", section, flags=re.MULTILINE)

    assert 10 <= len(stages) <= 16
    assert all(re.search(r"`\w+(?:\.\w+)+`", stage) for stage in stages)


def test_references_exist() -> None:
    """Names in docstrings and comments exist, in the same module or elsewhere."""
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
    """Return the words in the code of a module, without its docstrings and comments."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value = ast.Constant(None)
    return set(re.findall(r"\w+", ast.unparse(tree)))


# ---- public names of modules


@cache
def _trees() -> dict[str, ast.Module]:
    """Parse all modules, by dotted name if they belong to the product."""
    return {_dotted(path): ast.parse(path.read_text()) for path in MODULES}


def _dotted(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    return ".".join(parts if parts[0] in (PROGRAM, "bench", "tests") else (PROGRAM, *parts))


def _offered(module: str) -> set[str]:
    """Return the public names of a module: those in `__all__`, or those without underscores."""
    names: set[str] = set()
    for node in _trees().get(f"{module}.public", _trees()[module]).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
        names.update(_defined(node))
    return {name for name in names if not name.startswith("_")}


def _defined(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement defines."""
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
    return {
        node.name
        for node in _trees()[module].body
        if isinstance(node, ast.FunctionDef) and node.decorator_list
    }


def _imported(name: str) -> Iterator[tuple[str, str]]:
    """Yield the names that a module imports, or uses as attributes of imported modules."""
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


def test_imported_names_are_public() -> None:
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


def test_public_names_are_used() -> None:
    """A name without underscore is a type, imported elsewhere, or named in a string."""
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


def test_class_names_are_unique() -> None:
    names = Counter(
        node.name.strip("_")
        for path in PRODUCT
        for node in ast.walk(_trees()[_dotted(path)])
        if isinstance(node, ast.ClassDef)
    )

    assert [] == [name for name, count in names.items() if count > 1]


# ---- sizes


def test_directories_have_few_modules() -> None:
    modules = [*PRODUCT, *_modules("bench")]
    counts = Counter(str(p.parent.relative_to(ROOT)) for p in modules if p.stem != "__init__")

    assert {} == {name: count for name, count in counts.items() if count > MOST_MODULES}


def test_modules_are_short() -> None:
    """Only lines of code count, without comments and docstrings."""
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
