"""MT-GenEval: the released metric to the last digit, what it hides, and what is made of it."""

import gzip
import random
from typing import Any, cast

import pytest

import genderscope
from genderscope.core.errors import UserError
from genderscope.core.languages import GENEVAL_LANGUAGES
from genderscope.core.questions import TranslationAnswer
from genderscope.evaluation import sources
from genderscope.measures import frame_of, parse_options
from genderscope.measures.mt_geneval.measure import GenEval, GenEvalRow
from genderscope.measures.mt_geneval.reading import read, sentence_of
from genderscope.models import FileTranslator, Translator
from genderscope.samples.mt_geneval import told_gender
from tests.reference import geneval as reference
from tests.support.evaluation import evaluate

OWN = """segment,gender,source,reference,flipped,context
1,masculine,The actor slept.,El actor durmió.,La actriz durmió.,
1,feminine,The actress slept.,La actriz durmió.,El actor durmió.,
2,masculine,He is tired.,Está cansado.,Está cansada.,
2,feminine,She is tired.,Está cansada.,Está cansado.,
3,masculine,His teacher came.,Vino su maestro.,Vino su maestra.,
3,feminine,Her teacher came.,Vino su maestra.,Vino su maestro.,
4,masculine,The king ate.,El rey comió.,La reina comió.,
4,feminine,The queen ate.,La reina comió.,El rey comió.,
,,The doctor left.,El doctor salió.,La doctora salió.,She had won.
,,The nurse sang.,La enfermera cantó.,El enfermero cantó.,He had lost.
"""


@pytest.fixture
def own(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text(OWN, encoding="utf-8")
    return str(path)


def measured(folder, outputs, **options):
    """Read outputs that stand in a file, a line each."""
    path = folder / "out.txt"
    path.write_text("".join(f"{line}\n" for line in outputs), encoding="utf-8", newline="")
    return rows_and_estimates(FileTranslator(str(path)), **options)


def rows_and_estimates(model, **options):
    bound = GenEval(cast(Any, parse_options(GenEval, options)), model)
    rows: list[GenEvalRow] = []
    for sample in bound.samples:
        texts = model.translate([question.text for question in bound.ask(sample)], "en", sample.language)
        rows += bound.read(sample, list(map(TranslationAnswer, texts)))
    return bound.estimates(frame_of(rows, GenEvalRow))


def value(estimates, name, subset, group=None):
    [found] = [e for e in estimates if (e.name, e.subset, e.group) == (name, subset, group)]
    return found


def files(mirror, language, split):
    def lines(path):
        with gzip.open(mirror / f"mt-geneval/{path}.gz", "rt", encoding="utf-8", newline="\n") as file:
            return file.read().removesuffix("\n").split("\n")

    stem = f"sentences/{split}/geneval-sentences-{{}}-{split}.en_{language}.{language}"
    context = f"context/geneval-context-wikiprofessions-{{}}-{split}.en_{language}.{language}"
    return [lines(stem.format(g)) for g in ("masculine", "feminine")] + [
        lines(context.format(kind)) for kind in ("original", "flipped")
    ]


ODD = ["", " ", "\u00a0", "İI ıi ß ẞ ﬁ", "\u2028\x85\x1c", "\u200b\u200f", "¿¡«»", "e\u0301 é", "\ufeff", "\0"]


def mutated(draw, right, wrong):
    """An output that is right, wrong, something of both, or nothing that anyone expects."""
    kind = draw.randrange(8)
    words = (right.split() if kind in {0, 1, 4} else []) + (wrong.split() if kind in {2, 3, 4} else [])
    if kind == 5:
        words = draw.sample(right.split(), 1) + draw.sample(wrong.split(), 1)
    words += [draw.choice(ODD)] if draw.random() < 0.3 or kind == 7 else []
    draw.shuffle(words)
    text = draw.choice([" ", "-", ", ", "\t", "\u2003"]).join(words)
    text = draw.choice([str, str.upper, str.title, str.swapcase])(text)
    return "".join(character for character in text if character not in "\n\r")


@pytest.mark.long_but("de")
@pytest.mark.parametrize("language", GENEVAL_LANGUAGES)
def test_as_published_is_the_released_metric_on_any_output(language, mirror, monkeypatch, tmp_path):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    split = "dev" if language == "es" else "test"  # it holds segments twice
    draw = random.Random(language)
    his, hers, right, wrong = files(mirror, language, split)
    masculine = [mutated(draw, *pair) for pair in zip(his, hers, strict=True)]
    feminine = [mutated(draw, *pair) for pair in zip(hers, his, strict=True)]
    alone = [mutated(draw, *pair) for pair in zip(right, wrong, strict=True)]
    found = measured(tmp_path, [*masculine, *feminine, *alone], to=language, split=split, as_published=True)
    assert value(found, "accuracy", "counterfactual").value == pytest.approx(
        reference.counterfactual(masculine, feminine, his, hers), abs=1e-12
    )
    assert value(found, "accuracy", "contextual").value == pytest.approx(
        reference.contextual(alone, right, wrong), abs=1e-12
    )
    by_gender = reference.contextual(feminine, hers, his)
    assert value(found, "accuracy", "counterfactual", "feminine").value == pytest.approx(by_gender, abs=1e-12)
    assert all(e.unread == 0 for e in found if e.name == "error")


@pytest.mark.long
@pytest.mark.parametrize("language", ["ar", "es", "hi"])
def test_references_are_all_right_and_swapped_ones_all_wrong(language, mirror, monkeypatch, tmp_path):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    his, hers, right, wrong = files(mirror, language, "test")
    for outputs, expected in (([*his, *hers, *right], 1), ([*hers, *his, *wrong], 0)):
        found = measured(tmp_path, outputs, to=language)
        for subset in ("counterfactual", "contextual"):
            for group in (None, "masculine", "feminine"):
                e = value(found, "accuracy", subset, group)
                assert e.value == expected
                assert e.low < e.high
            assert value(found, "gap", subset).value == 0


@pytest.mark.long
def test_over_languages_numbers_are_means_and_the_same_english_is_one_unit(mirror, monkeypatch, tmp_path):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    for language, flip in (("es", False), ("it", True)):
        his, hers, right, wrong = files(mirror, language, "test")
        lines = [*hers, *his, *wrong] if flip else [*his, *hers, *right]
        (tmp_path / f"{language}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    found = rows_and_estimates(FileTranslator(f"{tmp_path}/{{lang}}.txt"), to="es,it")
    [whole] = [e for e in found if (e.name, e.subset, e.language) == ("error", "contextual", None)]
    parts = [e for e in found if (e.name, e.subset) == ("error", "contextual") and e.language is not None]
    assert [e.value for e in parts] == [0, 1]
    assert (whole.value, whole.n) == (0.5, sum(e.n for e in parts))
    assert whole.method == "Agresti-Coull, professions as units"
    assert not [e for e in found if e.name == "unread_share" and e.language is None]


def test_the_journal_keeps_every_odd_character(own):
    outputs = [f"{odd}maestra{odd} cansado El\u00a0actor" for odd in ODD]
    found = genderscope.score("mt-geneval", outputs, to="es", data=own, as_published=True)
    assert list(found.rows["translation"]) == [outputs[k] for k in (0, 4, 1, 5, 2, 6, 3, 7, 8, 9)]
    for row in found.rows.itertuples():
        assert (row.reading == "right") is reference.correct(row.translation, row.reference, row.flipped)
    assert "count as right" in " ".join(found.cautions)


def test_what_shows_no_gender_is_not_read_and_what_shows_both_is_wrong(own, tmp_path):
    lines = [
        *("El actor durmió.", "Cansada.", "Vino mi maestro, el maestra.", "Comió alguien."),  # masculine versions
        *("La actriz durmió.", "Está cansada.", "", "La reina comió."),  # feminine ones
        *("La doctora salió.", "HE NURSE SANG"),
    ]
    found = measured(tmp_path, lines, to="es", data=own)
    whole = value(found, "error", "counterfactual")
    # Segments 3 and 4 have a version that shows nothing, so only 1 and 2 count.
    assert (whole.value, whole.n, whole.unread) == (0.5, 2, 2)
    masculine, feminine = (value(found, "accuracy", "counterfactual", g) for g in ("masculine", "feminine"))
    assert (masculine.value, masculine.n, masculine.unread) == (pytest.approx(1 / 3), 3, 1)
    assert (feminine.value, feminine.n, feminine.unread) == (1, 3, 1)
    assert value(found, "gap", "counterfactual").value == pytest.approx(1 / 3 - 1)
    assert value(found, "mixed", "counterfactual").value == pytest.approx(1 / 6)
    assert value(found, "unread_share", "counterfactual", "empty translation").value == pytest.approx(1 / 8)
    assert value(found, "unread_share", "counterfactual", "no gendered word").value == pytest.approx(1 / 8)
    context = value(found, "error", "contextual")
    assert (context.value, context.n, context.unread) == (1, 1, 1)
    published = measured(tmp_path, lines, to="es", data=own, as_published=True)
    assert value(published, "accuracy", "counterfactual").value == 0.5  # 1 and 4; 2 and 3 hold a wrong word
    assert value(published, "accuracy", "contextual").value == 0.5


class Both(Translator):
    """Translates context and sentence, as systems do; `says` is what it makes of the sentence."""

    def __init__(self, says):
        super().__init__("both")
        self.says, self.asked = says, []

    @property
    def fingerprint(self):
        return "0"

    def describe(self):
        return {"name": self.name, "kind": self.kind, "fingerprint": "0"}

    def translate(self, texts, source, target):
        self.asked += texts
        return [self.says(text) for text in texts]


def test_a_system_gets_the_context_and_only_the_sentence_is_read(own, tmp_path):
    model = Both(lambda text: f"La señora ganó. {'El doctor' if 'doctor' in text else 'El enfermero'} vino.")
    run = evaluate("mt-geneval", model, to="es", data=own, set="contextual", out=tmp_path / "run")
    assert sorted(model.asked) == ["He had lost. The nurse sang.", "She had won. The doctor left."]
    # "La" of the context belongs to the flipped reference of both and is not read
    assert list(run.rows["reading"]) == ["right", "wrong"]
    assert run.estimate("accuracy", language="es", subset="contextual", group=None).value == 0.5
    alone = Both(lambda text: "El doctor vino." if "doctor" in text else "Nadie. Nada. Nunca. La enfermera.")
    evaluate("mt-geneval", alone, to="es", data=own, set="contextual", context="none", out=tmp_path / "two")
    assert sorted(alone.asked) == ["The doctor left.", "The nurse sang."]


@pytest.mark.parametrize(
    ("output", "part"),
    [
        ("Ganó. Salió el doctor.", "Salió el doctor."),
        ("Salió el doctor.", "Salió el doctor."),
        ("Ganó la Sra. Luisa. Sí. Salió el doctor.", None),
        ('«¿Ganó?» Salió "el doctor".', 'Salió "el doctor".'),
        ("", ""),
    ],
)
def test_the_part_that_translates_the_sentence(output, part):
    assert sentence_of(output, "She won. The doctor left.", "The doctor left.") == part


@pytest.mark.parametrize(
    ("context", "gender"),
    [
        ("He met her and his father.", "masculine"),
        ("She and her sister knew him.", "feminine"),
        ("The women decided to rob it.", "feminine"),
        ("He and she left.", "untold"),
        ("It rained on the shepherd.", "untold"),
    ],
)
def test_the_gender_that_a_context_tells(context, gender):
    assert told_gender(context) == gender


def test_references_without_a_word_of_their_own_are_told_apart_from_silent_outputs():
    assert read("Su hermana.", "Su amor.", "Su amor!").unread == "the references do not differ in any word"
    assert read("Su hermana.", "Su amigo.", "Su amiga.").unread == "no gendered word"


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ("9,masculine,He ran.,Él corrió.,Ella corrió.,", "line 12: segment '9' must have two rows"),
        (",male,He ran.,Él corrió.,Ella corrió.,", "line 12: the gender is 'male'; it must be masculine, feminine"),
        (",,He ran.,,Ella corrió.,", "line 12: the reference is empty"),
    ],
)
def test_own_segments_that_cannot_be_used_are_named_by_line(row, complaint, tmp_path):
    path = tmp_path / "own.csv"
    path.write_text(f"{OWN}{row}\n", encoding="utf-8")
    with pytest.raises(UserError, match=complaint):
        measured(tmp_path, [], to="es", data=str(path))


def test_sources_are_those_of_a_language_and_in_the_order_of_the_files(own, mirror, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    told = sources("mt-geneval", to="es", data=own)
    assert told[0] == "The actor slept."
    assert told[4:6] == ["The actress slept.", "She is tired."]
    assert told[8] == "She had won. The doctor left."
    assert len(sources("mt-geneval", to="pt", set="counterfactual")) == 600
    with pytest.raises(UserError, match="depend on the target language; give one, such as --to es"):
        sources("mt-geneval")
