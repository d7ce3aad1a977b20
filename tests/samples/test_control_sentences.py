"""The control sentences keep the rules that make their answers known."""

import csv
import io
import re
import unicodedata
from importlib.resources import files

from tests.support.tables import every

LANGUAGES = (
    "be bg ca cs da de el en es et fi fr ga gl hr hu it lt lv mt nl no pl pt ro ru sk sl sr sv tr uk".split()  # noqa: SIM905
)
# The articles that two options differ in, which are no words for a gender by themselves.
ARTICLES = {
    "ca": "l la els les",
    "de": "der die",
    "el": "ο η",
    "es": "el la los las",
    "fr": "l la",
    "gl": "o a os as",
    "it": "l la gli le",
    "mt": "ir il in l",
    "pt": "o a os as",
}
# Words for he, she, man, woman, boy, girl, gentleman and lady that are in no scaffold or wording.
FURTHER = {
    "be": "ён яна мужчына жанчына хлопец хлопчык дзяўчына дзяўчынка пан пані",
    "bg": "мъж жена мъже жени момче момиче господин госпожа дама",
    "ca": "home dona noi noia nen nena senyor senyora mascle femella",
    "cs": "on ona kluk chlapec holka dívka pán paní dáma",
    "da": "mand kvinde dreng pige herre dame",
    "de": "Junge Mädchen Herr Dame Männer Frauen männlich weiblich",
    "el": "αυτός αυτή άνδρας άντρες αγόρι κορίτσι κύριος κυρία",
    "en": "boy girl male female gentleman lady boys girls his her him hers",
    "es": "él ella niño niña chico chica señor señora caballero dama varón",
    "et": "tema poiss tüdruk härra proua daam",
    "fi": "hän poika tyttö herra rouva neiti",
    "fr": "garçon fille monsieur madame dame mâle femelle",
    "ga": "buachaill cailín bean mná é í",
    "gl": "el ela neno nena rapaz rapaza señor señora",
    "hr": "on ona muž dječak djevojčica djevojka gospodin gospođa dama",
    "hu": "ő fiú lány úr hölgy",
    "it": "lui lei egli ella ragazzo ragazza signore signora maschio femmina uomini donne",
    "lt": "berniukas mergaitė mergina ponas ponia dama",
    "lv": "zēns meitene kungs kundze dāma vīrs sieva",
    "mt": "hu hi huwa hija tifel tifla sinjur sinjura raġel mara",
    "nl": "zij jongen meisje heer dame meneer mevrouw",
    "no": "mann kvinne gutt jente herre dame",
    "pl": "on ona chłopiec chłopak dziewczyna dziewczynka pan pani dama",
    "pt": "menino menina rapaz rapariga moço moça senhor senhora",
    "ro": "bărbat femeie băiat fată domn doamnă",
    "ru": "мальчик девочка девушка парень господин госпожа дама",
    "sk": "on ona chlapec dievča pán pani dáma",
    "sl": "on ona mož žena fant dekle deček deklica gospod gospa dama",
    "sr": "он она муж жена мушкарац дечак девојчица девојка господин госпођа дама",
    "sv": "man kvinna pojke flicka kille tjej herre dam",
    "tr": "o erkek kız oğlan bay bayan bey hanım",
    "uk": "чоловік жінка хлопець хлопчик дівчина дівчинка пан пані",
}


def rows_of(package, name):
    return list(csv.DictReader(io.StringIO(files(package).joinpath(name).read_text(encoding="utf-8"), newline="")))


def words(text):
    return re.findall(r"[^\W\d_]+", text.casefold())


ROWS = rows_of("genderscope.samples", "tables/controls/sentences.csv")
SCAFFOLDS = rows_of("genderscope.samples", "scaffolds.csv")
WORDINGS = rows_of("genderscope.measures.gest_chat", "wordings.csv")


def option_words(language):
    """The words that tell the two options of a question apart, in all questions asked in the language."""
    options = [
        (row[f"{male} said"], row[f"{female} said"])
        for row in SCAFFOLDS
        for male, female in (("he", "she"), ("the man", "the woman"))
        if row["language"] == language
    ]
    options += [(row["men"], row["women"]) for row in WORDINGS if row["language"] == language]
    differing = {word for male, female in options for word in set(words(male)) ^ set(words(female))}
    return differing - set(words(ARTICLES.get(language, "")))


def sentences(language):
    return [row[version] for row in ROWS if row["language"] == language for version in ("male", "female")]


def test_languages():
    assert sorted({row["language"] for row in ROWS}) == LANGUAGES
    assert {row["language"] for row in SCAFFOLDS + WORDINGS} <= set(LANGUAGES)


@every("language", LANGUAGES)
def test_numbers_of_pairs(language):
    pairs = [row for row in ROWS if row["language"] == language]
    known, nothing = (44, 20) if language == "en" else (14, 8)
    assert [row["kind"] for row in pairs] == ["known"] * known + ["nothing"] * nothing
    assert [int(row["pair"]) for row in pairs] == list(range(1, known + nothing + 1))


@every("language", LANGUAGES)
def test_no_sentence_contains_the_answer(language):
    answers = option_words(language)
    assert answers
    answers |= set(words(FURTHER[language]))
    assert [text for text in sentences(language) if answers & set(words(text))] == []


@every("language", LANGUAGES)
def test_each_text_is_one_short_sentence_in_no_quotation_marks(language):
    for text in sentences(language):
        assert re.fullmatch(r"[^.!?]+[.!?]", text), text
        assert not re.search(r"[\"“”„«»‹›‘’‚]|(?<!\w)'|\s{2}", text), text
        assert text == unicodedata.normalize("NFC", text.strip())
        assert 4 <= sum(bool(words(word)) for word in text.split()) <= 14, text


@every("language", LANGUAGES)
def test_no_sentence_is_there_twice(language):
    assert len({text.casefold() for text in sentences(language)}) == len(sentences(language))


@every("language", LANGUAGES)
def test_versions_that_tell_nothing_differ_in_a_detail(language):
    for row in ROWS:
        if row["language"] == language and row["kind"] == "nothing":
            first, second = words(row["male"]), words(row["female"])
            assert len(set(first) - set(second)) <= 2, row
            assert len(set(second) - set(first)) <= 2, row
