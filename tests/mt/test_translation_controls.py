"""Controls of translation measures: systems with a known habit get a known result."""

import pandas as pd
import pytest

import genderscope
from genderscope.core.questions import TranslationAnswer
from genderscope.evaluation import SampleQuestions
from genderscope.judgement import control_line
from genderscope.measures import control_frame, judge_estimate, measure_type, parse_options
from genderscope.measures.controls import KNOWN
from genderscope.measures.dialogue.outcome_table import control as dialogue_control
from genderscope.measures.mt_geneval.rates import control as geneval_control
from genderscope.measures.translation_controls import stated_gender_cautions
from genderscope.measures.winomt.rates import control as winomt_control
from genderscope.models import Translator
from genderscope.samples.controls import control_sources
from genderscope.samples.gest import load
from tests.support.evaluation import evaluate

WOMEN = {pair.female for pair in control_sources("gest-mt")}
MAN, WOMAN = "Ayer estuve cansado todo el día.", "Ayer estuve cansada todo el día."


class Planted(Translator):
    """Translates by a rule into Spanish and, after it, into other languages."""

    announces_cost = True

    def __init__(self, rule, stored=False):
        super().__init__("planted")
        self.rule, self.stored, self.announced = rule, stored, []

    @property
    def fingerprint(self):
        return self.rule.__name__

    def describe(self):
        return {"name": self.name, "kind": self.kind, "fingerprint": self.fingerprint}

    def announce(self, questions):
        self.announced += questions

    def translate(self, texts, source, target):
        return [self.rule(text) for text in texts]


def always_masculine(_):
    return MAN


def right(text):
    return WOMAN if text in WOMEN else MAN


def always_feminine(_):
    return WOMAN


def at_random(text):
    return MAN if len(text) % 2 else WOMAN


def neutral(_):
    return "Ayer llovía todo el día y dormí en casa."


def untranslated(text):
    return text


def slovak(text):
    """Number the sentences, because one that is repeated is no evidence for a language."""
    said = ("bola", "unavená", "povedala") if text in WOMEN else ("bol", "unavený", "povedal")
    return "Včera som {} veľmi {}, ale nikomu som to ne{}, lebo pršalo už {}. deň.".format(*said, sum(map(ord, text)))


def bound(measure, rule=right, stored=False, **options):
    kind = measure_type(measure)
    return kind(parse_options(kind, {"data": "starter", "to": "es", **options}), Planted(rule, stored))


def controls_of(measure, rule):
    """Return the rows of the controls, as a run has them."""
    answered = [
        list(measure.read(case.sample, [TranslationAnswer(rule(q.text)) for q in measure.ask(case.sample)]))
        for case in measure.controls
    ]
    return control_frame(measure.controls, answered)


@pytest.mark.parametrize(
    ("rule", "control", "caution"),
    [
        (right, 1.0, None),
        (always_masculine, 0.5, "of 20 women, 20 become men, and of 20 men, 0 become women, as in"),
        (always_feminine, 0.5, "of 20 women, 0 become men, and of 20 men, 20 become women, as in"),
        (at_random, 0.5, "often ignore even a gender that the sentence states"),
        (neutral, 0.5, "show one (most often: no gendered word)"),
        (untranslated, None, "(most often: untranslated)"),
        (slovak, None, "(most often: another language)"),
    ],
)
def test_a_system_with_a_known_habit(rule, control, caution):
    measure = bound("gest-mt", rule)
    controls = controls_of(measure, rule)
    found = {e.name: e for e in measure.control_estimates(pd.DataFrame(), controls)}["control"]
    assert found.value == (None if control is None else pytest.approx(control, abs=0.15 if rule is at_random else 0))
    cautions = measure.control_cautions(controls)
    assert [caution in said for said in cautions] == ([] if caution is None else [True])


def test_an_always_masculine_system_is_a_finding_and_not_a_broken_instrument(tmp_path):
    model = Planted(always_masculine)
    model.rule = lambda text: f"{MAN} {len(text)}"  # varied outputs
    result = evaluate("gest-mt", model, to="es", data="starter", limit=64, out=tmp_path / "run")
    assert len(result.rows) == 64
    assert len(result.controls) == len(model.announced) - 64 == 36
    assert control_line(result.as_estimates()) == (
        "Control: right in 6 of 12 (chance: 6) where the answer is known; 3 of 6 where there is nothing to know."
    )
    rate = result.estimate("masculine_rate", language="es")
    assert rate.value == 1
    assert judge_estimate(result, rate).is_meaningful
    assert any("of 12 women, 12 become men" in said for said in result.cautions)


def test_several_languages_have_controls_of_their_own():
    measure = bound("gest-mt", to="es,sk")
    controls = controls_of(measure, slovak)
    found = {e.language: e for e in measure.control_estimates(pd.DataFrame(), controls) if e.name == "control"}
    assert (found[None].n, found["es"].value, found["sk"].value) == (40, None, 1)
    assert [said.count("Spanish") for said in measure.control_cautions(controls)] == [1]


@pytest.mark.parametrize("measure", ["gest-mt", "gate"])
def test_a_file_of_translations_is_asked_no_controls(measure):
    assert bound(measure).controls
    assert not bound(measure, stored=True).controls
    assert sum(case.kind == KNOWN for case in bound(measure, limit=10).controls) == 24


def test_scored_translations_have_no_control_and_no_caution_about_one(tmp_path):
    result = genderscope.score("gest-mt", [MAN for _ in load("starter").samples], to="es", data="starter")
    assert result.controls is None
    assert control_line(result.as_estimates()) is None
    assert not any("a gender that the sentence states" in said for said in result.cautions)


def test_published_numbers_are_computed_without_controls():
    assert not bound("gest-mt", as_published=True).controls


@pytest.mark.parametrize("measure", ["gest-mt", "gate"])
def test_controls_are_a_small_part_of_the_questions(measure):
    """The released sets have 3,565 (gest-mt) and, for Spanish, 1,619 sentences (gate)."""
    chosen = bound(measure)
    asked = SampleQuestions(chosen)
    assert sum(map(len, asked.controls)) <= 0.05 * {"gest-mt": 3565, "gate": 1619}[measure]
    assert asked.count() == len(list(asked.all())) == len(chosen.samples) + len(chosen.controls)


def test_gate_reads_the_person_of_a_control():
    measure = bound("gate")
    case = next(
        case for case in measure.controls if case.sample.source == "The patient told us that she had slept well."
    )
    [row] = measure.read(case.sample, [TranslationAnswer("La paciente nos dijo que había dormido bien.")])
    assert (row.entity, row.reading) == ("patient", "feminine")
    controls = control_frame([case], [[row]])
    assert [e.unread for e in measure.control_estimates(pd.DataFrame(), controls) if e.name == "control"] == [1]


def known_rows(reading):
    """Return rows of twelve men and four women, with as many stereotypical as other sentences."""
    people = [(gender, side) for gender, n in (("masculine", 6), ("feminine", 2)) for side in ("pro", "anti") * n]
    return pd.DataFrame(
        {
            "language": "es",
            "gender": [gender for gender, _ in people],
            "stereotype": [side for _, side in people],
            "reading": [reading(gender, side) for gender, side in people],
            "unread": None,
        }
    )


def other(gender):
    return "feminine" if gender == "masculine" else "masculine"


@pytest.mark.parametrize(
    ("reading", "value"),
    [
        (lambda gender, _: gender, 1),
        (lambda gender, _: other(gender), 0),
        (lambda *_: "masculine", 0.5),
        (lambda gender, side: gender if side == "pro" else other(gender), 0.5),
        (lambda *_: "neutral", 0.5),
    ],
)
def test_own_samples_are_controls_in_which_both_genders_weigh_the_same(reading, value):
    rows = known_rows(reading)
    verdict = (rows["reading"] == rows["gender"]).map({True: "right", False: "wrong"})
    [winomt] = winomt_control(rows)
    dialogue_rows = rows.assign(
        true_gender=rows["gender"].map({"masculine": "M", "feminine": "F"}),
        gender=rows["reading"],
        agreement=rows["stereotype"],
    )
    [dialogue] = dialogue_control(dialogue_rows)
    assert (winomt.value, dialogue.value) == (value, value)
    assert winomt.low < winomt.high
    told = stated_gender_cautions([winomt])
    assert told == [] if value == 1 else "hardly followed (this language: " in told[0]
    if value != 0.5 or "neutral" not in set(rows["reading"]):
        [geneval] = geneval_control(rows.assign(reading=verdict, subset="counterfactual"))
        assert geneval.value == value
    assert control_line([winomt]) == f"Control: right in {value:.1%} of 16 (chance: 50%) where the answer is known."


def test_own_samples_that_cannot_be_read_are_no_control():
    rows = known_rows(lambda *_: None).assign(unread="untranslated")
    [found] = winomt_control(rows)
    assert (found.value, found.unread) == (None, 16)
    assert control_line([found]) == "Control: not answered in any of 16 cases where the answer is known."
    assert winomt_control(rows[rows["gender"] == "masculine"]) == []


def test_each_language_has_a_share_of_its_own():
    both = pd.concat([known_rows(lambda gender, _: gender), known_rows(lambda *_: "masculine").assign(language="fr")])
    found = {e.language: e for e in winomt_control(both.reset_index(drop=True))}
    assert (found[None].value, found["es"].value, found["fr"].value) == (0.75, 1, 0.5)
    assert control_line(list(found.values())).endswith(" Not better than chance: French.")
