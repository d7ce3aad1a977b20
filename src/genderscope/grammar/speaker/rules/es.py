"""Spanish: neuters (lo único), dates (el primero de mayo), ambiguous words (suelo, tarde), enclitics (contratarme)."""

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.language_file import read_language
from genderscope.grammar.speaker.rules import LanguageRules
from genderscope.grammar.speaker.rules.it import mark_enclitic, mark_one
from genderscope.grammar.text import Token

_WITH_ME = ("arme", "erme", "irme", "ándome", "iéndome", "yéndome")
_LEAVING = ("dejar", "ver", "encontrar", "hallar")
_THIS = frozenset({"este", "esta", "ese", "esa"})
_TIMES = frozenset({"tarde", "mañana"})
_AMBIGUOUS = _THIS | _TIMES | {"todo", "visto", "vivo", "solo", "suelo", "primero"}
_MONTHS = frozenset(read_language("es").rules["months"])


def _disambiguate(tokens: list[Token]) -> list[Token]:
    for index, token in enumerate(tokens):
        if _is_neuter(tokens, index):
            tokens[index] = token._replace(traits=t.NOUN)
        elif token.key in _AMBIGUOUS:
            tokens[index] = token._replace(traits=_traits_here(tokens, index))
        else:
            tokens[index] = mark_enclitic(token, _WITH_ME, _LEAVING)
    return mark_one(tokens, read_language("es"))


def _traits_here(tokens: list[Token], index: int) -> int:
    """Return the traits of an ambiguous word in its context."""
    token, before = tokens[index], tokens[index - 1] if index else None
    after = tokens[index + 1].traits if index + 1 < len(tokens) else 0
    traits = token.traits
    if token.key == "todo" and after & (t.EITHER | t.FINITE):
        traits = t.OTHER_PERSON  # "todo estaba preparado"
    elif token.key in _THIS and after & (t.EITHER | t.FINITE) and not after & (t.NAMES_PERSON | t.ADJECTIVE):
        traits = t.OTHER_PERSON  # "este era el mejor"
    elif token.key in _TIMES and before and before.traits & t.ARTICLE:
        traits = t.NOUN  # "la tarde", not "late"
    elif token.key == "visto" and before and before.key == "me":
        traits = t.PRESENT | t.WORKS  # "me visto", not "seen"
    elif token.key == "vivo" and before and before.traits & t.COORDINATOR and after & t.PREPOSITION:
        traits &= ~t.ADJECTIVE  # "soy artista y vivo de …"
    elif token.key == "solo" and before and before.traits & t.PRONOUN and after & t.VERB:
        traits = t.FUNCTION  # "yo solo miraba"
    elif token.key == "suelo" and after & t.INFINITIVE:
        traits = t.PRESENT  # "en casa suelo cocinar"
    elif token.key == "primero" and _is_date(tokens, index):
        traits = t.NOUN
    return traits


def _is_neuter(tokens: list[Token], index: int) -> bool:
    """Return whether a word is neuter: "lo único", "algo malo", "era seguro que"."""
    token, before = tokens[index], tokens[index - 1] if index else tokens[index]
    after = tokens[index + 1 : index + 3]
    that = bool(after) and after[0].key == "que"
    if before.key == "lo" and token.traits & t.ADJECTIVE_M and not token.traits & (t.PRESENT | t.FINITE):
        return not (that and len(after) > 1 and after[1].traits & t.COPULA)  # but "lo cansado que estoy"
    if token.key in ("algo", "nada"):
        return not before.traits & (t.COPULA | t.FEELING | t.PUNCTUATION)
    return that and token.key == "seguro" and before.key in ("era", "sería", "fue")


def _is_date(tokens: list[Token], index: int) -> bool:
    """Return whether "first" is a day of a month."""
    if index + 2 >= len(tokens) or tokens[index + 1].key not in ("de", "del"):
        return False
    return tokens[index + 2].key in _MONTHS


RULES = LanguageRules(disambiguate=_disambiguate)
