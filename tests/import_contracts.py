"""Contracts of import-linter that see imports written as text too, and the rule that only exported names are imported.

Registries name their entries as "package.module:attribute", so that nothing is imported before it is used; the layers
and the ban on circles hold for these as well.
"""

import ast
import re
from importlib.util import find_spec
from pathlib import Path

from importlinter import Contract, ContractCheck, output
from importlinter.contracts.acyclic_siblings import AcyclicSiblingsContract
from importlinter.contracts.layers import LayersContract

PACKAGE = "genderscope"
TARGET = re.compile(rf"{PACKAGE}(\.\w+)+(:\w+)?$")


def source(module: str) -> Path:
    """Return the file of a module."""
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin)


def with_text_imports(graph):
    """Add what modules name in strings: entries of registries, and what `import_module` is called with."""
    for importer in sorted(graph.modules):
        for node in ast.walk(ast.parse(source(importer).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and TARGET.match(node.value):
                imported = node.value.partition(":")[0]
                if imported in graph.modules and imported != importer and not _is_resource(node.value):
                    graph.add_import(importer=importer, imported=imported)
    return graph


def _is_resource(text: str) -> bool:
    """Whether the text names a package whose files are read."""
    return ":" not in text and source(text).name == "__init__.py"


class Layers(LayersContract):
    """Layers, imports in strings included."""

    def check(self, graph, verbose):
        return super().check(with_text_imports(graph), verbose)


class NoCircles(AcyclicSiblingsContract):
    """No circle between modules or packages, imports in strings included."""

    def check(self, graph, verbose):
        return super().check(with_text_imports(graph), verbose)


class Exports(Contract):
    """Other packages import what a package's `__init__` names: its own names, or modules listed in `__all__`."""

    type_name = "exports"

    def check(self, graph, verbose):
        broken = sorted(
            (importer, imported)
            for importer in graph.modules
            for imported in graph.find_modules_directly_imported_by(importer)
            if _top_package(importer) != _top_package(imported) and not is_exported(imported)
        )
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    def render_broken_contract(self, check):
        for importer, imported in check.metadata["broken"]:
            output.print_error(f"{importer} imports {imported}, which the package does not export", bold=False)


def _top_package(module: str) -> str:
    return ".".join(module.split(".")[:2])


def is_exported(module: str) -> bool:
    """Whether others may import from a module: a package, a module at the top, or one that its package lists."""
    parent, _, name = module.rpartition(".")
    return parent == PACKAGE or source(module).name == "__init__.py" or name in listed(parent)


def listed(package: str) -> list[str]:
    """Return what a package lists in `__all__`."""
    body = ast.parse(source(package).read_text(encoding="utf-8")).body
    values = [n.value for n in body if isinstance(n, ast.Assign) and getattr(n.targets[0], "id", "") == "__all__"]
    return [name for value in values for name in ast.literal_eval(value)]
