"""Every package that the code imports is declared, where it is needed, and every declared one is used."""

import ast
import sys
import tomllib
from pathlib import Path

import pytest

from genderscope.core.errors import EXTRAS

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
#: declared but imported by name or by others: package -> who needs it
INDIRECT = {
    "pyarrow": "pandas reads and writes parquet with it",
    "pymorphy3-dicts-ru": "the dictionary of pymorphy3",
    "islenska": "imported by name in grammar/adjectives/dictionaries.py",
    "ray": "imported by name in engine/ray_engine.py",
}
NOT_FOR_USERS = {"all", "dev", "docs"}
#: packages that work without any extra
ROOMS = ("cli", "comparison", "published", "report", "runs", "samples")


def normal(name: str) -> str:
    """Write a distribution's name as packaging does."""
    return name.lower().replace("_", "-").replace(".", "-")


def named(requirements) -> set[str]:
    """Return the packages that requirements name, those in other extras of our own left out."""
    names = {requirement.split(";")[0].strip() for requirement in requirements}
    bare = {next(name[:k] for k in range(len(name) + 1) if name[k : k + 1] in {*"[<>=!~ ", ""}) for name in names}
    return {normal(name) for name in bare} - {"genderscope"}


CORE = named(PROJECT["dependencies"])
BY_EXTRA = {
    extra: named(each) for extra, each in PROJECT["optional-dependencies"].items() if extra not in NOT_FOR_USERS
}


def imported() -> dict[str, set[str]]:
    """Return the full names of the modules of others that are imported, and by which files of ours."""
    found: dict[str, set[str]] = {}
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            for name in names:
                if name.partition(".")[0] not in sys.stdlib_module_names | {"genderscope"}:
                    found.setdefault(name, set()).add(str(path.relative_to(ROOT / "src" / "genderscope")))
    return found


#: packages that are not called as what they bring is imported
OTHERWISE = {
    "google.cloud": "google-cloud-translate",
    "google.auth": "google-auth",
    "google.api_core": "google-api-core",
    "vl_convert": "vl-convert-python",
    "mlflow": "mlflow-skinny",
}


def distribution(module: str) -> str:
    """Return the package that brings a module."""
    called = (name for start, name in OTHERWISE.items() if f"{module}.".startswith(f"{start}."))
    return next(called, normal(module.partition(".")[0]))


@pytest.fixture(scope="module")
def used():
    found: dict[str, set[str]] = {}
    for module, files in imported().items():
        found.setdefault(distribution(module), set()).update(files)
    return found


def test_every_imported_package_is_declared(used):
    declared = CORE.union(*BY_EXTRA.values())
    assert {name: files for name, files in used.items() if name not in declared} == {}


def test_every_declared_package_is_used(used):
    declared = CORE.union(*BY_EXTRA.values())
    assert declared - set(used) - set(INDIRECT) == set()
    assert set(INDIRECT) <= declared


def test_what_an_error_tells_to_install_is_what_is_declared():
    brings = {"google": {"google-cloud-translate", "google-auth", "google-api-core"}}
    told = {
        extra: set().union(*(brings.get(module, {distribution(module)}) for module in modules))
        for extra, modules in EXTRAS.items()
    }
    assert told == BY_EXTRA


def test_what_stands_at_the_head_of_the_core_needs_no_extra():
    home = ROOT / "src" / "genderscope"
    core = [*home.glob("*.py"), *(path for room in ROOMS for path in (home / room).rglob("*.py"))]
    extras = {module for each in EXTRAS.values() for module in each}
    for path in core:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {name.partition(".")[0] for name in names} & extras, path
