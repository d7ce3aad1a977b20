"""Reader for languages whose past tense marks gender but not person: Belarusian, Russian, Ukrainian.

A form refers to the speaker if "I" is its subject, or if it has no explicit subject and the last explicit subject was
"I". A text without any first-person word cannot be attributed to the speaker, so by default it yields no evidence.
"""

from collections.abc import Callable, Iterator
from typing import Literal

from genderscope.grammar import traits as t
from genderscope.grammar.reading import Evidence, Reading, weigh
from genderscope.grammar.speaker.predicates import Predicates, before_noun, is_object, show, show_roles
from genderscope.grammar.text import Token, TokenList, clauses, own_speech, tokenize

Span = tuple[int, int]
# Subject of the last clause with a verb; None before the first such clause.
Subject = Literal["speaker", "masculine", "feminine", "other"] | None


def read_by_subject(
    text: str,
    look_up: Callable[[str], tuple[str, int]],
    disambiguate: Callable[[list[Token]], list[Token]],
    reads_bare_past: bool,
) -> Reading:
    """Detect the speaker's gender clause by clause, tracking the last subject.

    With ``reads_bare_past``, even a text without any first-person word is attributed to the speaker.
    """
    evidence: list[Evidence] = []
    for tokens in own_speech(disambiguate(tokenize(text, look_up))):
        last: Subject = None
        in_first_person = reads_bare_past or bool(
            _traits_in(tokens, (0, len(tokens))) & (t.FIRST_PERSON | t.OBJECT | t.DATIVE | t.MINE)
        )
        for clause in clauses(tokens):
            for part in clause.parts:
                if last is not None or in_first_person:
                    evidence.extend(_part(tokens, part, last))
                last = _subject(tokens, part) or last
    return weigh(evidence)


def _traits_in(tokens: TokenList, span: Span) -> int:
    present = 0
    for index in range(*span):
        present |= tokens[index].traits
    return present


def _subject(tokens: TokenList, part: Span) -> Subject:
    """Return the explicit subject of a clause part; None if it has no subject or no verb."""
    present = _traits_in(tokens, part)
    if present & t.PRONOUN:
        return "speaker"
    if present & t.OTHER_PERSON:
        return _gender_of_pronoun(tokens, part)
    if not present & (t.FINITE | t.PAST | t.PRESENT):
        return None
    if present & t.PRESENT:
        return "speaker"
    for verb in range(*part):
        if tokens[verb].traits & t.PAST:
            return _agreeing_noun(tokens, part, verb)
    return "other" if present & t.NOUN else None


def _gender_of_pronoun(tokens: TokenList, part: Span) -> Subject:
    traits = next(tokens[index].traits for index in range(*part) if tokens[index].traits & t.OTHER_PERSON)
    if traits & t.PAST:
        return "other"
    return ("feminine" if traits & t.FEMININE else "masculine") if traits & t.NOUN else "other"


def _agreeing_noun(tokens: TokenList, part: Span, verb: int) -> Subject:
    """Return the gender of a noun that may be the subject of a past-tense verb; None if there is no such noun."""
    shown = t.gender_of(tokens[verb].traits, t.PAST)
    # With an infinitive ("could take the step"), the noun may be the infinitive's object.
    intransitive = tokens[verb].traits & t.INTRANSITIVE and not _traits_in(tokens, part) & t.INFINITIVE
    for index in range(*part):
        traits = tokens[index].traits
        if index == verb or not _is_noun(tokens[index], before_verb=index < verb) or traits & (t.FUNCTION | t.PAST):
            continue
        if index > part[0] and tokens[index - 1].traits & t.PREPOSITION:
            continue
        if traits & t.OBJECTLIKE and index > verb and not intransitive:
            continue
        if traits & t.NOUN and tokens[index].key.endswith("ь") and not traits & (t.OBJECTLIKE | t.FEMININE):
            return shown  # the ending is ambiguous between genders
        feminine = traits & t.FEMININE if traits else tokens[index].key.endswith(("а", "я"))
        gender: Subject = "feminine" if feminine else "masculine"
        if gender == shown:
            return gender
    return None


def _is_noun(token: Token, before_verb: bool) -> bool:
    """Return whether a word is a nominative noun; unknown words before the verb may qualify by their ending."""
    if token.traits:
        return bool(token.traits & t.NOUN)
    return before_verb and token.key[0].isalpha() and token.key[-1] not in "оеєуюиіїыёэў"


def _part(tokens: TokenList, part: Span, last: Subject) -> Iterator[Evidence]:
    present = _traits_in(tokens, part)
    if present & t.PRONOUN:
        yield from _beside_pronoun(tokens, part, present)
    elif present & (t.PAST | t.SHORT) and not present & (t.OTHER_PERSON | t.OBJECT | t.DATIVE):
        yield from _without_subject(tokens, part, present, last)
    elif present & t.COPULA and present & t.ADJECTIVE and not present & t.OTHER_PERSON:
        verb = next(index for index in range(*part) if tokens[index].traits & t.COPULA)
        yield from _adjective_beside(tokens, part, verb)
    about_speaker = present & (t.PRONOUN | t.PRESENT) or last == "speaker"
    to_be = present & t.TO_BE and (about_speaker or present & t.DATIVE) and not present & (t.TO_OTHERS | t.OTHER_PERSON)
    if present & t.OBLIQUE and (
        to_be or is_object(tokens, part) or (present & t.REGARD and about_speaker and not present & t.OTHER_PERSON)
    ):
        yield from _regarded(tokens, part, present)
    if present & t.PERSON:
        yield from show_roles(tokens, part, bool(to_be) or is_object(tokens, part))
    if present & t.SIDE and about_speaker and (present & t.PRONOUN or not present & (t.OTHER_PERSON | t.OBJECT)):
        yield from _beside_first_person(tokens, part)


def _beside_pronoun(tokens: TokenList, part: Span, present: int) -> Iterator[Evidence]:
    pronoun = next(index for index in range(*part) if tokens[index].traits & t.PRONOUN)
    verbs = [index for index in range(*part) if tokens[index].traits & (t.PAST | t.PRESENT | t.FINITE)]
    if verbs:
        verb = min(verbs, key=lambda index: (abs(index - pronoun), -index))
        if tokens[verb].traits & t.PAST:
            yield from show(tokens[verb], t.PAST, "past tense next to the first-person pronoun", 4)
            return
    if not present & (t.PAST | t.FINITE) and (not present & t.PRESENT or present & (t.COPULA | t.SHORT)):
        yield from _adjective_beside(tokens, part, pronoun)


def _adjective_beside(tokens: TokenList, part: Span, place: int) -> Iterator[Evidence]:
    predicate = Predicates(tokens, *part).of(place)
    # An adjective after an infinitive ("am good at settling matters") describes the infinitive's object.
    if predicate is not None and not _traits_in(tokens, (place, predicate)) & t.INFINITIVE:
        yield from show(tokens[predicate], t.ADJECTIVE, "adjective describing the speaker", 3)


def _without_subject(tokens: TokenList, part: Span, present: int, last: Subject) -> Iterator[Evidence]:
    """Yield evidence from a form without an explicit subject, unless it agrees with the last subject."""
    if present & t.PRESENT or (last is None and tokens[part[0]].key in _WHAT):
        return
    kind = t.PAST if present & t.PAST else t.ADJECTIVE
    if kind == t.ADJECTIVE and present & t.FINITE:
        return
    form = next(index for index in range(*part) if tokens[index].traits & (t.PAST if kind == t.PAST else t.SHORT))
    gender = t.gender_of(tokens[form].traits, kind)
    if gender is None or last in (gender, "other") or tokens[form].traits & t.NOUN or _has_noun(tokens, part, form):
        return
    rule = "form without another subject"
    yield from show(tokens[form], kind, rule, 2 if last == "speaker" else 1)


_WHAT = frozenset({"што", "что", "що"})  # At the start of a text, "what" is the subject: What made you think so?


def _has_noun(tokens: TokenList, part: Span, form: int) -> bool:
    """Return whether a possible subject is present; for intransitive verbs, a noun of any gender qualifies."""
    traits = tokens[form].traits
    if traits & t.PAST and _agreeing_noun(tokens, part, form) is not None:
        return True
    if traits & t.PAST and (not traits & t.INTRANSITIVE or _traits_in(tokens, part) & t.INFINITIVE):
        return False
    return any(
        tokens[index].traits & t.NOUN and not tokens[index].traits & t.FUNCTION and index != form
        for index in range(*part)
    )


def _regarded(tokens: TokenList, part: Span, present: int) -> Iterator[Evidence]:
    """Yield evidence from an oblique adjective that modifies no noun: "consider myself strong", "became strong"."""
    for index in range(*part):
        if not tokens[index].traits & t.OBLIQUE or t.gender_of(tokens[index].traits, t.OBLIQUE) is None:
            continue
        before = tokens[index - 1].traits if index > part[0] else 0
        if before & t.PREPOSITION and not before & t.AS:
            continue
        if not before_noun(tokens, index, t.OBLIQUE, any_case=True):
            yield from show(tokens[index], t.OBLIQUE, "adjective describing “me” or “myself”", 2)
        return


def _beside_first_person(tokens: TokenList, part: Span) -> Iterator[Evidence]:
    for index in range(*part):
        after_preposition = index > part[0] and tokens[index - 1].traits & t.PREPOSITION
        if tokens[index].traits & t.SIDE and not after_preposition and not before_noun(tokens, index, any_case=True):
            yield from show(tokens[index], t.SIDE, "word that agrees with a first-person subject", 2)
