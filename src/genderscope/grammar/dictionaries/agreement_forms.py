"""Extraction of agreeing words from a form-to-lemma dictionary without part-of-speech tags.

A feminine form whose lemma is its masculine counterpart (cansada: cansado), or whose lemma is a verb that it shares
with that counterpart, is an adjective, a participle or one of a pair of nouns. Other forms that are not verbs may be
nouns.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from genderscope.grammar import traits as t
from genderscope.grammar.dictionaries.vocabulary import by_ending

Endings = tuple[str, ...]
Pairs = tuple[tuple[str, str], ...]
Guesses = tuple[tuple[Endings, int], ...]


@dataclass(frozen=True)
class Agreeing:
    """Endings of a language's agreeing forms; in pairs, the masculine ending comes first."""

    pairs: Pairs = ()  # adjectives and paired nouns
    #: participles that the dictionary lists under their verb; the first pair is the regular one
    participles: Pairs = ()
    participle_forms: Pairs = ()  # verb forms that are participles even if the dictionary lacks their counterpart
    #: pairs that the dictionary may list as separate lemmas (bambino, bambina)
    apart: Pairs = (("o", "a"), ("or", "ora"))
    sure: Pairs = ()  # forms that mark gender regardless of their lemma: superlatives, professions
    women: Endings = ()  # nouns for women
    side: Pairs = ()  # forms that agree with the subject of any verb: half-participles
    #: further forms of adjective lemmas: with the article, and in an object case
    definite: Pairs = ()
    oblique: Pairs = ()
    adjective_oblique: Pairs = ()  # object-case endings that are ignored on nouns, which may share them
    article: Endings = ()  # suffixed articles of nouns
    #: endings that replace the last letter of the feminine in other forms of adjectives, but never in forms of nouns
    adjective: Endings = ()
    #: how verbs are recognised: by the lemma's ending, the suffix of the action noun, or the ending of a listed form
    infinitives: Endings = ()
    #: ending of verb-like lemmas that may be nouns, and ending of a form that proves that they are: sritis, srityje
    noun_like: tuple[str, str] | None = None
    action: str | None = None
    proof: Endings = ()
    lemma_is_first: bool = False  # whether the lemma of a verb is its first-person form
    #: endings of verb forms: first person singular; first or third person; third person plural; gerund
    first: Endings = ()
    either: Endings = ()
    plural: Endings = ()
    gerunds: Endings = ()
    #: verb forms that are more often plural nouns or adjectives
    doubtful: Endings = ()
    plural_participles: Endings = ()
    common: Endings = ()  # nouns with one form for both genders: -ista
    #: suffix that forms adverbs (sanamente) from feminine adjectives (sana), even if they are listed as verb forms
    adverb: str | None = None
    guesses: Guesses = ()  # traits of unknown words by ending; the first match counts
    guess_known: bool = False  # whether to guess the traits even of listed forms if their lemma is uninformative
    likely: Endings = ()  # endings of lemmas that are likely to be adjectives, even without a feminine form
    verbs: tuple[tuple[str, int], ...] = ()  # traits added to all forms of the listed verb lemmas: "vivir ir venir"


def index_agreeing(dictionary: Mapping[str, str], rules: Agreeing) -> dict[str, int]:
    """Return the traits of every dictionary form that is relevant to the reader."""
    index = _AgreementIndex(dict(dictionary), rules)  # copied, since the dictionary decodes words on every access
    index.add_gendered()
    index.add_the_rest()
    index.add_forms_of_adjectives()
    index.add_kinds_of_verbs()
    return index.traits


class _AgreementIndex:
    """Builder of the mapping from forms to traits."""

    def __init__(self, dictionary: dict[str, str], rules: Agreeing) -> None:
        self.dictionary, self.rules = dictionary, rules
        self.traits: dict[str, int] = {}
        self._is_verb: dict[str, bool] = {}
        self._verbs = {lemma for form, lemma in dictionary.items() if rules.proof and form.endswith(rules.proof)}

    def add(self, form: str, bits: int) -> None:
        self.traits[form] = self.traits.get(form, 0) | bits

    def is_verb(self, lemma: str) -> bool:
        """Return whether a lemma is a verb; results are cached, since the method is called for every form."""
        answer = self._is_verb.get(lemma)
        if answer is None:
            answer = self._is_verb[lemma] = self._tells_verb(lemma)
        return answer

    def _tells_verb(self, lemma: str) -> bool:
        if self.rules.proof:
            return lemma in self._verbs
        if self.rules.action is not None:
            return lemma + self.rules.action in self.dictionary
        if self.rules.noun_like is not None:
            ending, telling = self.rules.noun_like
            if lemma.endswith(ending) and lemma[: -len(ending)] + telling in self.dictionary:
                return False
        infinitive = len(lemma) > 2 and lemma.endswith(self.rules.infinitives)
        return infinitive and self.dictionary.get(lemma, lemma) == lemma

    def add_gendered(self) -> None:
        """Add adjectives, participles and paired nouns, identified by their feminine form."""
        rules = self.rules
        feminine = tuple({ending for _, ending in rules.pairs + rules.participles})
        telling = tuple({ending for pair in rules.sure + rules.side for ending in pair})
        for form, lemma in self.dictionary.items():
            if form.endswith(feminine):
                for masculine in self._partners(form, lemma):
                    of_verb = self.is_verb(self.dictionary.get(masculine, ""))
                    self.add(form, t.ADJECTIVE_F | (t.PAST_F if of_verb else 0))
                    self.add(masculine, t.ADJECTIVE_M | (t.PAST_M if of_verb else 0))
            if form.endswith(telling):
                self._add_by_ending(form, rules.sure, (t.ADJECTIVE_M, t.ADJECTIVE_F))
                self._add_by_ending(form, rules.side, (t.SIDE_M, t.SIDE_F))

    def _add_by_ending(self, form: str, listed: Pairs, bits: tuple[int, int]) -> None:
        for pair in listed:
            for ending, shown in zip(pair, bits, strict=True):
                if form.endswith(ending):
                    self.add(form, shown)

    def add_forms_of_adjectives(self) -> None:
        """Add definite and oblique forms of the lemmas identified as adjectives."""
        rules = self.rules
        pairs = rules.definite + rules.oblique + rules.adjective_oblique
        telling = tuple({ending for pair in pairs for ending in pair})
        if telling:
            for form, lemma in self.dictionary.items():
                of_adjective = self.traits.get(lemma, 0) & (t.ADJECTIVE | t.PAIR_M | t.PAIR_F)
                if of_adjective and form != lemma and form.endswith(telling):
                    self._add_by_ending(form, rules.definite, (t.ADJECTIVE_M, t.ADJECTIVE_F))
                    self._add_by_ending(form, rules.oblique, (t.OBLIQUE_M, t.OBLIQUE_F))
                    if of_adjective & t.ADJECTIVE:
                        self._add_by_ending(form, rules.adjective_oblique, (t.OBLIQUE_M, t.OBLIQUE_F))

    def add_kinds_of_verbs(self) -> None:
        """Add the traits of listed verbs to all their forms."""
        kinds: dict[str, int] = {}
        for lemmas, bits in self.rules.verbs:
            for lemma in lemmas.split():
                kinds[lemma] = kinds.get(lemma, 0) | bits
        for form, lemma in self.dictionary.items() if kinds else ():
            if lemma in kinds:
                self.add(form, kinds[lemma])

    def add_the_rest(self) -> None:
        """Add verbs, adverbs and nouns; mark other forms as known to prevent guessing by ending."""
        rules, traits = self.rules, self.traits
        participle = tuple({ending for pair in rules.participles for ending in pair})
        for form, lemma in self.dictionary.items():
            if form.endswith(rules.gerunds) and not self._is_present(form, lemma):
                traits[form] = t.INFINITIVE
            elif form.endswith(rules.plural_participles) and form != lemma:
                self.add(form, t.KNOWN)
            elif self.is_verb(lemma):
                # A participle is not a finite verb, even if its ending looks like one.
                if not (traits.get(form, 0) & t.ADJECTIVE and form.endswith(participle)):
                    self.add(form, self._verb_bits(form, lemma))
            elif rules.adverb and form.endswith(rules.adverb):
                self.add(form, t.FUNCTION)
            elif form == lemma and not traits.get(form, 0) & t.ADJECTIVE:
                masculine, feminine_bits = (t.ADJECTIVE_M, t.ADJECTIVE_F) if rules.adjective else (t.PAIR_M, t.PAIR_F)
                likely = masculine if form.endswith(rules.likely) else 0
                person = t.PERSON_F if rules.women and form.endswith(rules.women) else t.NOUN
                if form.endswith("o") and any(form[:-1] + ending in self.dictionary for ending in rules.infinitives):
                    self.add(form, t.MAYBE)
                self.add(form, person | likely | (t.COMMON if form.endswith(rules.common) else 0))
                for feminine in self._perhaps_feminine(form):
                    self.add(form, masculine)
                    self.add(feminine, feminine_bits)
            elif form not in traits:
                guess = rules.guess_known and not self._is_noun_with_article(form, lemma)
                self.add(form, by_ending(form, rules.guesses) if guess else t.KNOWN)

    def _is_present(self, form: str, lemma: str) -> bool:
        """Return whether a form that looks like a gerund is a present-tense form: rendo (render), Italian mando."""
        return lemma.startswith(form[:-1]) and lemma[len(form) - 1 :] in self.rules.infinitives

    def _verb_bits(self, form: str, lemma: str) -> int:
        rules = self.rules
        # The forms of a reflexive verb (Lithuanian plautis, Latvian mazgāties) include the plain infinitive.
        plain = form.endswith(rules.infinitives) and lemma.startswith(form)
        if (form == lemma or plain) and not rules.lemma_is_first:
            return t.INFINITIVE
        if form.endswith(rules.doubtful):
            return t.KNOWN
        if form == lemma or form.endswith(rules.first):
            return t.PRESENT
        for masculine, feminine in rules.participle_forms:
            if form.endswith((masculine, feminine)):
                return (t.ADJECTIVE_M | t.PAST_M) if form.endswith(masculine) else (t.ADJECTIVE_F | t.PAST_F)
        if form.endswith(rules.either):
            return t.FINITE | t.EITHER
        return t.FINITE | (t.PLURAL_PERSON if form.endswith(rules.plural) else 0)

    def _partners(self, form: str, lemma: str) -> list[str]:
        """Return the masculine counterparts of a feminine form."""
        partners: list[str] = []
        dictionary, rules = self.dictionary, self.rules
        if self._is_noun_with_article(form, lemma):
            return partners
        verb = self.is_verb(lemma)
        has_adverb = rules.adverb is not None and form + rules.adverb in dictionary
        for masculine, _ in _with_stem(form, rules.pairs) if self._is_adjective(form) else ():
            same = lemma == masculine
            apart = has_adverb and dictionary.get(masculine) == masculine and lemma == form
            if len(masculine) > 1 and (same or apart or (verb and has_adverb and masculine in dictionary)):
                partners.append(masculine)
        for masculine, ending in _with_stem(form, rules.participles):
            regular = verb and ending == rules.participles[0][1]
            if len(form) <= len(ending) + 1 or not (regular or masculine in dictionary):
                continue
            if masculine.endswith("o") and any(masculine[:-1] + ending in dictionary for ending in rules.infinitives):
                continue  # a present-tense form that looks like a participle: aiuto, penso
            partner = dictionary.get(masculine, lemma)
            listed = partner in (lemma, masculine) and self._is_adjective(form)
            if verb or listed or self.is_verb(partner):
                partners.append(masculine)
        return partners

    def _is_noun_with_article(self, form: str, lemma: str) -> bool:
        """Return whether a form is a noun lemma with a suffixed article: Bulgarian причина-та."""
        article = self.rules.article
        if not form.endswith(article) or form.removeprefix(lemma) not in article:
            return False
        return not (form.endswith(tuple(f for _, f in self.rules.participle_forms)) and self.is_verb(lemma))

    def _perhaps_feminine(self, form: str) -> list[str]:
        """Return possible feminine forms that are listed as lemmas (bambina) or verb forms (exausta: exaustar)."""
        stems = [form[: len(form) - len(m)] + f for m, f in self.rules.apart if form.endswith(m)]
        return [f for f in stems if f in self.dictionary and f != form and self._is_adjective(f)]

    def _is_adjective(self, form: str) -> bool:
        """Return whether another form shows that this form is not a noun, unlike Bulgarian лидера or Latvian darba."""
        return not self.rules.adjective or any(form[:-1] + ending in self.dictionary for ending in self.rules.adjective)


def _with_stem(form: str, listed: Pairs) -> list[tuple[str, str]]:
    """Return the masculine form and the feminine ending for each pair whose feminine ending matches."""
    return [(form[: len(form) - len(f)] + m, f) for m, f in listed if form.endswith(f) and m != f]
