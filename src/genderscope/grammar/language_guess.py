"""Recognition of the language of many texts from frequent words and letters, to warn if it is not the expected one."""

import re
import string
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from genderscope.core.languages import language_name

SAMPLED = 200  # number of texts examined
_LONGEST = 1_000  # number of characters of a text examined
#: Fewer words are not enough for a guess.
_LEAST_WORDS = 40
#: Minimum score of the likely language. Samples of 20 sentences score 0.15 or more in their own language; Arabic, 0.11.
_LEAST_SCORE = 0.12
#: Minimum lead over the expected language. Among texts in the expected language, no other language led by 0.01;
#: Croatian and Serbian in Latin script, and often Norwegian and Danish, differ by less than 0.1.
_LEAST_LEAD = 0.1
#: for a single text, and the number of such texts from which less evidence is needed in the others
_LEAST_WORDS_OF_TEXT, _LEAST_SCORE_OF_TEXT, _LEAST_LEAD_OF_TEXT, _SEVERAL = 6, 0.3, 0.25, 3
# Vowel signs of Devanagari do not count as letters in regular expressions.
_WORD = re.compile(r"(?:[^\W\d_]|[\u0900-\u0963])+")


@dataclass(frozen=True, slots=True)
class _Profile:
    words: frozenset[str]
    letters: frozenset[str]

    def score(self, counts: Counter[str]) -> float:
        """Return the share of words that are frequent in the language, less the share with letters foreign to it."""
        frequent = sum(count for word, count in counts.items() if word in self.words)
        foreign = sum(count for word, count in counts.items() if not self.letters.issuperset(word))
        return (frequent - foreign) / counts.total()


@cache
def _profiles() -> dict[str, _Profile]:
    tables = tomllib.loads(Path(__file__).with_name("language_profiles.toml").read_text(encoding="utf-8"))
    return {
        code: _Profile(frozenset(table["words"].split()), frozenset(string.ascii_lowercase + table["letters"]))
        for code, table in tables.items()
    }


def likely_language(texts: Sequence[str], expected: str) -> str | None:
    """Return the texts' likely language if they are clearly not in the expected one; otherwise None."""
    profiles = _profiles()
    if expected not in profiles:  # a plugin's language
        return None
    size = min(SAMPLED, len(texts))
    sampled = (texts[k * len(texts) // size][:_LONGEST] for k in range(size))
    counts = Counter(word for text in sampled for word in _WORD.findall(text.lower()))
    if counts.total() < _LEAST_WORDS:
        return None
    scores = {code: profile.score(counts) for code, profile in profiles.items()}
    likely = max(scores, key=lambda code: scores[code])
    is_clear = scores[likely] >= _LEAST_SCORE and scores[likely] - scores[expected] >= _LEAST_LEAD
    return likely if is_clear else None


def foreign_texts(texts: Sequence[str], expected: str) -> list[bool]:
    """Return which texts are clearly not in the expected language, one by one.

    A single text may mislead, so a language counts only if it is clear in several texts; it then needs less evidence in
    the others. In 25,500 released translations into 17 languages, no other language was clear.
    """
    profiles = _profiles()
    if expected not in profiles:  # a plugin's language
        return [False] * len(texts)
    scores: dict[str, dict[str, float]] = {}
    clear: Counter[str] = Counter()
    for text in dict.fromkeys(texts):
        counts = Counter(_WORD.findall(text[:_LONGEST].lower()))
        language_scores = {code: profile.score(counts) for code, profile in profiles.items()} if counts else {}
        scores[text] = language_scores
        if counts.total() >= _LEAST_WORDS_OF_TEXT:
            likely = max(language_scores, key=language_scores.__getitem__)
            lead = language_scores[likely] - language_scores[expected]
            clear[likely] += language_scores[likely] >= _LEAST_SCORE_OF_TEXT and lead >= _LEAST_LEAD_OF_TEXT
    several = [code for code, count in clear.items() if count >= max(_SEVERAL, 0.02 * len(texts))]
    return [any(scores[text] and _leads(scores[text], code, expected) for code in several) for text in texts]


def _leads(scores: Mapping[str, float], code: str, expected: str) -> bool:
    return scores[code] - scores[expected] >= _LEAST_LEAD


def language_warning(texts: Sequence[str], expected: str, what: str, option: str | None) -> str | None:
    """Return a sentence if the texts are clearly in another language, suggesting the right value of `option`."""
    likely = likely_language(texts, expected)
    if likely is None:
        return None
    if likely == "en":
        advice = "are they the untranslated sources?"
    else:
        advice = f"did you mean {option} {likely}?" if option else "check the file."
    return f"{what} look like {language_name(likely)}, not {language_name(expected)}; {advice}"
