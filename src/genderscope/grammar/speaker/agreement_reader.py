"""Reader for languages that mark person on verbs and gender on adjectives: Romance, Baltic, Greek, …

A single pass over the tokens tracks the subject of the current clause and whether the last verb opened a slot for a
predicate ("I am …", "I feel …", "makes me …"). A gendered word in an open slot is attributed to the speaker.
"""

from collections.abc import Callable

from genderscope.grammar import traits as t
from genderscope.grammar.reading import Evidence, Reading, weigh
from genderscope.grammar.speaker.agreement_grammar import AgreementGrammar
from genderscope.grammar.speaker.walk import Walk
from genderscope.grammar.text import LEANING, WORD, Token, own_speech, tokenize


class AgreementReader:
    """Reader based on the predicate slots that first-person verbs open."""

    def __init__(
        self,
        look_up: Callable[[str], tuple[str, int]],
        grammar: AgreementGrammar,
        disambiguate: Callable[[list[Token]], list[Token]],
    ) -> None:
        self._look_up, self._grammar, self._disambiguate = look_up, grammar, disambiguate
        # Indexed by the first two words, since the first word alone is usually frequent.
        self._phrases: dict[str, dict[str, list[tuple[tuple[str, ...], int]]]] = {}
        for phrase in sorted(grammar.adverb_phrases | grammar.role_phrases, key=len, reverse=True):
            phrases = self._phrases.setdefault(phrase[0], {}).setdefault(phrase[1] if len(phrase) > 1 else "", [])
            phrases.append((phrase, t.AS if phrase in grammar.role_phrases else t.FUNCTION))

    def read(self, text: str) -> Reading:
        """Detect the speaker's gender in a text."""
        evidence: list[Evidence] = []
        words = tokenize(text, self._look_up, LEANING if self._grammar.splits_clitics else WORD)
        self._join_phrases(words)
        for tokens in own_speech(self._disambiguate(words)):
            evidence.extend(Walk(tokens, self._grammar).evidence)
        return weigh(evidence)

    def _join_phrases(self, tokens: list[Token]) -> None:
        """Mark multi-word adverbs and multi-word equivalents of "as"."""
        for index, token in enumerate(tokens):
            seconds = self._phrases.get(token.key)
            if not seconds:
                continue
            after = tokens[index + 1].key if index + 1 < len(tokens) else ""
            for phrase, traits in seconds.get(after) or seconds.get("") or ():
                place = slice(index, index + len(phrase))
                if tuple(token.key for token in tokens[place]) == phrase:
                    tokens[place] = [token._replace(key="", traits=t.FUNCTION) for token in tokens[place]]
                    tokens[place.stop - 1] = tokens[place.stop - 1]._replace(traits=traits)
                    break
