"""The loaders of GATE's two releases, on files of our own in their layouts, and on the released files."""

import hashlib
import re
from collections import Counter
from dataclasses import replace

import pytest

from genderscope.measures.gate.reading import read_people
from genderscope.samples import gate as released
from genderscope.samples import registry
from genderscope.samples.registry import DataFile

MICROSOFT = {
    2: (
        "labels\tsource\tf\tm\tkw_s\tkw_f\tkw_m",
        "SUBJ;PROF\tThe baker sang.\tLa panadera cantó.\tEl panadero cantó.\tbaker\tla [panadera]\tel [panadero]",
        "SUBJ;FAM;PLUR\tOur cousins are tired.\tNuestras primas están cansadas.\tNuestros primos están cansados.\t"
        "our [cousins]=tired\tnuestras [primas]=cansadas\tnuestros [primos]=cansados",
        "SUBJ;DROP\tI am glad.\tEstoy contenta.\tEstoy contento.\tI=glad\t(yo)=contenta\t(yo)=contento",
        "SUBJ;OTH\tThey are glad.\tEstán contentas.\tEstán contentos.\tthey=glad\t(ellas)=contentas\t(ellos)=contentos",
        "SUBJ;NHUM\tThe cat ran.\tLa gata corrió.\tEl gato corrió.\tcat\tla [gata]\tel [gato]",
        "DOBJ;PROF\tI saw the artist.\tVi a artista.\tVi a artista.\tartist\tartista\tartista",
        "SUBJ;PROF\tThe baker sang.\tLa panadera cantó.\tEl panadero cantó.\tbaker\tla [panadera]\tel [panadero]",
    ),
    4: (
        "labels\tsource\tff\tfm\tmf\tmm\tkw_s\tkw_f\tkw_m",
        "SUBJ;PROF;OPRP;FAM\tThe judge sang for my friend.\tLa jueza cantó para mi amiga.\t"
        "La jueza cantó para mi amigo.\tEl juez cantó para mi amiga.\tEl juez cantó para mi amigo.\t"
        "judge;my [friend]\tla [jueza];mi [amiga]\tel [juez];mi [amigo]",
    ),
    8: ("labels\tsource\tfff\tffm\tfmf\tmff\tfmm\tmfm\tmmf\tmmm\tkw_s\tkw_f\tkw_m",),
}
APPLE = (
    "id\tsource\tinvalid\tsource with entity referring words\tentity referring words grouped\theadword in each group\t"
    "gender labels of headwords\tsource with headwords\tvanilla translation\ttranslation with gender structures\t"
    "gender alignments",
    "1\tThe baker sang.\tNo\t\t\t\tAmb\tThe [[baker]] sang.\t\t[[Der Bäcker/Die Bäckerin]] sang.\t0-0",
    "2\tThe clerk's cousin met her.\tNo\t\t\t\tAmb,Amb,Female\tThe [[clerk's]] [[cousin]] met [[her]].\t\t"
    "[[Der Cousin/Die Cousine]] [[des/der]] Angestellten traf sie.\t0-1,1-0",
    "3\tThe guests met me.\tNo\t\t\t\tAmb,Amb\tThe [[guests]] met [[me]].\t\tDie Gäste trafen mich.\tna",
    "4\tThe king slept.\tYes\t\t\t\tAmb\tThe [[king]] slept.\t\t[[Der König/Die Königin]] schlief.\t0-0",
)


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Write both releases in miniature and let the loaders use them."""
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(tmp_path))
    texts = {f"gate/ES/ES_{size}_variants.tsv": lines for size, lines in MICROSOFT.items()}
    texts |= {
        f"gate/{code}/{code}_{size}_variants.tsv": lines[:1]
        for size, lines in MICROSOFT.items()
        for code in ("FR", "IT")
    }
    for name, listed in (("gate", texts), ("gate-apple", {"gate-apple/gate.en-de.tsv": APPLE})):
        found = []
        for path, lines in listed.items():
            content = "".join(f"{line}\n" for line in lines).encode()
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_bytes(content)
            found.append(DataFile(path, "http://127.0.0.1:9/", hashlib.sha256(content).hexdigest(), len(content)))
        monkeypatch.setitem(registry.DATASETS, name, replace(registry.DATASETS[name], files=tuple(found)))


def test_people_of_microsofts_release_have_words_roles_and_kinds(files):
    found = released.load_released(("es",))
    baker, cousins, two = found.samples
    assert baker.people[0].masculine == ("panadero", "el")
    assert baker.people[0].feminine == ("panadera", "la")
    assert (baker.people[0].role, baker.people[0].kind, baker.people[0].plural) == ("subject", "profession", False)
    assert (cousins.people[0].entity, cousins.people[0].kind, cousins.people[0].plural) == ("cousins", "family", True)
    assert "cansadas" in cousins.people[0].feminine
    assert [(p.entity, p.role, p.kind) for p in two.people] == [
        ("judge", "subject", "profession"),
        ("friend", "other", "family"),
    ]
    assert dict(found.left_out) == {
        released.SPEAKER: 1,
        released.NO_NOUN: 1,
        released.ANIMAL: 1,
        released.SAME_WORDS: 1,
        released.REPEATED: 1,
    }


def test_people_of_apples_release_have_the_words_that_are_aligned_with_them(files):
    found = released.load_released(("de",))
    baker, two = found.samples
    assert (baker.people[0].masculine[0], baker.people[0].feminine[0]) == ("Bäcker", "Bäckerin")
    assert baker.people[0].kind == "profession"
    clerk, cousin = two.people
    assert (clerk.entity, clerk.role, clerk.masculine) == ("clerk", "possessor", ("Angestellten", "des"))
    assert (cousin.entity, cousin.kind, cousin.feminine[0]) == ("cousin", "family", "Cousine")
    assert dict(found.left_out) == {released.SAME_WORDS: 1, released.SPEAKER: 1, released.INVALID: 1}


def test_the_same_english_sentence_has_one_item_in_all_languages(files):
    spanish, german = (released.load_released((language,)).samples[0] for language in ("es", "de"))
    assert spanish.item == german.item
    assert released.load_released(("es",)).sha256 == released.load_released(("de",)).sha256


def references(language):
    """Yield each sentence with a reference translation and the gender of each person in it."""
    sentences = {sentence.number: sentence for sentence in released.load_released((language,)).samples}
    if language in released.MICROSOFT:
        for number, row in released._variants(language):
            clusters = zip(*(row[column].split(";") for column in ("kw_s", "kw_m", "kw_f")), strict=False)
            kept = [
                k
                for k, each in enumerate(clusters)
                if not isinstance(released._person(row["source"].strip(), *each), str)
            ]
            for column in (name for name in row if re.fullmatch("[fm]+", name)):
                if number in sentences and all(k < len(column) for k in kept):
                    yield sentences[number], row[column], [column[k] for k in kept]
        return
    for number, row in enumerate(released._table("gate-apple", f"gate-apple/gate.en-{language}.tsv")):
        for side, gender in enumerate("mf"):
            text = row["translation with gender structures"]
            for match in [*released._STRUCTURE.finditer(text)]:
                text = text.replace(match[0], (*match[1].split("/"), "")[side], 1)
            if number in sentences:
                yield sentences[number], text, [gender] * len(sentences[number].people)


@pytest.mark.long
@pytest.mark.parametrize("language", released.LANGUAGES)
def test_references_are_read_with_their_own_gender(language, mirror, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    counts: Counter[tuple[str, str | None]] = Counter()
    for sentence, text, genders in references(language):
        for reading, gender in zip(read_people(sentence, text), genders, strict=True):
            counts[gender, {"masculine": "m", "feminine": "f"}.get(reading.gender)] += 1
    for gender, other in ("mf", "fm"):
        right, wrong = counts[gender, gender], counts[gender, other]
        assert right / (right + wrong) > 0.99
        assert (right + wrong) / (right + wrong + counts[gender, None]) > 0.98


@pytest.mark.long
def test_the_released_sets_have_their_documented_sizes(mirror, monkeypatch):
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(mirror))
    sizes = {language: len(released.load_released((language,)).samples) for language in released.LANGUAGES}
    assert sizes == {"es": 1619, "fr": 1341, "it": 1457, "de": 1854, "pt": 1994, "ru": 1557}
