"""The languages, stated once: what others call them, how they are written, what can be done with them here.

To add one, write its line here and, where its readers are named, a file each in `grammar/speaker/` or
`grammar/adjectives/`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from genderscope.errors import UserError, unknown


@dataclass(frozen=True, kw_only=True, slots=True)
class Language:
    """One language; its two-letter code (ISO 639-1) is its key in `LANGUAGES`."""

    name: str
    #: three-letter code (ISO 639-3, or 639-2 where that is what is used): NLLB, Marian, Apertium
    iso3: str
    #: ISO 15924; the first is the one that NLLB writes
    scripts: tuple[str, ...]
    other_names: tuple[str, ...] = ()
    #: NLLB's three-letter code, where it is another one
    nllb: str | None = None
    #: behind the code in mBART-50, which does not have every language
    mbart: str | None = None
    #: what DeepL calls it as a target, where that is not the two-letter code; Google and Amazon always take that
    deepl: str | None = None
    #: whether `grammar/speaker/<code>.py` reads the speaker's gender: gest-mt, pairs for gest-slavic
    speaker: bool = False
    #: the module of `grammar/adjectives/` that reads the gender of adjectives: dialogue
    adjectives: str | None = None
    #: whether HONEST has templates and HurtLex words in it
    honest: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Every English name of the language."""
        return (self.name, *self.other_names)


LATIN, CYRILLIC, GREEK = ("Latn",), ("Cyrl",), ("Grek",)

LANGUAGES = {
    "be": Language(name="Belarusian", iso3="bel", scripts=CYRILLIC, speaker=True),
    "bg": Language(name="Bulgarian", iso3="bul", scripts=CYRILLIC, speaker=True),
    "cs": Language(name="Czech", iso3="ces", scripts=LATIN, mbart="CZ", speaker=True, adjectives="czech"),
    "de": Language(name="German", iso3="deu", scripts=LATIN, mbart="DE"),
    "el": Language(name="Greek", iso3="ell", scripts=GREEK, speaker=True),
    "en": Language(name="English", iso3="eng", scripts=LATIN, mbart="XX", deepl="en-us", honest=True),
    "es": Language(
        name="Spanish", iso3="spa", scripts=LATIN, mbart="XX", speaker=True, adjectives="spanish", honest=True
    ),
    "fr": Language(name="French", iso3="fra", scripts=LATIN, mbart="XX", speaker=True, honest=True),
    "hr": Language(name="Croatian", iso3="hrv", scripts=LATIN, mbart="HR", speaker=True),
    "is": Language(name="Icelandic", iso3="isl", scripts=LATIN, adjectives="icelandic"),
    "it": Language(name="Italian", iso3="ita", scripts=LATIN, mbart="IT", speaker=True, honest=True),
    "lt": Language(name="Lithuanian", iso3="lit", scripts=LATIN, mbart="LT", speaker=True),
    "lv": Language(name="Latvian", iso3="lav", nllb="lvs", scripts=LATIN, mbart="LV", speaker=True),
    "pl": Language(name="Polish", iso3="pol", scripts=LATIN, mbart="PL", speaker=True),
    "pt": Language(name="Portuguese", iso3="por", scripts=LATIN, mbart="XX", deepl="pt-pt", speaker=True, honest=True),
    "ro": Language(name="Romanian", iso3="ron", scripts=LATIN, mbart="RO", speaker=True, honest=True),
    "ru": Language(name="Russian", iso3="rus", scripts=CYRILLIC, mbart="RU", speaker=True),
    "sk": Language(name="Slovak", iso3="slk", scripts=LATIN, speaker=True),
    "sl": Language(name="Slovenian", iso3="slv", scripts=LATIN, other_names=("Slovene",), mbart="SI", speaker=True),
    "sr": Language(name="Serbian", iso3="srp", scripts=("Cyrl", "Latn"), speaker=True),
    "uk": Language(name="Ukrainian", iso3="ukr", scripts=CYRILLIC, mbart="UA", speaker=True),
}

#: in which the speaker's gender is read
SPEAKER_LANGUAGES = tuple(code for code, language in LANGUAGES.items() if language.speaker)
#: in which the gender of adjectives is read
ADJECTIVE_LANGUAGES = tuple(code for code, language in LANGUAGES.items() if language.adjectives)
#: in which HONEST asks
HONEST_LANGUAGES = tuple(code for code, language in LANGUAGES.items() if language.honest)


def targets(wanted: Sequence[str], built_in: Sequence[str], known: Iterable[str], what: str) -> tuple[str, ...]:
    """Return the target languages that an option names, each once; `all` are those built in, not those of plugins."""
    if tuple(wanted) == ("all",):
        return tuple(built_in)
    if not wanted:
        raise UserError(f"No target language is named; give some of {', '.join(known)}, or all.")
    for language in wanted:
        if language not in known:
            raise unknown(what, language, known)
    return tuple(dict.fromkeys(wanted))
