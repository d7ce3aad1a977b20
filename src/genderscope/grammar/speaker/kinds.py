"""The kinds of words that agreement.py asks for, by name: a language lists its words under them."""

from __future__ import annotations

from genderscope.grammar import traits as t

KINDS = {
    # The speaker.
    "i": t.PRONOUN | t.STANDING,
    "me": t.OBJECT,
    "me_or_with": t.OBJECT | t.PREPOSITION,  # Greek με
    "me_stressed": t.OBJECT | t.STANDING,
    # First-person verbs, and those that are first or third person.
    "am": t.COPULA,
    "am_or_is": t.COPULA | t.EITHER,
    "were": t.COPULA | t.EITHER | t.TO_OTHERS,  # what one is told to be: ficasse
    "is_or_am": t.COPULA | t.EITHER | t.FINITE,  # the speaker's only with "I"
    "have": t.HAVE | t.PRESENT,
    "have_or_has": t.HAVE | t.PRESENT | t.EITHER,
    "feel": t.PRESENT | t.FEELING,  # with "me" a copula
    "feel_or_feels": t.PRESENT | t.FEELING | t.EITHER,
    "become": t.PRESENT | t.REGARD,  # I turn into
    "am_as": t.COPULA | t.REGARD,  # a copula whose predicate may be in another case: tapau vadove
    "to_be_as": t.TO_BE | t.INFINITIVE | t.REGARD,
    "work_as": t.PRESENT | t.REGARD | t.RESTS,
    "regard": t.PRESENT | t.REGARD | t.FEELING,  # with "myself"
    "am_feeling": t.COPULA | t.FEELING,
    "become_or_becomes": t.PRESENT | t.REGARD | t.EITHER,
    "to_become": t.INFINITIVE | t.REGARD | t.OBJECT,
    "become_been": t.REGARD | t.ALSO,
    "rest": t.PRESENT | t.RESTS | t.ALSO,  # I live, I come back (alone, tired)
    "rest_or_rests": t.PRESENT | t.RESTS | t.EITHER,
    "do": t.PRESENT,
    "do_or_noun": t.MAYBE | t.NOUN,
    "work": t.PRESENT | t.WORKS | t.NOUN,
    "do_or_does": t.PRESENT | t.EITHER,
    # Other persons' verbs.
    "has": t.HAVE | t.FINITE,
    "have_they": t.HAVE | t.FINITE | t.PLURAL_PERSON,
    "is_": t.FINITE,
    "says": t.FINITE | t.SAYS,
    "likes": t.FINITE | t.LIKES,
    "liked": t.LIKES | t.ADJECTIVE_M,
    "are": t.FINITE | t.PLURAL_PERSON,
    "makes": t.FINITE | t.MAKES,  # makes me, leaves me
    "regards": t.FINITE | t.MAKES | t.REGARD,  # takes me for
    "make_they": t.FINITE | t.MAKES | t.PLURAL_PERSON,
    # Infinitives, gerunds, participles.
    "to_be": t.TO_BE | t.INFINITIVE,
    "to_be_myself": t.TO_BE | t.INFINITIVE | t.OBJECT,
    "to_have": t.INFINITIVE | t.HAVE,
    "to_have_been": t.TO_BE | t.INFINITIVE | t.HAVE,  # Romanian "aș fi știut" and "aș fi fericită"
    "to_feel": t.INFINITIVE | t.FEELING,
    "to_rest": t.INFINITIVE | t.RESTS,
    "to_make": t.INFINITIVE | t.MAKES,
    "to_do": t.INFINITIVE,
    "been": t.BEEN | t.ALSO,
    "felt": t.FEELING | t.ALSO,
    "rested": t.RESTS | t.ALSO,
    "leave": t.LEAVES | t.ALSO,
    "made": t.MAKES | t.ALSO,
    "given": t.DATIVE | t.ALSO,  # "me" before it is "to me"
    "given_myself": t.FULL | t.ALSO,  # the same after a reflexive: "je me suis demandé"
    # Who stands with the speaker.
    "alone_m": t.SIDE_M | t.ADJECTIVE_M,
    "alone_f": t.SIDE_F | t.ADJECTIVE_F,
    "only_m": t.SIDE_M | t.ADJECTIVE_M | t.ADVERBIAL,  # alone, or "only"
    "only_f": t.SIDE_F | t.ADJECTIVE_F | t.ADVERBIAL,
    "self_m": t.SIDE_M | t.STANDING,
    "self_f": t.SIDE_F | t.STANDING,
    # Nouns and what comes with them.
    "a_m": t.ARTICLE | t.ARTICLE_M,
    "a_f": t.ARTICLE | t.ARTICLE_F,
    "the": t.ARTICLE | t.DEFINITE,
    "the_m": t.ARTICLE | t.ARTICLE_M | t.DEFINITE,
    "the_f": t.ARTICLE | t.ARTICLE_F | t.DEFINITE,
    "that_one_m": t.ARTICLE | t.ARTICLE_M | t.DEFINITE | t.MOST,
    "that_one_f": t.ARTICLE | t.ARTICLE_F | t.DEFINITE | t.MOST,
    "my": t.DETERMINER,
    "clitic": t.CLITIC,
    "to_her": t.CLITIC | t.TO_OTHERS,
    "to_them": t.FUNCTION | t.TO_OTHERS,
    "him": t.CLITIC | t.ARTICLE_M,
    "her_or_it": t.CLITIC | t.ARTICLE_F,
    "much": t.DETERMINER | t.FUNCTION,  # before a noun; else an adverb
    "most": t.MOST | t.FUNCTION,
    "best": t.MOST | t.BEST | t.FUNCTION,
    "child_m": t.PERSON_M | t.CHILD,
    "child_f": t.PERSON_F | t.CHILD,
    "small": t.CHILD | t.ALSO,
    "degree": t.DEGREE | t.FUNCTION,  # "a bit": its article is none
    "man": t.PERSON_M,
    "woman": t.PERSON_F,
    "friend_m": t.PAIR_M,  # one of a pair, whose masculine may be said of a woman: what else agrees decides
    "friend_f": t.PAIR_F,
    "common": t.COMMON,
    "anyone": t.ANYONE,
    "title": t.TITLE | t.ALSO,
    "dear": t.DEAR | t.ALSO,
    "noun": t.NOUN,
    # Adjectives.
    "m": t.ADJECTIVE_M,
    "f": t.ADJECTIVE_F,
    "done": t.ADJECTIVE_M | t.PAST_M,
    "also_m": t.ADJECTIVE_M | t.ALSO,
    "also_f": t.ADJECTIVE_F | t.ALSO,
    "prenominal": t.PRENOMINAL | t.ALSO,
    "adverbial": t.ADVERBIAL | t.ALSO,
    "impersonal": t.IMPERSONAL | t.ALSO,
    "thing": t.THING | t.ALSO,
    "mood": t.MOOD | t.ALSO,
    "mood_m": t.MOOD | t.ADJECTIVE_M | t.ALSO,
    "mood_f": t.MOOD | t.ADJECTIVE_F | t.ALSO,
    "oblique_m": t.OBLIQUE_M,
    "oblique_f": t.OBLIQUE_F,
    # How words are joined.
    "he": t.OTHER_PERSON,
    "they": t.OTHER_PERSON | t.PLURAL_PERSON,
    "that": t.OPENER | t.RELATIVE,
    "when": t.OPENER,
    "if_or_so": t.OPENER | t.FUNCTION,
    "and_": t.COORDINATOR,
    "of": t.PREPOSITION,
    "of_or_as": t.PREPOSITION | t.REGARD,  # behind "become" and "work" it tells what one is: Latvian par
    "for_": t.PREPOSITION | t.PURPOSE,
    "promise": t.PROMISES | t.ALSO,
    "of_or_too": t.PREPOSITION | t.DEGREE,  # Lithuanian per
    "my_or_clitic": t.DETERMINER | t.CLITIC,
    "her": t.DETERMINER | t.CLITIC | t.ARTICLE_F,
    "of_or_clitic": t.PREPOSITION | t.CLITIC,
    "as_": t.AS,
    "as_or_of": t.AS | t.PREPOSITION,  # as, but not right behind a noun
    "adverb": t.FUNCTION,
    "to_": t.FUNCTION | t.PARTICLE,
    "who_m": t.OTHER_PERSON | t.SIDE_M,  # right behind "I" it shows the gender: "аз, която"
    "who_f": t.OTHER_PERSON | t.SIDE_F,
    "that_m": t.OPENER | t.RELATIVE | t.SIDE_M,
    "that_f": t.OPENER | t.RELATIVE | t.SIDE_F,
    "how": t.FUNCTION | t.HOW,
    "what_m": t.HOW | t.ADJECTIVE_M,  # "what I am like", where it agrees
    "what_f": t.HOW | t.ADJECTIVE_F,
}


def words(**groups: str) -> dict[str, int]:
    """A language's words with their traits; a word in several groups gets all their bits."""
    return t.word_table(*((listed, KINDS[kind]) for kind, listed in groups.items()))


def phrases(listed: str) -> frozenset[tuple[str, ...]]:
    """Adverbs of several words, separated by commas."""
    return frozenset(tuple(phrase.split()) for phrase in listed.split(","))
