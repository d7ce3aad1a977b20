"""Portuguese: ambiguous words (se, a, há, enquanto, obrigada) and diminutives of adjectives."""

from collections.abc import Mapping
from itertools import pairwise

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.language_file import read_language
from genderscope.grammar.speaker.rules import Dictionary, LanguageRules
from genderscope.grammar.text import Token


def _disambiguate(tokens: list[Token]) -> list[Token]:
    """Resolve ambiguous words: "se" as "if", "algo" as an object, "obrigada" as "I thank"."""
    for index, token in enumerate(tokens):
        before = tokens[index - 1] if index else None
        after = tokens[index + 1].traits if index + 1 < len(tokens) else 0
        if token.key == "a" and (after & t.ARTICLE or (after & t.INFINITIVE and not after & (t.NOUN | t.ADJECTIVE))):
            tokens[index] = token._replace(traits=t.PREPOSITION)  # "continuo a ser", "a um"
        if (
            token.key == "enquanto"
            and after & (t.PERSON | t.COMMON | t.ADJECTIVE | t.PAIR)
            and not after & (t.PRESENT | t.FINITE)
        ):
            tokens[index] = token._replace(traits=t.AS)  # "enquanto mulher"
        if token.key == "preciso" and before and before.key in ("é", "era", "foi", "será", "seria"):
            tokens[index] = token._replace(traits=t.ADJECTIVE_M | t.IMPERSONAL)
        if token.key == "em" and after & t.CHILD:
            tokens[index] = token._replace(traits=t.AS | t.PREPOSITION)  # "em miúda"
        if token.key in ("toda", "todo") and index > 1 and tokens[index - 2].traits & t.ARTICLE and after & t.ADJECTIVE:
            tokens[index] = token._replace(traits=t.FUNCTION)  # "a noite toda acordada"
        if token.key == "tarde" and before and before.traits & t.ARTICLE:
            tokens[index] = token._replace(traits=t.NOUN)  # "a tarde", not "late"
        if token.key in ("há", "faz"):
            _take_span(tokens, index)
        joins = before is None or before.traits & (t.PUNCTUATION | t.COORDINATOR)
        if token.key == "se" and (joins or _is_if(tokens, index)):
            tokens[index] = token._replace(traits=t.OPENER)  # "if", not a reflexive
        if token.key in ("algo", "nada") and before and not before.traits & (t.COPULA | t.FEELING | t.PUNCTUATION):
            tokens[index] = token._replace(traits=t.NOUN)
    start = 1 if tokens and tokens[0].key == "muito" else 0
    if len(tokens) > start and tokens[start].key in ("obrigado", "obrigada") and not _said_by_others(tokens):
        thanks = tokens[start]
        shown = t.STANDING | (t.SIDE_F if thanks.key.endswith("a") else t.SIDE_M)
        tokens[start] = thanks._replace(traits=shown)
        tokens.insert(start, Token("", thanks.start, thanks.start, "", t.PRONOUN | t.STANDING))
    return tokens


def _take_span(tokens: list[Token], start: int) -> None:
    """Mark phrases such as "há horas" and "há muito tempo" as adverbs."""
    for end in range(start + 1, min(start + 4, len(tokens))):
        if tokens[end].key in read_language("pt").rules["spans"]:
            for index in range(start, end + 1):
                tokens[index] = tokens[index]._replace(traits=t.FUNCTION)


def _is_if(tokens: list[Token], index: int) -> bool:
    """Return whether "se" means "if": before a first-person verb or a conditional form."""
    for token in tokens[index + 1 : index + 4]:
        if token.traits & t.PRONOUN or token.key.endswith("sse"):
            return True
        if token.traits & (t.PRESENT | t.COPULA | t.FINITE):
            return not token.traits & (t.EITHER | t.FINITE | t.ADJECTIVE | t.NOUN)
        if not token.traits & (t.FUNCTION | t.OBJECT):
            break
    return False


def _said_by_others(tokens: list[Token]) -> bool:
    """Return whether a tag attributes the text to somebody else: "Obrigada, disse ela"."""
    return any(
        before.traits & t.PUNCTUATION and token.key in ("disse", "respondeu", "diz", "falou")
        for before, token in pairwise(tokens)
    )


_SMALL = (("zinho", "zinha"), ("inho", "inha"))
_SPELLINGS = (("qu", "c"), ("gu", "g"))  # Spelling of the last consonant before "i"


def _with_diminutives(lexicon: Dictionary, words: Mapping[str, int]) -> Dictionary:
    """Recognise diminutives of adjectives: quietinha, fraquinho."""

    def traits_of(form: str) -> int:
        traits = lexicon(form)
        if traits not in (0, t.KNOWN) or not form.endswith(("inho", "inha")):
            return traits
        feminine = form.endswith("a")
        agreeing = t.ADJECTIVE_F | t.PAIR_F if feminine else t.ADJECTIVE_M | t.PAIR_M
        for base in _bases(form):
            base_traits = words.get(base, 0) or lexicon(base)
            if base_traits & agreeing:
                return (t.ADJECTIVE_F if feminine else t.ADJECTIVE_M) | (base_traits & t.ADVERBIAL)
        return traits

    return traits_of


def _bases(form: str) -> list[str]:
    """Return the words from which a diminutive may be derived: quieta for quietinha, bonitão for bonitãozinho."""
    bases = []
    for ending in (ending for pair in _SMALL for ending in pair if form.endswith(ending)):
        stem = form.removesuffix(ending)
        bases += [stem, stem + form[-1]]
        for written, plain in _SPELLINGS:
            if stem.endswith(written):
                bases.append(stem.removesuffix(written) + plain + form[-1])
    return bases


RULES = LanguageRules(_disambiguate, _with_diminutives)
