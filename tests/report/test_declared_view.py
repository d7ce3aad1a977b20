"""Declared views: every measure's file can be used, mistakes in a file are reported, and selections pick estimates."""

from pathlib import Path

import pytest

from genderscope.core.errors import UserError
from genderscope.measures import MEASURES, registry
from genderscope.report import View, view_of
from genderscope.report.views import declaration
from genderscope.report.views.declaration import Select, declaration_of, function_of
from genderscope.report.views.declared_view import DeclaredView, fill, selected
from genderscope.statistics.estimate import Estimate
from tests.report.examples import result

BLANK = Estimate(name="rate", value=0.5, n=1, unread=0, neutral=0.5, method="none")
ESTIMATES = [
    BLANK,
    BLANK.with_keys(language="sk"),
    BLANK.with_keys(language="sk", group="men"),
    Estimate(name="rate_by_role", n=0, unread=0, neutral=0.5, method="none").with_keys(group="men"),
]


@pytest.mark.parametrize("measure", MEASURES)
def test_every_measure_declares_its_view_and_the_functions_it_names_exist(measure):
    declared = declaration_of(measure)
    assert declared is not None
    text = str(declared.model_dump(exclude_defaults=True))
    named = [part for part in text.replace("'", " ").split() if part.count(":") == 1 and part[0].isalpha()]
    for name in (n for n in named if not n.endswith(":")):
        assert callable(function_of(name)), name


def test_a_measure_without_a_file_has_the_plain_view():
    assert type(view_of("item-scores")) is View
    assert type(view_of("no longer installed")) is View


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ('abuot = ""', "abuot: Extra inputs are not permitted"),
        ("[[figures]]\nselect.name = ['rate']", "name: Extra inputs are not permitted"),
        ("[[figures]]\ncolours = 'outcomes'", "there is no table 'colours.outcomes'"),
        ("about = ", "Invalid value"),
    ],
)
def test_a_mistake_in_a_file_is_reported_with_its_place(tmp_path, monkeypatch, content, complaint):
    file = Path(tmp_path / "view.toml")
    file.write_text(content)
    monkeypatch.setattr(declaration, "view_file", lambda measure: file)
    declaration_of.cache_clear()
    with pytest.raises(UserError, match="The view of the measure 'gest' cannot be used") as error:
        declaration_of("gest")
    assert complaint in str(error.value)
    declaration_of.cache_clear()


def test_a_file_named_after_the_module_is_preferred(tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "files", lambda package: tmp_path)
    (tmp_path / "view.toml").write_text("")
    assert registry.view_file("gest").name == "view.toml"
    (tmp_path / "measure_view.toml").write_text("")
    assert registry.view_file("gest").name == "measure_view.toml"


@pytest.mark.parametrize(
    ("select", "expected"),
    [
        ({}, [0, 1, 2, 3]),
        ({"names": ["rate"]}, [0, 1, 2]),
        ({"names": ["*_by_*"]}, [3]),
        ({"omit": ["rate"]}, [3]),
        ({"has": ["language"], "lacks": ["group"]}, [1]),
        ({"only": []}, [0]),
        ({"only": ["language"]}, [0, 1]),
        ({"where": {"group": ["men", "women"]}}, [2, 3]),
        ({"valued": True, "has": ["group"]}, [2]),
        ({"names": ["rate"], "spanning": "language"}, [0]),
        ({"has": ["language"], "spanning": "language"}, [1, 2]),
        ({"names": ["rate_by_role", "rate"], "ordered": True}, [3, 0, 1, 2]),
        ({"within": {"has": ["group"]}, "first": True}, [2]),
    ],
)
def test_a_selection(select, expected):
    assert selected(Select(**select), ESTIMATES) == [ESTIMATES[k] for k in expected]


def test_a_caption_says_so_only_if_categories_are_left_out_for_want_of_room():
    """A category with an accuracy for one gender only has no gap; leaving it out is no cut."""
    view = view_of("winomt")
    assert isinstance(view, DeclaredView)
    part = next(p for p in view.declared.figures if p.rank)
    whole = result("winomt")
    accuracy = next(e for e in whole.as_estimates() if e.name == "accuracy_by_occupation" and e.value is not None)
    for n, expected in ((24, "for each occupation"), (25, "in the 24 occupations")):
        pairs = [accuracy.with_keys(category=f"job {k}", group=g) for k in range(n) for g in ("masculine", "feminine")]
        lone = accuracy.with_keys(category="lone", group="masculine")
        (figure,) = view.draw([part], [("a", whole.estimated([*pairs, lone]))])
        assert expected in figure.caption


def test_the_first_alternative_whose_fields_are_known_is_filled_in():
    alternatives = ("{run}, {language}", "{language}", "all languages")
    assert fill(alternatives, {"language": "Slovak"}) == "Slovak"
    assert fill(alternatives, {"run": "a", "language": "Slovak"}) == "a, Slovak"
    assert fill(alternatives, {"run": "a"}) == "all languages"
    assert fill("{run}", {}) == ""
