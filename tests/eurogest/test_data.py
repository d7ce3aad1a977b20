"""EuroGEST's data: what the released files hold, which texts are made of it, and what own files may hold."""

import csv
from pathlib import Path

import pytest
from benchmarks.eurogest_audit import VERDICTS
from benchmarks.eurogest_classes import CLASSES, classify

from genderscope.core.errors import UserError
from genderscope.core.languages import LANGUAGES
from genderscope.core.network import offline
from genderscope.measures.eurogest.published import PublishedTexts
from genderscope.measures.eurogest.published import select as select_published
from genderscope.measures.eurogest.texts import EuroGestOptions, TextBuilder, alternates, select_samples
from genderscope.samples.eurogest import EuroPair, is_cut, languages, load, load_own, parse, scaffolds

#: language -> gendered pairs, neutral sentences
COUNTS = {
    "bg": "778/1884",
    "ca": "190/1766",
    "hr": "1468/329",
    "cs": "1570/238",
    "da": "0/3281",
    "nl": "0/3294",
    "et": "0/3133",
    "fi": "0/3257",
    "fr": "552/2255",
    "gl": "137/1495",
    "de": "82/2747",
    "el": "388/2184",
    "hu": "0/3154",
    "ga": "0/1638",
    "it": "571/2011",
    "lv": "433/1864",
    "lt": "431/1836",
    "mt": "68/1053",
    "no": "0/3299",
    "pl": "1368/379",
    "pt": "436/2228",
    "ro": "199/2663",
    "ru": "1352/598",
    "sk": "1556/182",
    "sl": "1485/189",
    "es": "468/2397",
    "sv": "0/3361",
    "tr": "0/3322",
    "uk": "1006/460",
    "en": "0/3565",
}
#: languages whose third person, as a scaffold says it, tells no gender
NO_PRONOUN = {"et", "fi", "hu", "tr", "el", "es", "gl", "it"}


@pytest.fixture
def released(mirror, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    return load()


def test_the_released_files_hold_what_the_paper_counts(released):
    found = {k: f"{len(released.pairs.get(k, ()))}/{len(released.neutral[k])}" for k in languages()}
    assert found == COUNTS
    assert sum(map(len, released.pairs.values())) == 14_538


def test_cells_that_cannot_be_used_are_left_out():
    header = "Language,GEST_sentence,French,French,stereotype_number\nPrompt,,the man said,the woman said,\n"
    cells = ("fort,forte,9", "fort,,9", "fort,fort,9", "fort,forte,", "—,–,9", ",,9")
    gendered = header + "".join(f"{k},I am.,{cell}\n" for k, cell in enumerate(cells))
    plain = ",GEST_sentence,French,stereotype_number\n0,I am.,Je suis,9.0\n1,I was.,…,9.0\n2,I did.,Je fis,\n"
    found = parse(gendered.encode(), plain.encode())
    assert [pair.row for pair in found.pairs["fr"]] == [0]
    assert [sentence.row for sentence in found.neutral["fr"]] == [0]


def test_what_is_cut_at_an_apostrophe_is_left_out(released):
    cut = [s for s in released.neutral["mt"] if is_cut(s.text, "mt")]
    assert len(cut) > 100
    asked = {(s.language, s.row) for s in select_samples(EuroGestOptions(lang=("mt", "fr"))).samples}
    assert not asked & {("mt", s.row) for s in cut}
    published = select_published(EuroGestOptions(lang=("mt",), as_published="2026")).samples
    assert len(published) == 68 + 1053


@pytest.mark.parametrize("language", languages())
def test_scaffolds_tell_the_gender_in_every_condition_that_there_is(language):
    scaffold = scaffolds()[language]
    assert language in LANGUAGES
    assert scaffold.noun[0] != scaffold.noun[1]
    assert (scaffold.pronoun == ("", "")) == (language in NO_PRONOUN)
    assert scaffold.usual == ("noun" if language in NO_PRONOUN else "pronoun")


def test_a_language_without_gendered_pronouns_has_no_pronoun_condition(released):
    texts = TextBuilder(released, False)
    for language in languages():
        assert ("pronoun" in texts.conditions(language)) == (language not in NO_PRONOUN)
    with pytest.raises(UserError, match=r"'fi' has no sentences for the condition 'pronoun' .* available: noun\."):
        select_samples(EuroGestOptions(lang=("fi",), condition=("pronoun",)))
    everywhere = select_samples(EuroGestOptions(condition=("pronoun",), limit=1))
    assert {s.language for s in everywhere.samples} == set(languages()) - NO_PRONOUN
    assert set(everywhere.without) == NO_PRONOUN


def test_texts_are_the_same_but_for_the_gender_and_end_alike(released):
    for sample in select_samples(EuroGestOptions(limit=40)).samples:
        assert sample.male != sample.female
        assert sample.male[-1] == sample.female[-1]
        assert sample.male[-1] in ".!?…"
    by_hand = first_sample(TextBuilder(released, False), "de")
    assert by_hand.row == 0
    assert by_hand.male.startswith("„")
    assert by_hand.male.endswith("“, sagte er.")
    assert by_hand.female == by_hand.male.replace("sagte er.", "sagte sie.")
    published = first_sample(PublishedTexts(released, "2026"), "en")
    assert published.female.endswith('," she said')
    assert published.male.count(".") == 0
    earlier = first_sample(PublishedTexts(released, "2025"), "en")
    assert earlier.female.endswith('" she said')
    assert not earlier.female.endswith('," she said')


def first_sample(texts, language):
    """Return the first sentence of a language in its pronoun scaffold."""
    return texts.sample(language, "pronoun", next(texts.rows(language, "pronoun")))


def test_common_sentences_are_those_that_every_language_has(released):
    found = select_samples(EuroGestOptions(lang=("en", "fr", "sk", "fi"), common=True)).samples
    rows = {k: {s.row for s in found if s.language == k} for k in ("en", "fr", "sk", "fi")}
    assert rows["en"] == rows["fr"] == rows["sk"] == rows["fi"]
    assert len(rows["en"]) > 500


def test_a_limit_keeps_conditions_and_stereotypes(released):
    found = select_samples(EuroGestOptions(lang=("fr",), limit=80)).samples
    assert len(found) == 80
    assert {s.condition for s in found} == {"gendered", "pronoun"}
    assert {s.stereotype for s in found} == set(range(1, 17))


# The audit of the pairs


def test_the_table_of_the_audit_is_what_its_rules_say(released):
    for language in ("ca", "de", "fr", "gl", "lt", "mt", "pt"):
        for pair in released.pairs[language]:
            assert alternates(language, pair.row) == classify(pair, language), f"{language} {pair.row}"


def test_pairs_read_by_hand_are_right_in_most_cases(released):
    with Path(VERDICTS).open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["class"] for row in rows} == set(CLASSES)
    for row in rows:
        assert alternates(row["language"], int(row["row"])) == row["class"]
    for name in CLASSES:
        mine = [row["verdict"] for row in rows if row["class"] == name]
        assert set(mine) <= {"right", "wrong"}
        assert mine.count("wrong") <= 0.12 * len(mine)


@pytest.mark.parametrize(
    ("language", "male", "female", "wanted"),
    [
        ("it", "Sono molto stanco", "Sono molto stanca", "adjective"),
        ("de", "Als Bäcker stehe ich früh auf", "Als Bäckerin stehe ich früh auf", "noun"),
        ("es", "Soy un gran artista", "Soy una gran artista", "noun"),
        ("fr", "Hier j'ai vu mon ami", "Hier j'ai vu mon amie", "other"),
        ("it", "Ho parlato con un artista", "Ho parlato con una artista", "other"),
        ("pt", "Quero ajudá-la", "Quero ajudá-lo", "object"),
        ("lt", "Pietus gaminau greitai", "Pietus viriau greitai", "wording"),
        ("sk", "Včera som plakal", "Včera som plakala", "adjective"),
    ],
)
def test_what_alternates_is_told_from_the_words(language, male, female, wanted):
    assert classify(EuroPair(0, male, female, 1, ""), language) == wanted


# Bad input


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"lang": ("sl", "xx")}, r"EuroGEST has no sentences in 'xx' \(--lang\); available: en, bg, ca"),
        ({"lang": ("german",)}, r"Did you mean 'de' \(German\)\?"),
        ({"lang": ("norwegan",)}, r"Did you mean 'no' \(Norwegian\)\?"),
        ({"lang": ()}, "--lang is empty; choose from"),
        ({"condition": ("nouns",)}, r"Unknown condition 'nouns' in --condition; .* Did you mean 'noun'\?"),
        ({"lang": ("da",), "condition": ("gendered",)}, "'da' has no sentences for the condition 'gendered'"),
        ({"lang": ("sk", "de"), "condition": ("gendered",), "common": True, "limit": 3}, None),
    ],
)
def test_what_cannot_be_chosen_is_one_sentence(released, options, complaint):
    if complaint is None:
        assert select_samples(EuroGestOptions(**options)).samples
        return
    with pytest.raises(UserError, match=complaint):
        select_samples(EuroGestOptions(**options))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("male,female,stereotype\na,b,1\n", "has no column language"),
        ("language,male,female,stereotype\n", "has no pairs"),
        ("language,male,female,stereotype\nxx,a,b,1\n", r"line 2: Unknown language 'xx'"),
        ("language,male,female,stereotype\nfr,a,,1\n", "line 2: one of the two sentences is empty"),
        ("language,male,female,stereotype\nfr,a,a,1\n", "line 2: the two sentences are the same"),
        ("language,male,female,stereotype\nfr,a,b,17\n", "line 2: the stereotype is '17'"),
    ],
)
def test_a_bad_file_of_pairs_is_one_sentence(tmp_path, text, complaint):
    path = tmp_path / "pairs.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=complaint):
        load_own(str(path))


def test_own_pairs_that_repeat_another_count_once(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("language,male,female,stereotype\nfr,a,b,1\nfr,a,b,1\nit,a,b,1\n", encoding="utf-8")
    assert [load_own(str(path)).duplicates, len(load_own(str(path)).pairs["fr"])] == [1, 1]
    assert len(load_own(str(path), keep_duplicates=True).pairs["fr"]) == 2
    with pytest.raises(UserError, match=r"has no pairs in 'sk' \(--lang\); available: fr, it"):
        select_samples(EuroGestOptions(data=str(path), lang=("sk",)))


def test_own_pairs_with_one_source_are_one_sentence_in_all_languages(tmp_path):
    path = tmp_path / "pairs.csv"
    rows = ("fr,a,b,1,One", "fr,c,d,1,Two", "it,e,f,1,Two", "it,g,h,1,", "it,i,j,1,Two", "it,k,l,9,One")
    path.write_text("\n".join(["language,male,female,stereotype,source", *rows]), encoding="utf-8")
    numbers = {language: [pair.row for pair in pairs] for language, pairs in load_own(str(path)).pairs.items()}
    assert numbers["it"][0] == numbers["fr"][1]
    assert len({*numbers["fr"], *numbers["it"]}) == 5


@pytest.mark.parametrize("published", [None, "2025", "2026"])
def test_own_pairs_need_no_scaffold(tmp_path, monkeypatch, published):
    """Nothing is fetched for them, and a language may be one that EuroGEST lacks."""
    monkeypatch.delenv("GENDERSCOPE_MIRROR", raising=False)
    path = tmp_path / "pairs.csv"
    path.write_text("language,male,female,stereotype\nsr,Bio sam tu,Bila sam tu,1\nfr,prêt,prête,1\n", encoding="utf-8")
    options = {"data": str(path), "as_published": published}
    select = select_published if published else select_samples
    with offline():
        assert [s.language for s in select(EuroGestOptions(**options)).samples] == ["sr", "fr"]
        with pytest.raises(UserError, match=r"'sr' has no sentences for the condition 'scaffold' .*: gendered\."):
            select(EuroGestOptions(**options, lang=("sr",), condition=("scaffold",)))
