"""Detection of the gender of each adjective in a translated line of dialogue."""

import importlib
from collections.abc import Sequence
from functools import cache

from genderscope.core.languages import ADJECTIVE_LANGUAGES, LANGUAGES, suggested_language
from genderscope.grammar.adjectives.clauses import Grammar, ParsedClause, RenderedAdjective, align, clauses
from genderscope.grammar.adjectives.data import word_lists
from genderscope.grammar.adjectives.english import predications
from genderscope.grammar.adjectives.readings import (
    UNREAD,
    UNTRANSLATED,
    AdjectiveReading,
    AskedAdjective,
    UnknownLanguageError,
)
from genderscope.grammar.adjectives.speech import Passage, unescape
from genderscope.grammar.both_forms import Variant, both_forms, variants


def adjective_gender(source: str, translation: str, language: str) -> list[AdjectiveReading]:
    """Detect the gender of every adjective predicated of "I" or "you" in the source, in source order.

    Args:
        source: The English passage.
        translation: Its translation.
        language: `es`, `cs` or `is`.
    """
    return adjective_readings(predications(source), translation, language)


def adjective_readings(asked: Sequence[AskedAdjective], translation: str, language: str) -> list[AdjectiveReading]:
    """Detect the gender of the given adjectives in a translation, in the order given."""
    grammar = _grammar(language)
    passage = unescape(translation)
    forms = both_forms(language).find(passage.text)
    if not forms:
        return _readings(asked, passage, grammar)
    masculine, feminine = (
        [_original(passage, variant, reading) for reading in _readings(asked, Passage(variant.text, None), grammar)]
        for variant in variants(passage.text, forms)
    )
    return [
        a
        if a.gender == b.gender or (a.start, a.end) != (b.start, b.end)
        else a._replace(gender="neutral", strategy="split form", how="ending")
        for a, b in zip(masculine, feminine, strict=True)
    ]


def _original(passage: Passage, variant: Variant, reading: AdjectiveReading) -> AdjectiveReading:
    """Return a reading of a variant with its word in the original translation."""
    if reading.start is None or reading.end is None:
        return reading
    start, end = variant.original(reading.start, reading.end)
    word = passage.text[start:end]
    start, end = passage.original(start, end)
    return reading._replace(word=word, start=start, end=end)


def _readings(asked: Sequence[AskedAdjective], passage: Passage, grammar: Grammar) -> list[AdjectiveReading]:
    answers = align(asked, clauses(passage.text, grammar))
    if None in answers:
        # Quotation marks may be lost or misplaced, so try the whole passage too.
        anywhere = align(asked, clauses(passage.text, grammar, quoted=False))
        if anywhere.count(None) < answers.count(None):
            answers = anywhere
    return [_reading(question, clause, passage, grammar) for question, clause in zip(asked, answers, strict=True)]


@cache
def _grammar(language: str) -> Grammar:
    if language not in ADJECTIVE_LANGUAGES:
        raise UnknownLanguageError(
            f"Adjectives cannot be read in '{language}'; available: {', '.join(ADJECTIVE_LANGUAGES)}."
            f"{suggested_language(language, ADJECTIVE_LANGUAGES)}"
        )
    module = importlib.import_module(f"genderscope.grammar.adjectives.{LANGUAGES[language].adjectives}")
    grammar: Grammar = module.GRAMMAR
    return grammar


def _reading(
    question: AskedAdjective, clause: ParsedClause | None, passage: Passage, grammar: Grammar
) -> AdjectiveReading:
    finding = _untranslated(question.adjective, clause, passage, grammar)
    if finding is None:
        finding = RenderedAdjective(None, UNREAD) if clause is None or _is_english(clause) else grammar.read(clause)
    token, form = finding.token, finding.form
    if token is None:
        return AdjectiveReading(question.adjective, None, None, None, form.gender, form.strategy, form.how)
    word = passage.text[token.start : token.end]
    start, end = passage.original(token.start, token.end)
    return AdjectiveReading(
        question.adjective, word, start, end, form.gender, form.strategy, form.how, form.plural, form.noun
    )


# English words that occur in replies given instead of a translation: "I understand you'd like me to …".
_ENGLISH = word_lists("en")["reply"]


def _is_english(clause: ParsedClause) -> bool:
    return len([token for token in clause.words if token.word in _ENGLISH]) > 1


def _untranslated(
    adjective: str, clause: ParsedClause | None, passage: Passage, grammar: Grammar
) -> RenderedAdjective | None:
    """Return the English word if it was left untranslated and does not exist in the target language."""
    english = adjective.lower()
    if english not in passage.lower:
        return None
    if clause is not None and clause.has_copula:
        if grammar.known(english):
            return None
        for index, token in enumerate(clause.words):
            if token.word == english:
                before = clause.words[index - 1].word if index else ""
                return RenderedAdjective(token, grammar.articles.get(before, UNTRANSLATED))
        return None
    left = passage.left_in_english if grammar.known(english) else passage.behind_a_word
    return RenderedAdjective(left[english], UNTRANSLATED) if english in left else None
