"""Every measure has its card, every question its answer, and every exported name can be imported.

How packages may import each other is in pyproject.toml.
"""

from importlib import import_module
from pathlib import Path

import genderscope
from genderscope.core.questions import ABILITY, ANSWER_TO
from genderscope.measures import MEASURES, measure_type
from genderscope.util.lazy_imports import exported_names
from tests.support.tables import every

ROOT = Path(genderscope.__file__).parent


@every("name", sorted(MEASURES))
def test_every_measure_has_a_card_with_its_formulas_and_citation(name):
    card = (ROOT / "measures" / name.replace("-", "_") / "card.md").read_text(encoding="utf-8")
    for word in ("**Question", "neutral", "Caveats", "Cite"):
        assert word.lower() in card.lower(), word


@every("name", sorted(MEASURES))
def test_every_measure_says_what_it_is(name):
    kind = measure_type(name)
    assert kind.id == name
    assert kind.title
    assert kind.citation
    assert kind.headline
    assert kind.asks <= set(ANSWER_TO)


def test_every_kind_of_question_has_an_answer_and_an_ability():
    assert set(ABILITY) == set(ANSWER_TO)


@every("init", sorted(ROOT.rglob("__init__.py")))
def test_no_exported_name_is_that_of_a_module(init):
    """Importing the module would put it in the place of the name."""
    modules = {path.stem for path in init.parent.glob("*.py")} | {
        p.parent.name for p in init.parent.glob("*/__init__.py")
    }
    assert modules & set(exported_names(init)) <= {"report"}


@every("init", sorted(ROOT.rglob("__init__.py")))
def test_every_exported_name_can_be_imported(init):
    package = import_module(".".join(("genderscope", *init.parent.relative_to(ROOT).parts)))
    for name in exported_names(init):
        assert getattr(package, name) is not None
        assert name in dir(package)
