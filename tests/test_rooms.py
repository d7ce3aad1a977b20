"""Every measure has its card and its place in every list; how rooms may import each other is in pyproject.toml."""

import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

import genderscope
from genderscope.measures import MEASURES, measure_type
from genderscope.questions import ABILITY, ANSWER_TO

ROOT = Path(genderscope.__file__).parent


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_every_measure_has_a_card_with_its_formulas_and_citation(name):
    card = (ROOT / "measures" / name.replace("-", "_") / "card.md").read_text(encoding="utf-8")
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


@pytest.mark.parametrize(
    ("package", "name"),
    [("runs", "signature"), ("samples.dialogue", "excerpt")],
)
def test_a_module_does_not_stand_in_the_place_of_what_it_is_called_after(package, name):
    """`genderscope.runs.signature` is the function, though the module is called so and was imported first."""
    module = import_module(f"genderscope.{package}.{name}")
    assert getattr(import_module(f"genderscope.{package}"), name) is getattr(module, name)
    assert sys.modules[f"genderscope.{package}.{name}"] is module


def test_no_other_name_of_a_door_is_that_of_a_module():
    """Python would put the module in its place."""
    clashes = []
    for init in ROOT.rglob("__init__.py"):
        found = re.search(r"door\(\s*__name__,\s*\{(.*?)\}", init.read_text(encoding="utf-8"), re.DOTALL)
        homes = dict(re.findall(r'"(\w+)": "([\w.]+)"', found[1])) if found else {}
        modules = {path.stem for path in init.parent.glob("*.py")} | {
            p.parent.name for p in init.parent.glob("*/__init__.py")
        }
        clashes += [name for name, home in homes.items() if name in modules and name != home]
    assert not clashes
