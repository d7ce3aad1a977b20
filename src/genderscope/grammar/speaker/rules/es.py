"""Spanish: neuters (lo único), dates (el primero de mayo), ambiguous words (suelo, tarde), enclitics (contratarme)."""

from genderscope.grammar import traits as t
from genderscope.grammar.speaker.language_file import read_language
from genderscope.grammar.speaker.rules import LanguageRules
from genderscope.grammar.speaker.rules.it import mark_enclitic
from genderscope.grammar.text import Token

_WITH_ME = ("arme", "erme", "irme", "ándome", "iéndome", "yéndome")
_LEAVING = ("dejar", "ver", "encontrar", "hallar")
_THIS = frozenset({"este", "esta", "ese", "esa"})
_MONTHS = frozenset(read_language("es").rules["months"])


def _disambiguate(tokens: list[Token]) -> list[Token]:
    for index, token in enumerate(tokens):
        after = tokens[index + 1].traits if index + 1 < len(tokens) else 0
        if _is_neuter(tokens, index) or _is_date(tokens, index):
            tokens[index] = token._replace(traits=t.NOUN)
        elif token.key == "todo" and after & (t.EITHER | t.FINITE):
            tokens[index] = token._replace(traits=t.OTHER_PERSON)  # "todo estaba preparado"
        elif token.key in _THIS and after & (t.EITHER | t.FINITE) and not after & (t.NAMES_PERSON | t.ADJECTIVE):
            tokens[index] = token._replace(traits=t.OTHER_PERSON)  # "este era el mejor"
        elif token.key in ("tarde", "mañana") and index and tokens[index - 1].traits & t.ARTICLE:
            tokens[index] = token._replace(traits=t.NOUN)  # "la tarde", not "late"
        elif token.key == "visto" and index and tokens[index - 1].key == "me":
            tokens[index] = token._replace(traits=t.PRESENT | t.WORKS)  # "me visto", not "seen"
        elif token.key == "suelo" and after & t.INFINITIVE:
            tokens[index] = token._replace(traits=t.PRESENT)  # "en casa suelo cocinar"
        else:
            tokens[index] = mark_enclitic(token, _WITH_ME, _LEAVING)
    return tokens


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
    if tokens[index].key != "primero" or index + 2 >= len(tokens) or tokens[index + 1].key not in ("de", "del"):
        return False
    return tokens[index + 2].key in _MONTHS


RULES = LanguageRules(disambiguate=_disambiguate)
