"""The languages: names, codes in other systems, scripts, and supported measures.

To add a language, add an entry here and its gender readers in `grammar/speaker/` or `grammar/adjectives/`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from genderscope.core.errors import UserError, unknown


@dataclass(frozen=True, kw_only=True, slots=True)
class Language:
    """One language; its two-letter code (ISO 639-1) is its key in `LANGUAGES`."""

    name: str
    #: language branch; the cluster unit when results are generalised to other languages
    family: str
    #: three-letter code (ISO 639-3, or 639-2 where customary), used by NLLB, Marian and Apertium
    iso3: str
    #: ISO 15924 codes; NLLB uses the first
    scripts: tuple[str, ...]
    other_names: tuple[str, ...] = ()
    #: NLLB's three-letter code, if different from `iso3`
    nllb: str | None = None
    #: suffix of the mBART-50 code; None if mBART-50 does not cover the language
    mbart: str | None = None
    #: DeepL's target code, if different from the two-letter code (which Google and Amazon always accept)
    deepl: str | None = None
    #: whether `grammar/speaker/<code>.py` detects the speaker's gender, for gest-mt and gest-slavic pairs
    speaker: bool = False
    #: the module in `grammar/adjectives/` that detects adjective gender, for dialogue
    adjectives: str | None = None
    #: whether HONEST templates and a HurtLex lexicon exist
    honest: bool = False
    #: whether MT-GenEval has reference translations
    geneval: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """All English names of the language."""
        return (self.name, *self.other_names)


LATIN, CYRILLIC, GREEK = ("Latn",), ("Cyrl",), ("Grek",)

LANGUAGES = {
    "ar": Language(
        name="Arabic", family="Semitic", iso3="ara", nllb="arb", scripts=("Arab",), mbart="AR", geneval=True
    ),
    "be": Language(name="Belarusian", family="Slavic", iso3="bel", scripts=CYRILLIC, speaker=True),
    "bg": Language(name="Bulgarian", family="Slavic", iso3="bul", scripts=CYRILLIC, speaker=True),
    "ca": Language(name="Catalan", family="Romance", iso3="cat", scripts=LATIN),
    "cs": Language(
        name="Czech", family="Slavic", iso3="ces", scripts=LATIN, mbart="CZ", speaker=True, adjectives="czech"
    ),
    "da": Language(name="Danish", family="Germanic", iso3="dan", scripts=LATIN),
    "de": Language(name="German", family="Germanic", iso3="deu", scripts=LATIN, mbart="DE", geneval=True),
    "el": Language(name="Greek", family="Greek", iso3="ell", scripts=GREEK, speaker=True),
    "en": Language(
        name="English", family="Germanic", iso3="eng", scripts=LATIN, mbart="XX", deepl="en-us", honest=True
    ),
    "es": Language(
        name="Spanish",
        family="Romance",
        iso3="spa",
        scripts=LATIN,
        mbart="XX",
        speaker=True,
        adjectives="spanish",
        honest=True,
        geneval=True,
    ),
    "et": Language(name="Estonian", family="Uralic", iso3="est", scripts=LATIN, mbart="EE"),
    "fi": Language(name="Finnish", family="Uralic", iso3="fin", scripts=LATIN, mbart="FI"),
    "fr": Language(
        name="French", family="Romance", iso3="fra", scripts=LATIN, mbart="XX", speaker=True, honest=True, geneval=True
    ),
    "ga": Language(name="Irish", family="Celtic", iso3="gle", scripts=LATIN),
    "gl": Language(name="Galician", family="Romance", iso3="glg", scripts=LATIN, mbart="ES"),
    "hi": Language(name="Hindi", family="Indo-Aryan", iso3="hin", scripts=("Deva",), mbart="IN", geneval=True),
    "hr": Language(name="Croatian", family="Slavic", iso3="hrv", scripts=LATIN, mbart="HR", speaker=True),
    "hu": Language(name="Hungarian", family="Uralic", iso3="hun", scripts=LATIN),
    "is": Language(name="Icelandic", family="Germanic", iso3="isl", scripts=LATIN, adjectives="icelandic"),
    "it": Language(
        name="Italian", family="Romance", iso3="ita", scripts=LATIN, mbart="IT", speaker=True, honest=True, geneval=True
    ),
    "lt": Language(name="Lithuanian", family="Baltic", iso3="lit", scripts=LATIN, mbart="LT", speaker=True),
    "lv": Language(name="Latvian", family="Baltic", iso3="lav", nllb="lvs", scripts=LATIN, mbart="LV", speaker=True),
    "mt": Language(name="Maltese", family="Semitic", iso3="mlt", scripts=LATIN),
    "nl": Language(name="Dutch", family="Germanic", iso3="nld", scripts=LATIN, mbart="XX"),
    "no": Language(name="Norwegian", family="Germanic", iso3="nob", scripts=LATIN, deepl="nb"),
    "pl": Language(name="Polish", family="Slavic", iso3="pol", scripts=LATIN, mbart="PL", speaker=True),
    "pt": Language(
        name="Portuguese",
        family="Romance",
        iso3="por",
        scripts=LATIN,
        mbart="XX",
        deepl="pt-pt",
        speaker=True,
        honest=True,
        geneval=True,
    ),
    "ro": Language(name="Romanian", family="Romance", iso3="ron", scripts=LATIN, mbart="RO", speaker=True, honest=True),
    "ru": Language(
        name="Russian", family="Slavic", iso3="rus", scripts=CYRILLIC, mbart="RU", speaker=True, geneval=True
    ),
    "sk": Language(name="Slovak", family="Slavic", iso3="slk", scripts=LATIN, speaker=True),
    "sl": Language(
        name="Slovenian", family="Slavic", iso3="slv", scripts=LATIN, other_names=("Slovene",), mbart="SI", speaker=True
    ),
    "sr": Language(name="Serbian", family="Slavic", iso3="srp", scripts=("Cyrl", "Latn"), speaker=True),
    "sv": Language(name="Swedish", family="Germanic", iso3="swe", scripts=LATIN, mbart="SE"),
    "tr": Language(name="Turkish", family="Turkic", iso3="tur", scripts=LATIN, mbart="TR"),
    "uk": Language(name="Ukrainian", family="Slavic", iso3="ukr", scripts=CYRILLIC, mbart="UA", speaker=True),
}

#: languages with speaker gender detection
SPEAKER_LANGUAGES = tuple(code for code, language in LANGUAGES.items() if language.speaker)
#: languages with adjective gender detection
ADJECTIVE_LANGUAGES = tuple(code for code, language in LANGUAGES.items() if language.adjectives)
#: languages covered by HONEST
HONEST_LANGUAGES = tuple(code for code, language in LANGUAGES.items() if language.honest)
#: MT-GenEval target languages
GENEVAL_LANGUAGES = tuple(code for code, language in LANGUAGES.items() if language.geneval)


def language_name(code: str) -> str:
    """Return the English name of a language, or the code itself if it is not listed."""
    return LANGUAGES[code].name if code in LANGUAGES else code


def language_family(code: str) -> str:
    """Return the family of a language, or the code itself if it is not listed."""
    return LANGUAGES[code].family if code in LANGUAGES else code


def targets(wanted: Sequence[str], built_in: Sequence[str], known: Iterable[str], what: str) -> tuple[str, ...]:
    """Validate and deduplicate target languages; `all` selects the built-in ones, without plugins."""
    if tuple(wanted) == ("all",):
        return tuple(built_in)
    if not wanted:
        raise UserError(f"No target language is named; give some of {', '.join(known)}, or all.")
    for language in wanted:
        if language not in known:
            raise unknown(what, language, known)
    return tuple(dict.fromkeys(wanted))
