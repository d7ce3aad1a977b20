"""Attribution of adjectives and clauses by the gender of surrounding nouns, part of the token walk (walk.py)."""

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.agreement_grammar import FEMININE, MASCULINE, TIME, UNKNOWN
from genderscope.grammar.speaker.walk_state import OTHER, OTHERS, SPEAKER, State
from genderscope.grammar.text import Token

# Maximum number of evidence items checked per sentence, so that run time is linear in the length of the text.
_MANY = 16
BIT = {"masculine": MASCULINE, "feminine": FEMININE}


class Genders(State):
    """Use of noun gender: an adjective of the other gender cannot modify the noun ("salí del hospital agotada")."""

    def _note_noun(self, index: int) -> None:
        """Record a noun's gender."""
        clause = self.clause
        token = self.tokens[index]
        if token.traits & t.DETERMINER:
            self._show_gender(token)
            return  # Portuguese "a minha filha": the noun follows
        if clause.first_noun is None and not self.verb.is_seen:
            clause.first_noun = token
            clause.has_possessive = clause.has_possessive and not token.traits & (t.PERSON | t.COMMON | t.TITLE)
        if self.grammar.noun_genders is not None:
            timed = token.key in self.grammar.noun_genders.times and self.traits[index - 1] & t.DEFINITE
            self.noun.genders |= TIME if timed else self._gender(token, index)
            self.noun.determiner_gender = 0

    def _gender(self, token: Token, index: int = 1) -> int:
        """Return the possible genders of a noun."""
        traits = token.traits
        if traits & t.PERSON:
            return (MASCULINE if traits & t.PERSON_M else 0) | (FEMININE if traits & t.PERSON_F else 0)
        if self.grammar.noun_genders is None:
            return UNKNOWN
        is_name = index > 0 and token.word[0].isupper()
        return self.noun.determiner_gender or self.grammar.noun_genders.of_noun(token.key, is_name)

    def _show_gender(self, token: Token) -> None:
        """Record the gender of the following noun, as marked by a determiner or contracted preposition."""
        if self.grammar.noun_genders is not None:
            self.noun.determiner_gender = self.grammar.noun_genders.of_determiner(token.key)
            self.clause.has_possessive = self.clause.has_possessive or token.key in self.grammar.possessives
            if not self.noun.determiner_gender and token.traits & t.ARTICLE:
                self.noun.determiner_gender = (MASCULINE if token.traits & t.ARTICLE_M else 0) | (
                    FEMININE if token.traits & t.ARTICLE_F else 0
                )

    def _is_no_nouns(self, index: int, token: Token) -> bool:
        """Return whether an adjective after nouns agrees with none of the nouns and so describes the subject."""
        verb, noun = self.verb, self.noun
        traits, gender = token.traits, t.gender_of(token.traits, t.ADJECTIVE)
        if self.clause.subject != SPEAKER or not noun.genders or gender is None or noun.genders & BIT[gender]:
            return False
        if (
            verb.clitic & (t.ARTICLE_M if gender == "masculine" else t.ARTICLE_F)
            or self.sentence.tells_somebody
            or verb.has_seen_somebody
        ):
            return False
        tense = traits & t.PAST and verb.is_compound and self.traits[index - 1] & t.COORDINATOR
        if tense or token.key.endswith(self.grammar.never_fronted_endings):
            return False  # "exprimé ma compréhension et offert …"
        if noun.genders & TIME and not (
            verb.is_motion and traits & (t.MOOD | t.PAST) and not (traits & t.PRENOMINAL or token.key.startswith("pas"))
        ):
            return False  # "la semana pasada"
        plain = t.ADVERBIAL | t.IMPERSONAL | t.THING | t.TITLE
        sure = traits & t.MOOD or (verb.is_motion and traits & t.PAST)
        if gender == "masculine" and (traits & plain or (self.grammar.masculine_is_unmarked and not sure)):
            return False
        return bool(traits & t.MOOD or (verb.is_motion and not traits & (t.IMPERSONAL | t.THING)) or traits & t.PAST)

    def _is_that_nouns(self, token: Token) -> bool:
        """Return whether an adjective modifies the preceding noun: "a quiet life", not "came to the office tired"."""
        gender = t.gender_of(token.traits, t.ADJECTIVE)
        return self.noun.is_indefinite and gender is not None and bool(self.noun.genders & BIT[gender])

    def _whose_childhood(self, index: int) -> int:
        """Return the subject of "when … was a child", who may be named after it, or before it (even as "me")."""
        sentence, clause = self.sentence, self.clause
        place = index + 2 if self.traits[index + 1] & t.ARTICLE else index + 1
        child = self.tokens[place] if place < len(self.tokens) else None
        if child is None or not child.traits & t.CHILD or sentence.subordinate_start + 1 != index:
            return clause.subject
        late = self.tokens[place + 1 : place + 4]
        named = late and late[0].traits & (t.ARTICLE | t.DETERMINER) and late[1:] and late[1].traits & t.PERSON
        if named and (not late[2:] or late[2].traits & t.PUNCTUATION):
            return OTHER  # "cuando era niña mi madre, …"
        if not sentence.subordinate_start:
            return clause.subject
        before = self.tokens[sentence.subordinate_start - 1]
        since = before.traits & t.PREPOSITION and self.traits[sentence.subordinate_start] & t.RELATIVE  # "desde que"
        if since:
            before = self.tokens[max(0, sentence.subordinate_start - 2)]
        person = before.traits & (t.PERSON | t.COMMON | t.TITLE) or before.word[0].isupper()
        if clause.subject == SPEAKER and person and not before.traits & (t.OBJECT | t.PREPOSITION):
            shown = t.gender_of(child.traits, t.PERSON | t.ADJECTIVE)
            return OTHER if shown is None or self._gender(before) & BIT[shown] else SPEAKER
        when = since or not (self.traits[sentence.subordinate_start] & t.RELATIVE or before.traits & t.PREPOSITION)
        return SPEAKER if clause.subject == OTHER and sentence.me_before_subordinate and when else clause.subject

    def _look_back(self, index: int, traits: int, previous: int) -> None:
        """Drop evidence from earlier clauses that turn out to be about somebody else."""
        if self.grammar.noun_genders is None:
            return
        if self.sentence.pending_evidence >= 0:
            self._settle_pending(index, traits)
        if (
            self.clause.subject == SPEAKER
            and traits & t.EITHER
            and self.clause.is_subordinate
            and not (self.sentence.last_subject or self.verb.with_me or previous == SPEAKER)
        ):
            self.sentence.pending_evidence = len(self.evidence)  # "although … was ill": the subject follows later
        if traits & t.SAYS:
            self._drop_quoted(index, traits)

    def _settle_pending(self, index: int, traits: int) -> None:
        """Drop evidence from a preceding clause if it describes this verb's subject: "although ill, she …"."""
        pending, self.sentence.pending_evidence = self.sentence.pending_evidence, -1
        if self.clause.subject == SPEAKER or self.verb.with_me or self.clause.subject == OTHERS:
            return
        genders = {item.gender for item in self.evidence[pending:] if item.gender}
        noun = self.clause.first_noun
        if noun is None:
            after = self.traits[index + 1]
            named = index + 1 < len(self.tokens) and self.tokens[index + 1].word[0].isupper()
            alone = not after & (t.ARTICLE | t.DETERMINER) and not named
            agrees = alone and not traits & (t.EITHER | t.PRESENT)
        else:
            person = noun.traits & (t.PERSON | t.COMMON | t.ANYONE | t.TITLE) or noun.word[0].isupper()
            agrees = bool(person) and any(self._gender(noun) & BIT[gender] for gender in genders)
        if agrees:
            del self.evidence[pending:]

    def _drop_quoted(self, index: int, traits: int) -> None:
        """Drop evidence that turns out to be from somebody else's speech."""
        if (self.clause.subject != SPEAKER or traits & t.EITHER) and self._was_said_by_somebody(index):
            del self.evidence[self.sentence.evidence_start :]

    def _was_said_by_somebody(self, index: int) -> bool:
        """Return whether the preceding words are attributed to somebody else of matching gender: ", dijo Ana"."""
        before = index - 1
        while before > max(0, index - 4) and self.traits[before] & (t.OBJECT | t.HAVE | t.FUNCTION | t.OTHER_PERSON):
            before -= 1
        if before < 0 or not self.traits[before] & t.PUNCTUATION or index + 1 == len(self.tokens):
            return False
        follower = index + 1
        small = t.DETERMINER | t.ARTICLE | t.OBJECT | t.FUNCTION
        while follower < len(self.tokens) - 1 and self.traits[follower] & small:
            follower += 1
        sayer = self.tokens[follower]
        if sayer.traits & t.OTHER_PERSON:
            return True
        if not (sayer.traits & (t.PERSON | t.COMMON | t.TITLE) or sayer.word[0].isupper()):
            return False
        start = max(self.sentence.evidence_start, len(self.evidence) - _MANY)
        genders = {item.gender for item in self.evidence[start:] if item.gender}
        return any(self._gender(sayer) & BIT[gender] for gender in genders)
