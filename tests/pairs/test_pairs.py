"""Pairs from translations: quotations, the filter, the released data, and the commands."""

import csv
import gzip
from collections import Counter

import pytest

from genderscope.cli.translate import translate_texts
from genderscope.core.errors import UserError
from genderscope.grammar import speaker_gender
from genderscope.models import Translator, normalised
from genderscope.runs import output_locked
from genderscope.samples import fetch, gest
from genderscope.samples import gender_pairs as pairs
from genderscope.samples.gender_pairs import (
    FRAMES,
    Translations,
    WordDifference,
    build,
    difference,
    framed,
    parse_released,
    quoted,
)
from genderscope.samples.registry import dataset


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('Muž povedal: "Plakal som."', "Plakal som."),
        ("Muž povedal: „Plakal som.“", "Plakal som."),
        ("Mężczyzna powiedział: „Płakałem.”", "Płakałem."),
        ("Muž povedal: “Plakal som.”", "Plakal som."),
        ("Мужчина сказал: «Я плакал».", "Я плакал."),
        ("Muškarac je rekao: »Plakao sam.«", "Plakao sam."),
        ("Muž povedal: „Plakal som.", "Plakal som."),
        ("Muž povedal: Plakal som.", "Plakal som."),
        ("Muž povedal: Videl som „Psycho“ dvakrát.", "Videl som „Psycho“ dvakrát."),
        ("Muž povedal: „Videl som film: Psycho.“", "Videl som film: Psycho."),
        ("„Plakal som“, povedal muž.", "Plakal som"),
        ("Muž plakal.", None),
        ("", None),
        ("Muž povedal:", None),
        ('Muž povedal: ""', None),
    ],
)
def test_the_quoted_sentence_is_found(text, sentence):
    assert quoted(text) == sentence


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ("Včera som plakal.", "Včera som plakala.", WordDifference("Včera som ", ".", "plakal", "plakala")),
        ("Rád čítam.", "Rada čítam.", WordDifference("", " čítam.", "Rád", "Rada")),
        ("Bol som, aký som.", "Bola som, aký som.", WordDifference("", " som, aký som.", "Bol", "Bola")),
        ("„Spal, lebo …", "„Spala, lebo …", WordDifference("„", ", lebo …", "Spal", "Spala")),
        ("Plakal som.", "Plakal  som.", pairs.IDENTICAL),
        ("Plakal som.", "Ja som plakala.", pairs.LENGTHS),
        ("Bol som rád.", "Bola som rada.", pairs.SEVERAL),
        ("Mal som psa.", "Vlastnila som psa.", pairs.BEGIN_DIFFERENTLY),
        ("Som dobrý kuchár.", "Som skvelý kuchár.", pairs.BEGIN_DIFFERENTLY),
        ("Bol som.", "bola som.", pairs.BEGIN_DIFFERENTLY),
    ],
)
def test_a_pair_differs_in_one_word_that_begins_alike(one, other, found):
    assert difference(one, other) == found
    if isinstance(found, WordDifference):
        assert found.before + found.one + found.after == one
        assert found.before + found.other + found.after == other


def read_slovak(sentence):
    return speaker_gender(sentence, "sk").gender


@pytest.mark.parametrize(
    ("plain", "man", "woman", "found"),
    [
        ("Plakal som.", "M: „Plakal som.“", "Ž: „Plakala som.“", ("Plakal som.", "Plakala som.")),
        ("Plakala som.", "M: „Plakal som.“", "Ž: „Plakala som.“", ("Plakal som.", "Plakala som.")),
        ("Plačem.", "M: „Plačem.“", "Ž: „Plačem.“", pairs.NO_GENDER),
        ("Plakal som.", "M: „Plakal som.“", "Žena plakala.", pairs.NO_QUOTATION),
        ("Plakal som.", "M: „Plakal som.“", None, pairs.NOT_TRANSLATED),
        ("Bol som tam.", "M: „Bol som tam.“", "Ž: „Bol som tu.“", pairs.NOT_CONFIRMED),
    ],
)
def test_the_plain_translation_meets_the_opposite_frame(plain, man, woman, found):
    made = build(Translations("s", 1, plain, man, woman), read_slovak)
    assert (made if isinstance(made, str) else (made.male, made.female)) == found


@pytest.mark.long
@pytest.mark.parametrize(
    ("system", "against", "confirmed", "expected"),
    [
        ("amazon", "opposite", False, 1120),
        ("google", "opposite", False, 1190),
        ("amazon", "frames", False, 1340),
        ("google", "frames", False, 1840),
        ("amazon", "opposite", True, 1080),
        ("google", "opposite", True, 1177),
    ],
)
def test_yields_on_the_released_slovak_translations(mirror, system, against, confirmed, expected):
    with gzip.open(mirror / f"gest/translations/{system}_translate/sk.csv.gz", "rt", encoding="utf-8") as file:
        table = {normalised(row["from"]): row["to"] for row in csv.DictReader(file)}
    found = []
    for s in gest.load(None, "1.0").samples:
        texts = [s.sentence, *(framed(s.sentence, frame) for frame in FRAMES)]
        given = Translations(s.sentence, s.stereotype, *(table.get(normalised(text)) for text in texts))
        found.append(build(given, read_slovak, against, confirmed))
    made = [each for each in found if not isinstance(each, str)]
    assert len(made) == pytest.approx(expected, abs=15)
    assert len(found) == 3565


def test_the_annotations_reproduce_table_5(mirror):
    text = fetch.read(dataset("gest-swap-annotations").files[0]).decode().replace("\r\n", "\n")
    groups = [group.strip().split("\n") for group in text.strip().split("\n\n")[2:]]
    confusion = Counter((not isinstance(difference(one, other), str), label.strip()) for one, other, label in groups)
    assert confusion == {(True, "C"): 79, (True, "G"): 1, (False, "X"): 61, (False, "G"): 19}


@pytest.fixture
def translated(tmp_path):
    """A file of translations with the frames of four samples of one's own."""
    data = tmp_path / "data.csv"
    data.write_text("sentence,stereotype\nI cried.,1\nI led.,13\nI cook.,3\nI slept.,8\n")
    forms = {
        "I cried.": ("Plakala som.", "Plakal som.", "Plakala som."),
        "I led.": ("Viedol som.", "Viedol som.", "Viedla som."),
        "I cook.": ("Varím.", "Varím.", "Varím."),
        "I slept.": ("Spal som.", "Spal som dobre.", "Spala som dobre."),
    }
    table = tmp_path / "sk.csv"
    with table.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("source", "translation"))
        for source, (plain, man, woman) in forms.items():
            writer.writerow((source, plain))
            writer.writerow((framed(source, FRAMES[0]), f"Muž povedal: „{man}“"))
            writer.writerow((framed(source, FRAMES[1]), f"Žena povedala: „{woman}“"))
    return f"file:{table}", data


def test_pairs_are_built_and_checked_on_the_command_line(translated, tmp_path, cli):
    spec, data = translated
    out = tmp_path / "pairs.csv"
    done = cli("pairs", "build", "--model", spec, "--to", "sk", "--data", data, "-o", out)
    assert done.returncode == 0, done.stderr
    assert "2 of 4 pairs are usable." in done.stdout
    assert "1 not usable: the plain translation shows no gender" in done.stdout
    assert out.read_text() == (
        "male,female,stereotype,source\nPlakal som.,Plakala som.,1,I cried.\nViedol som.,Viedla som.,13,I led.\n"
    )
    assert sorted(p.name for p in tmp_path.glob("pairs*")) == ["pairs.csv"]
    out.write_text(out.read_text() + "Varím.,Varím.,3,I cook.\nBol som tam.,Bol som tu.,3,x\n")
    done = cli("pairs", "check", out, "--lang", "sk")
    assert done.returncode == 0, done.stderr
    assert "2 of 4 pairs are usable." in done.stdout
    assert "1 not usable: the sentences are identical" in done.stdout
    assert "1 not usable: the reader did not find" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--to", "de"), "'de'"),
        (("--to", "sk", "--frames", "He said"), "give a man's and a woman's frame"),
        (("--to", "sk", "--against", "plain"), "Unknown value of --against 'plain'"),
    ],
)
def test_bad_options_get_one_sentence(translated, tmp_path, arguments, complaint, cli):
    spec, data = translated
    done = cli("pairs", "build", "--model", spec, "--data", data, "-o", tmp_path / "p.csv", *arguments)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_second_process_on_a_file_is_refused_and_the_lock_goes_with_the_first(translated, cli, tmp_path):
    spec, data = translated
    out = tmp_path / "pairs.csv"
    arguments = ("pairs", "build", "--model", spec, "--data", data, "--to", "sk", "-o", out)
    with output_locked(out):
        done = cli(*arguments)
    assert done.returncode == 2
    assert f"Another process is writing to '{out}'; wait for it" in done.stderr
    assert cli(*arguments).returncode == 0
    assert [path.name for path in tmp_path.glob("*pairs.csv*")] == ["pairs.csv"]


class Interrupted(Translator):
    """A translator that is stopped after some batches."""

    fingerprint = "interrupted"

    def __init__(self, batches):
        super().__init__("interrupted")
        self.batches = batches
        self.asked = []

    def describe(self):
        return {"name": self.name}

    def check(self, source, target):
        pass

    def translate(self, texts, source, target):
        if not self.batches:
            raise KeyboardInterrupt
        self.batches -= 1
        self.asked += texts
        return [text.upper() for text in texts]


def test_what_was_translated_before_an_interruption_is_not_asked_again(tmp_path):
    texts = [f"sentence {k}" for k in range(6)]
    first, second = Interrupted(2), Interrupted(99)
    kept = tmp_path / "pairs.csv.journal"
    with pytest.raises(KeyboardInterrupt):
        translate_texts(first, texts, ("en", "sk"), kept, 2)
    answers = translate_texts(second, texts, ("en", "sk"), kept, 2)
    assert [answer.text for answer in answers] == [text.upper() for text in texts]
    assert sorted(first.asked + second.asked) == texts
    assert len(second.asked) == 2


RELEASED = """translator,language,original,stereotype,male,female
A,sk,I cried.,1,Plakal som.,Plakala som.
B,sk,I cried.,1,Plakal som.,Plakala som.
A,cs,I cried.,1,Plakal jsem.,Plakala jsem.
B,sk,I led.,13,Viedol som.,Viedla som.
"""


def test_released_pairs_of_a_language_count_once_whatever_systems_wrote_them():
    found = parse_released(RELEASED.encode(), "sk")
    assert [(p.male, p.stereotype, p.source) for p in found.samples] == [
        ("Plakal som.", 1, "I cried."),
        ("Viedol som.", 13, "I led."),
    ]


def test_as_published_a_pair_counts_where_it_stands_first_whatever_its_stereotype_and_language():
    again = "A,sk,I cried too.,6,Plakal som.,Plakala som.\nA,sr,I led.,13,Vodio sam.,Vodila sam.\n"
    content = (
        RELEASED + again + "B,hr,I led.,13,Vodio sam.,Vodila sam.\nB,hr,I ran.,8,Trčao sam.,Trčala sam.\n"
    ).encode()
    defined, published = (parse_released(content, "sk", as_published).samples for as_published in (False, True))
    assert [(p.male, p.stereotype) for p in defined] == [("Plakal som.", 1), ("Viedol som.", 13), ("Plakal som.", 6)]
    assert [(p.male, p.stereotype) for p in published] == [("Plakal som.", 1), ("Viedol som.", 13)]
    assert [p.male for p in parse_released(content, "hr").samples] == ["Vodio sam.", "Trčao sam."]
    assert [p.male for p in parse_released(content, "hr", as_published=True).samples] == ["Trčao sam."]


def test_a_language_the_released_pairs_lack():
    with pytest.raises(UserError, match="Unknown language in the released pairs 'de'; available: cs, sk"):
        parse_released(RELEASED.encode(), "de")
