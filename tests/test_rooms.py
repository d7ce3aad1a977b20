"""The house plan holds: imports point downward, and every measure has its card and its place in every list."""

import ast
from pathlib import Path

import pytest

import genderscope
from genderscope.measures import MEASURES, measure_type
from genderscope.questions import ABILITY, ANSWER_TO

ROOT = Path(genderscope.__file__).parent

#: from the roof to the ground; a room may import from its own floor and below
FLOORS = [
    {"__main__"},
    {"cli"},
    {"commands"},
    {"evaluation"},
    {"report"},
    {"published"},
    {"comparison"},
    {"measures", "parameters"},
    {"engine"},
    {"runs"},
    {"models", "grammar", "samples"},
    {"statistics", "questions", "cache", "plugins"},
    {"errors", "harmless"},
]
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}


def imports(path):
    """Yield the rooms that a module imports when it is loaded or when its functions run, type hints aside."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    hints = {id(n) for block in ast.walk(tree) if _is_type_checking(block) for n in ast.walk(block)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0 and id(node) not in hints:
            parts = node.module.split(".")
            if parts[0] == "genderscope" and len(parts) > 1:
                yield parts[1]


def _is_type_checking(node):
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


MODULES = sorted(p for p in ROOT.rglob("*.py") if p != ROOT / "__init__.py")


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_downward(path):
    own = path.relative_to(ROOT).parts[0].removesuffix(".py")
    for room in imports(path):
        assert FLOOR[room] >= FLOOR[own], f"{own} may not import {room}"


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_every_measure_has_a_card_with_its_formulas_and_citation(name):
    card = (ROOT / "measures" / f"{name.replace('-', '_')}.md").read_text(encoding="utf-8")
    for word in ("**Question", "neutral", "Caveats", "Cite"):
        assert word.lower() in card.lower(), word


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_every_measure_says_what_it_is(name):
    kind = measure_type(name)
    assert kind.id == name
    assert kind.title
    assert kind.citation
    assert kind.headline
    assert kind.asks <= set(ANSWER_TO)


def test_every_kind_of_question_has_an_answer_and_an_ability():
    assert set(ABILITY) == set(ANSWER_TO)
