"""The languages, listed in `languages.csv`: names, codes in other systems, scripts, and supported measures."""

import csv
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from genderscope.core.errors import UserError, did_you_mean, unknown


@dataclass(frozen=True, kw_only=True, slots=True)
class Language:
    """One language; its two-letter code (ISO 639-1) is its key in `LANGUAGES`."""

    name: str
    family: str  # language branch; the cluster unit when results are generalised to other languages
    iso3: str  # three-letter code (ISO 639-3, or 639-2 where customary), used by NLLB, Marian and Apertium
    #: ISO 15924 codes; NLLB uses the first
    scripts: tuple[str, ...]
    other_names: tuple[str, ...] = ()
    nllb: str | None = None  # NLLB's three-letter code, if different from `iso3`
    mbart: str | None = None  # suffix of the mBART-50 code; None if mBART-50 does not cover the language
    #: DeepL's target code, if different from the two-letter code (which Google and Amazon always accept)
    deepl: str | None = None
    #: whether `grammar/speaker/` can detect the speaker's gender, for gest-mt and gest-slavic pairs
    speaker: bool = False
    adjectives: str | None = None  # the module in `grammar/adjectives/` that detects adjective gender, for dialogue
    honest: bool = False  # whether HONEST templates and a HurtLex lexicon exist
    geneval: bool = False  # whether MT-GenEval has reference translations

    @property
    def names(self) -> tuple[str, ...]:
        """All English names of the language."""
        return (self.name, *self.other_names)


def _read() -> Iterator[tuple[str, Language]]:
    table = Path(__file__).with_name("languages.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(table.splitlines()):
        code = row.pop("code")
        fields: dict[str, Any] = {name: text or None for name, text in row.items()}
        fields |= {name: tuple(row[name].split()) for name in ("scripts", "other_names")}
        fields |= {name: row[name] == "yes" for name in ("speaker", "honest", "geneval")}
        yield code, Language(**fields)


LANGUAGES = dict(_read())  # code -> language
_CODES = {name.casefold(): code for code, language in LANGUAGES.items() for name in language.names}
#: languages with speaker gender detection
SPEAKER_LANGUAGES = tuple(code for code, language in LANGUAGES.items() if language.speaker)
#: languages with adjective gender detection
ADJECTIVE_LANGUAGES = tuple(code for code, language in LANGUAGES.items() if language.adjectives)
HONEST_LANGUAGES = tuple(code for code, language in LANGUAGES.items() if language.honest)  # languages covered by HONEST
#: MT-GenEval target languages
GENEVAL_LANGUAGES = tuple(code for code, language in LANGUAGES.items() if language.geneval)


def language_name(code: str) -> str:
    """Return the English name of a language, or the code itself if it is not listed."""
    return LANGUAGES[code].name if code in LANGUAGES else code


def language_family(code: str) -> str:
    """Return the family of a language, or the code itself if it is not listed."""
    return LANGUAGES[code].family if code in LANGUAGES else code


def language_code(name: str) -> str:
    """Return the code of a language given by its English name; return any other text unchanged."""
    return _CODES.get(name.strip().casefold(), name)


def suggested_language(name: str, available: Collection[str]) -> str:
    """Return ' Did you mean X?' for the known code whose language's name or code is closest to `name`."""
    names = [language for language, code in _CODES.items() if code in available]
    near = get_close_matches(name.strip().casefold(), names, n=1, cutoff=0.7)
    if not near:
        return did_you_mean(name.lower(), available)
    code = _CODES[near[0]]
    return f" Did you mean '{code}' ({language_name(code)})?"


def require_language(what: str, name: str, available: Collection[str]) -> None:
    """Raise a UserError if the code is not one of the known languages."""
    if name not in available:
        raise unknown(what, name, available, suggested_language(name, available))


def targets(wanted: Sequence[str], built_in: Sequence[str], available: Collection[str], what: str) -> tuple[str, ...]:
    """Validate and deduplicate target languages; `all` selects the built-in languages but no plugins."""
    if tuple(wanted) == ("all",):
        return tuple(built_in)
    if not wanted:
        raise UserError(f"No target language given; use one or more of {', '.join(available)}, or all.")
    for language in wanted:
        require_language(what, language, available)
    return tuple(dict.fromkeys(wanted))
