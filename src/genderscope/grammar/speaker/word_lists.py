"""Word lists that a language file may contain, by reader, with the traits they assign.

Suffixes: `_m` and `_f` mean masculine and feminine, `_1_or_3` first- or third-person forms, `_3` third person.
"""

from genderscope.grammar import traits as t

# Clause-based readers: auxiliary.py and subject.py.
_CLAUSE = {
    "subject_pronoun": t.PRONOUN,  # "I"
    "object_pronoun": t.OBJECT | t.FUNCTION,  # "me"
    "dative_pronoun": t.DATIVE | t.FUNCTION,  # "to me"
    "other_person": t.OTHER_PERSON,  # indicates that the clause is about somebody else: "he", "are", "who"
    "copula": t.COPULA,  # first-person verbs with a nominative predicate: "am", "stay", "come home (tired)"
    "first_person_verb": t.PRESENT,  # other first-person verbs
    "alone_object_m": t.OBLIQUE_M | t.SHORT,  # "alone", said of "me"
    "alone_object_f": t.OBLIQUE_F | t.SHORT,  # feminine forms of the preceding list
    "ordinal_m": t.SIDE_M | t.ADJECTIVE_M,  # "first", "last": agree with the subject of any verb
    "ordinal_f": t.SIDE_F | t.ADJECTIVE_F,  # feminine forms of the preceding list
    "adjective_m": t.ADJECTIVE_M,  # nominative adjectives that the dictionary lacks or misclassifies
    "adjective_f": t.ADJECTIVE_F,  # feminine forms of the preceding list
    "short_adjective_m": t.ADJECTIVE_M | t.SHORT,  # short forms, which never precede a noun: "obliged"
    "short_adjective_f": t.ADJECTIVE_F | t.SHORT,  # feminine forms of the preceding list
    "past_m": t.PAST_M,  # past participles that the dictionary lacks or misclassifies
    "past_f": t.PAST_F,  # feminine forms of the preceding list
    "coordinator": t.COORDINATOR,  # "and", "but", "or"
    "opener": t.OPENER,  # opens a clause even without a comma: "that", "when", "if"
    "relative_pronoun": t.OTHER_PERSON | t.OPENER,  # "who", "which"
    "preposition": t.PREPOSITION,  # "in", "with", "without"
    "function_word": t.FUNCTION,  # adverbs, particles and pronouns: never a noun modified by an adjective
    "noun": t.NOUN,  # nominative nouns that look like adjectives or verbs
}
_AUXILIARY = _CLAUSE | {
    "auxiliary": t.AUXILIARY,  # first-person auxiliaries that take a participle: "have", "would"
    "conditional": t.CONDITIONAL,  # "would" without person marking
    "feeling_verb": t.FEELING,  # first-person verbs that take a predicate with a reflexive: "feel"
    "regard_verb": t.REGARD | t.PRESENT,  # first-person verbs with an oblique predicate: "consider (myself)"
    "infinitive_copula": t.TO_BE,  # "to be", "to stay"
    "gendered_verb_m": t.OWN_M,  # verbs that mark both first person and gender: "I should"
    "gendered_verb_f": t.OWN_F,  # feminine forms of the preceding list
    "reflexive": t.REFLEXIVE | t.FUNCTION,  # "myself", "oneself"
    "glad_m": t.SIDE_M | t.FUNCTION | t.SHORT,  # "glad", "gladly"
    "glad_f": t.SIDE_F | t.FUNCTION | t.SHORT,  # feminine forms of the preceding list
    "alone_m": t.SIDE_M | t.SHORT,  # "alone", "myself"
    "alone_f": t.SIDE_F | t.SHORT,  # feminine forms of the preceding list
    "complement_adjective_m": t.ADJECTIVE_M | t.FULL,  # with a noun as complement: "full (of)", "worth"
    "complement_adjective_f": t.ADJECTIVE_F | t.FULL,  # feminine forms of the preceding list
    "as": t.AS | t.PREPOSITION | t.FUNCTION,  # "as", "for" before an oblique predicate: "consider myself as"
}
_SUBJECT = _CLAUSE | {
    "other_person_m": t.OTHER_PERSON | t.NOUN,  # masculine subjects: "he", "who", "nobody"
    "other_person_f": t.OTHER_PERSON | t.NOUN | t.FEMININE,  # feminine subjects: "she"
    "to_others": t.TO_OTHERS | t.FUNCTION,  # "to nobody", "to others": people allowed or told to be something
    "possessive": t.MINE | t.FUNCTION,  # forms of "my", which show that the text is in the first person
    "regard_verb": t.REGARD | t.PRESENT,  # first-person verbs with an instrumental predicate: "become", "feel"
    "other_verb": t.FINITE,  # verbs without gender or first person that look like feminine past forms
    "infinitive_copula": t.TO_BE | t.FUNCTION | t.INFINITIVE,  # "to be", "to become"
    "intransitive_past_m": t.PAST_M | t.INTRANSITIVE,  # past forms whose noun is the subject: "was", "stood"
    "intransitive_past_f": t.PAST_F | t.INTRANSITIVE,  # feminine forms of the preceding list
    "self_m": t.SIDE_M | t.FUNCTION,  # "myself"
    "self_f": t.SIDE_F | t.FUNCTION,  # feminine forms of the preceding list
    "alone_m": t.SIDE_M,  # "alone"
    "alone_f": t.SIDE_F,  # feminine forms of the preceding list
    "oblique_m": t.OBLIQUE_M,  # "alone", "first" in the instrumental or accusative
    "oblique_f": t.OBLIQUE_F,  # feminine forms of the preceding list
    "feminine_noun": t.NOUN | t.FEMININE,  # feminine nouns that look like verbs, or subjects known to be feminine
    "coordinator": t.COORDINATOR | t.FUNCTION,  # "and", "but", "or"
    "opener": t.OPENER | t.FUNCTION,  # opens a clause even without a comma: "that", "when", "if"
    "as": t.AS | t.FUNCTION,  # "as"
}
_AGREEMENT = {
    # The speaker.
    "subject_pronoun": t.PRONOUN | t.STANDING,  # "I"
    "object_pronoun": t.OBJECT,  # "me"
    "object_pronoun_or_preposition": t.OBJECT | t.PREPOSITION,  # "me", or a preposition of the same form
    "stressed_pronoun": t.OBJECT | t.STANDING,  # "me" after a preposition
    # First-person verbs.
    "copula": t.COPULA,  # "am", "was", "seem", "stay"
    "copula_1_or_3": t.COPULA | t.EITHER,  # "was", "seemed": first or third person
    "copula_subjunctive": t.COPULA | t.EITHER | t.TO_OTHERS,  # subjunctive "be" after verbs of telling
    "copula_3_or_1": t.COPULA | t.EITHER | t.FINITE,  # first person only next to "I"
    "copula_oblique": t.COPULA | t.REGARD,  # "became", whose predicate may be in another case
    "copula_of_feeling": t.COPULA | t.FEELING,  # "feel", "seem" without a reflexive pronoun
    "auxiliary": t.HAVE | t.PRESENT,  # "have" with a participle that does not agree with the subject
    "auxiliary_1_or_3": t.HAVE | t.PRESENT | t.EITHER,  # "had": first or third person
    "feeling_verb": t.PRESENT | t.FEELING,  # verbs that act as copulas with "me": "feel", "find (myself)"
    "feeling_verb_1_or_3": t.PRESENT | t.FEELING | t.EITHER,  # first- or third-person forms of the preceding list
    "regard_verb": t.PRESENT | t.REGARD | t.FEELING,  # with "myself": "consider"
    "becoming_verb": t.PRESENT | t.REGARD,  # "turn into"
    "becoming_verb_1_or_3": t.PRESENT | t.REGARD | t.EITHER,  # first- or third-person forms of the preceding list
    "motion_verb": t.PRESENT | t.RESTS | t.ALSO,  # an adjective may follow: "live", "come back (alone, tired)"
    "motion_verb_1_or_3": t.PRESENT | t.RESTS | t.EITHER,  # first- or third-person forms of the preceding list
    "work_verb": t.PRESENT | t.WORKS | t.NOUN,  # "work (as a waitress)", also the noun
    "work_verb_oblique": t.PRESENT | t.REGARD | t.RESTS,  # "work" with the occupation in another case
    "verb": t.PRESENT,  # other first-person verbs that the dictionary lacks or misclassifies
    "verb_1_or_3": t.PRESENT | t.EITHER,  # first- or third-person forms of the preceding list
    "verb_or_noun": t.MAYBE | t.NOUN,  # first-person verbs clause-initially, elsewhere nouns
    # Verbs in other persons.
    "auxiliary_3": t.HAVE | t.FINITE,  # "has"
    "auxiliary_3pl": t.HAVE | t.FINITE | t.PLURAL_PERSON,  # "(they) have"
    "verb_3": t.FINITE,  # "is", "was"
    "verb_3pl": t.FINITE | t.PLURAL_PERSON,  # "are", "were"
    "speech_verb_3": t.FINITE | t.SAYS,  # "says": after a comma, the preceding words are somebody else's
    "pleasing_verb_3": t.FINITE | t.LIKES,  # verbs whose experiencer is "me": "pleases (me)"
    "causative_3": t.FINITE | t.MAKES,  # verbs that take a predicate with "me": "makes (me)", "leaves (me)"
    "causative_3pl": t.FINITE | t.MAKES | t.PLURAL_PERSON,  # third-person plural forms of the preceding list
    "calling_verb_3": t.FINITE | t.MAKES | t.REGARD,  # "calls (me)", "takes (me) for"
    # Infinitives, gerunds and participles.
    "infinitive": t.INFINITIVE,  # infinitives that look like other forms
    "infinitive_copula": t.TO_BE | t.INFINITIVE,  # "to be", "being"
    "infinitive_copula_reflexive": t.TO_BE | t.INFINITIVE | t.OBJECT,  # "to feel" with enclitic "me"
    "infinitive_copula_oblique": t.TO_BE | t.INFINITIVE | t.REGARD,  # "to become", whose predicate may be oblique
    "infinitive_copula_or_auxiliary": t.TO_BE | t.INFINITIVE | t.HAVE,  # "be" in "would be" and "would have"
    "infinitive_auxiliary": t.INFINITIVE | t.HAVE,  # "to have"
    "infinitive_feeling": t.INFINITIVE | t.FEELING,  # "to feel"
    "infinitive_becoming": t.INFINITIVE | t.REGARD | t.OBJECT,  # "to turn into" with enclitic "me"
    "infinitive_motion": t.INFINITIVE | t.RESTS,  # "to live", "to go"
    "infinitive_causative": t.INFINITIVE | t.MAKES,  # "to make", "to leave"
    "participle_copula": t.BEEN | t.ALSO,  # "been"
    "participle_feeling": t.FEELING | t.ALSO,  # "felt"
    "participle_becoming": t.REGARD | t.ALSO,  # "turned into"
    "participle_motion": t.RESTS | t.ALSO,  # "lived", "gone"
    "participle_causative": t.MAKES | t.ALSO,  # "made", "left"
    "participle_pleasing": t.LIKES | t.ADJECTIVE_M,  # "pleased" in "has pleased me"
    "participle_dative": t.DATIVE | t.ALSO,  # preceded by a dative "me": "given", "told"
    "participle_dative_reflexive": t.FULL | t.ALSO,  # preceded by a dative reflexive: "je me suis demandé"
    "participle_m": t.ADJECTIVE_M | t.PAST_M,  # past participles that the dictionary lacks
    "leaving_verb": t.LEAVES | t.ALSO,  # all forms of verbs of leaving or seeing somebody (alone)
    # Words that agree with the speaker.
    "alone_m": t.SIDE_M | t.ADJECTIVE_M,  # "alone"
    "alone_f": t.SIDE_F | t.ADJECTIVE_F,  # feminine forms of the preceding list
    "alone_or_only_m": t.SIDE_M | t.ADJECTIVE_M | t.ADVERBIAL,  # "alone", or the adverb "only"
    "alone_or_only_f": t.SIDE_F | t.ADJECTIVE_F | t.ADVERBIAL,  # feminine forms of the preceding list
    "self_m": t.SIDE_M | t.STANDING,  # "myself" after "I" or "me"
    "self_f": t.SIDE_F | t.STANDING,  # feminine forms of the preceding list
    # Articles, determiners and pronouns.
    "indefinite_article_m": t.ARTICLE | t.ARTICLE_M,  # "a", "no"
    "indefinite_article_f": t.ARTICLE | t.ARTICLE_F,  # feminine forms of the preceding list
    "definite_article": t.ARTICLE | t.DEFINITE,  # "the" without gender
    "definite_article_m": t.ARTICLE | t.ARTICLE_M | t.DEFINITE,  # "the"
    "definite_article_f": t.ARTICLE | t.ARTICLE_F | t.DEFINITE,  # feminine forms of the preceding list
    "demonstrative_m": t.ARTICLE | t.ARTICLE_M | t.DEFINITE | t.MOST,  # "the one", "that"
    "demonstrative_f": t.ARTICLE | t.ARTICLE_F | t.DEFINITE | t.MOST,  # feminine forms of the preceding list
    "determiner": t.DETERMINER,  # "my", "this", "every", "two": the following noun does not describe the speaker
    "determiner_or_clitic": t.DETERMINER | t.CLITIC,  # "the", or an object pronoun before its verb
    "determiner_or_clitic_f": t.DETERMINER | t.CLITIC | t.ARTICLE_F,  # "the", or "her"
    "quantifier": t.DETERMINER | t.FUNCTION,  # "much": a determiner before nouns, elsewhere an adverb
    "object_clitic": t.CLITIC,  # unstressed object pronouns, which precede a verb
    "object_clitic_m": t.CLITIC | t.ARTICLE_M,  # "him"
    "object_clitic_f": t.CLITIC | t.ARTICLE_F,  # "her"
    "dative_clitic": t.CLITIC | t.TO_OTHERS,  # "to her"
    "dative_pronoun_3": t.FUNCTION | t.TO_OTHERS,  # "to him", "to them"
    "other_person": t.OTHER_PERSON,  # "he", "she", "you", "nobody"
    "other_person_pl": t.OTHER_PERSON | t.PLURAL_PERSON,  # "they"
    # Nouns.
    "noun": t.NOUN,  # nouns that look like adjectives or verbs
    "man": t.PERSON_M,  # nouns for men: "father", "waiter"
    "woman": t.PERSON_F,  # nouns for women: "mother", "waitress"
    "child_m": t.PERSON_M | t.CHILD,  # "boy", also in "as a boy"
    "child_f": t.PERSON_F | t.CHILD,  # "girl"
    "child_adjective": t.CHILD | t.ALSO,  # "little" in "when I was little"
    "person_pair_m": t.PAIR_M,  # masculine nouns of a pair that are also used for women
    "person_pair_f": t.PAIR_F,  # feminine forms of the preceding list
    "common_gender_noun": t.COMMON,  # nouns for persons with one form, where the article shows the gender
    "epicene_noun": t.ANYONE,  # nouns of one gender used for men and women: "person", "victim", "genius"
    "masculine_title": t.TITLE | t.ALSO,  # masculine titles also used for women: no evidence
    "term_of_address": t.DEAR | t.ALSO,  # "darling"
    "degree_noun": t.DEGREE | t.FUNCTION,  # "bit" in "a bit"
    # Adjectives.
    "adjective_m": t.ADJECTIVE_M,  # adjectives that the dictionary lacks or misclassifies
    "adjective_f": t.ADJECTIVE_F,  # feminine forms of the preceding list
    "also_adjective_m": t.ADJECTIVE_M | t.ALSO,  # adjectives in addition to their dictionary entry
    "also_adjective_f": t.ADJECTIVE_F | t.ALSO,  # feminine forms of the preceding list
    "prenominal_adjective": t.PRENOMINAL | t.ALSO,  # may precede the noun, where most adjectives follow it
    "adverbial_adjective": t.ADVERBIAL | t.ALSO,  # the masculine form is also an adverb
    "impersonal_adjective": t.IMPERSONAL | t.ALSO,  # usually said of "it": "necessary", "obvious"
    "thing_adjective": t.THING | t.ALSO,  # said of things as often as of persons: "dirty", "closed"
    "mood_adjective": t.MOOD | t.ALSO,  # moods and states of persons only: "convinced", "tired"
    "mood_adjective_m": t.MOOD | t.ADJECTIVE_M | t.ALSO,  # masculine forms
    "mood_adjective_f": t.MOOD | t.ADJECTIVE_F | t.ALSO,  # feminine forms
    "oblique_m": t.OBLIQUE_M,  # predicates in a case other than the nominative
    "oblique_f": t.OBLIQUE_F,  # feminine forms of the preceding list
    "comparative_adverb": t.MOST | t.FUNCTION,  # "more", "most": superlative after the article
    "superlative": t.MOST | t.BEST | t.FUNCTION,  # one-word superlatives: "best"
    "how": t.FUNCTION | t.HOW,  # "how" before an adjective whose verb follows: "how tired I am"
    "how_m": t.HOW | t.ADJECTIVE_M,  # "what … like", if it agrees
    "how_f": t.HOW | t.ADJECTIVE_F,  # feminine forms of the preceding list
    # Words between clauses and phrases.
    "coordinator": t.COORDINATOR,  # "and", "but", "or"
    "opener": t.OPENER,  # opens a clause even without a comma: "because", "when", "if"
    "opener_or_adverb": t.OPENER | t.FUNCTION,  # "if", or "so" before an adjective
    "relative_pronoun": t.OPENER | t.RELATIVE,  # opens a relative clause after a noun: "who", "that"
    "relative_pronoun_m": t.OPENER | t.RELATIVE | t.SIDE_M,  # shows the gender after "I": "I, who"
    "relative_pronoun_f": t.OPENER | t.RELATIVE | t.SIDE_F,  # feminine forms of the preceding list
    "relative_subject_m": t.OTHER_PERSON | t.SIDE_M,  # "who" that does not open a clause; shows the gender after "I"
    "relative_subject_f": t.OTHER_PERSON | t.SIDE_F,  # feminine forms of the preceding list
    "preposition": t.PREPOSITION,  # "in", "with", "without"
    "preposition_of_purpose": t.PREPOSITION | t.PURPOSE,  # "in order to": the infinitive has the same subject
    "preposition_or_as": t.PREPOSITION | t.REGARD,  # introduces a role after "become" and "work"
    "preposition_or_degree": t.PREPOSITION | t.DEGREE,  # a preposition, or "too"
    "preposition_or_clitic": t.PREPOSITION | t.CLITIC,  # a preposition, or a pronoun before its verb
    "as": t.AS,  # "as"
    "as_or_preposition": t.AS | t.PREPOSITION,  # "as", but a preposition directly after a noun
    "verbal_particle": t.FUNCTION | t.PARTICLE,  # "to" before a finite verb
    "function_word": t.FUNCTION,  # adverbs and particles
}

#: reader → word list → traits; a word in several lists gets their combined traits
WORD_LISTS = {"agreement": _AGREEMENT, "auxiliary": _AUXILIARY, "subject": _SUBJECT}
