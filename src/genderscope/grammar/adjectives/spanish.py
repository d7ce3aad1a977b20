"""Spanish: which word after ser or estar renders the adjective, and its gender."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from genderscope.grammar.adjectives.clauses import Clause, Finding, Grammar
from genderscope.grammar.adjectives.dictionaries import lemmas
from genderscope.grammar.adjectives.readings import (
    COMMON,
    COMMON_ENDING,
    FEMININE,
    FEMININE_ENDING,
    MASCULINE,
    MASCULINE_ENDING,
    PHRASE,
    SPLIT,
    UNREAD,
    Form,
)
from genderscope.grammar.adjectives.speech import Token
from genderscope.grammar.adjectives.wordlists import words

_FIRST_COPULAS = words("soy estoy era estaba fui estuve sea esté seré estaré sería")
_SECOND_COPULAS = words("eres estás estas sos sois estáis eras estabas fuiste seas estés serás estarás serías")
_THIRD_COPULAS = words("es está son están")
_HAVE = words("he has ha hemos habéis han haya hayas")
# Verbs that take a predicative adjective as a copula does.
_SEMI_COPULAS = words(
    "siento sientes siente sentís encuentro encuentras encuentra veo ves ve quedo quedas queda quedado salgo sales "
    "sale salido sigo sigues sigue ando andas vuelvo vuelves vuelto pongo pones puesto parezco pareces parece resulto "
    "resultas resulta considero consideras considera mantengo mantienes voy vas haber sido estado ser estar siendo "
    "volviendo poniendo sintiendo pareciendo luzco luces suelo sueles puedo puedes puede debo debes"
)
_PRONOUNS = words("yo tú tu vos usted ustedes vosotros vosotras me te se le les lo os nos mí ti él ella")
_DEGREES = words(
    "no sí si muy más menos tan bastante demasiado algo poco tanto pelín también tampoco ya solo sólo casi igual "
    "siempre nunca todavía aún medio nada quizás quizá tal vez que así mucho ni además bien mal como súper super todo "
    "toda hoy ahora entonces aquí"
)
_SKIPPED = _FIRST_COPULAS | _SECOND_COPULAS | _THIRD_COPULAS | _SEMI_COPULAS | _HAVE | _PRONOUNS | _DEGREES
_PREPOSITIONS = words("de en con sin a al del por para sobre entre contra fuera")
_ARTICLES = {"un": MASCULINE, "el": MASCULINE, "una": FEMININE, "la": FEMININE, "los": MASCULINE, "las": FEMININE}
_VERBS = words("tengo tienes tiene tenemos tenéis tenés tienen hay doy das da dan sé importo importas falta")
_GERUND = re.compile(r"(?<!bl)(?:[aá]|[iy][eé])ndo(?:me|te|se|lo|la|le|nos)?$")  # but not blando
# Adjectives that the dictionary takes for a form of a verb.
_ALSO_VERBS = words(
    "molesto molesta lleno llena sano sana vago vaga limpio limpia seguro segura loco loca calvo calva quieto quieta "
    "contento contenta activo activa completo completa manso mansa canoso canosa casto casta alegre libre triste "
    "pillo pilla duro dura vivo viva sincero sincera amable rico rica agrio agria fino fina rojo roja bajo baja alto "
    "alta grave breve leve torpe firme pobre"
)
_IRREGULAR_PARTICIPLES = words(
    "muert expuest dispuest suelt resuelt abiert cubiert descubiert escrit rot hech dich vist puest vuelt devuelt "
    "maldit bendit expert despiert confus difus conclus"
)
_CLITICS = words("me te se le lo la les os nos")
# Nouns of one gender that are said of men and women alike.
_EPICENE = words(
    "persona tipo alguien bicho ser desastre encanto tesoro genio amor molestia inconveniente fastidio enigma problema "
    "sueño ángel estorbo incordio peligro horror asco fenómeno caso cielo sol modelo figura estrella bestia fiera "
    "víctima criatura inspiración delicia maravilla belleza preciosidad monada lata carga vergüenza pena peste gallina "
    "pesadez plaga cabeza cascabel gigante coloso monstruo virgen caballero hombre mujer dama señor señora chico chica "
    "muchacho muchacha individuo cosa talento éxito miedo suerte disparate sinsentido bache alma infierno diablo "
    "espíritu fantasma bulto animal mentira joya perla regalo bomba bombón"
)
_BEFORE_NOUNS = words("gran buen mal buena mala verdadero verdadera pobre vieja viejo")
# Personal words of one form for both genders: the article tells (un cobarde, una cobarde).
_SAME_FOR_BOTH_ENDINGS = ("ista", "ópata", "nte", "ble", "al", "ense", "arca", "crata", "asta", "az", "oz", "il")
_SAME_FOR_BOTH = words(
    "cobarde sinvergüenza cascarrabias cursi idiota hipócrita salvaje rebelde joven canalla aguafiestas bocazas "
    "granuja gilipollas torpe débil mayor menor mejor peor noble triste alegre mediocre pobre grande gay cruel fiel "
    "hippie tarambana veleta friki caradura quejica sexy elegante común imbécil fuerte"
)
_COMMON_IN_A = frozenset({"alerta"})
_COMMON_COMPARATIVES = words("mayor menor mejor peor superior inferior anterior posterior exterior interior")
_BARE_NOUNS = words("sobrepeso miedo virgen éxito fuego hielo humo ayuda envidia gracia")


def _read(clause: Clause) -> Finding:
    tokens = clause.words
    adverb: Token | None = None
    article: Form | None = None
    perfect = False
    last = len(tokens) - 1
    for index, token in enumerate(tokens):
        word = token.word
        if word in _ARTICLES and index < last:
            # "un poco" is a degree, not a noun phrase.
            article = _ARTICLES[word] if tokens[index + 1].word not in _DEGREES or word in ("el", "la") else None
        elif (word in _SKIPPED and not (word == "solo" and index == last)) or word.endswith("mente"):
            perfect = word in _HAVE or (perfect and word in _PRONOUNS)
            adverb = adverb or (token if word in ("bien", "mal") else None)
        elif perfect or word in _PREPOSITIONS or word in _VERBS or _GERUND.search(word):
            return Finding(token, PHRASE)
        elif article:
            before_noun = index < last and word in _BEFORE_NOUNS
            return Finding(token, PHRASE if before_noun else _noun_or_adjective(word, article))
        else:
            verb = not clause.has_copula and (_finite_verb(word) or (index > 0 and tokens[index - 1].word in _CLITICS))
            return Finding(token, PHRASE if verb else adjective_form(word))
    return Finding(adverb, PHRASE) if adverb else Finding(None, UNREAD)


def _finite_verb(word: str) -> bool:
    """Whether a word in a clause without copula is its verb ("tú exageras") rather than an adjective ("tú alta")."""
    lemma = lemmas("es").get(word, "")
    if lemma == word or word in _ALSO_VERBS or _participle(word):
        return False
    # In -as or -es it is no plural adjective either: one person is addressed.
    return lemma.endswith(("ar", "er", "ir", "arse", "erse")) or word.endswith(("as", "es"))


def _participle(word: str) -> bool:
    return word.endswith(("ado", "ada", "ido", "ída", "ído", "ida")) or word[:-1] in _IRREGULAR_PARTICIPLES


def _noun_or_adjective(word: str, article: Form) -> Form:
    """After an article: a word that varies shows its own gender, a personal noun that does not takes the article's."""
    if word in _EPICENE:
        return PHRASE
    form = adjective_form(word)
    if form.strategy == "common form":
        personal = word in _SAME_FOR_BOTH or word.endswith(_SAME_FOR_BOTH_ENDINGS)
        return article if personal else PHRASE
    if form.gender not in ("masculine", "feminine"):
        return form
    return form if form.gender == article.gender and _varies(word) else PHRASE


def _varies(word: str) -> bool:
    """Whether a word in -o or -a has another gender that is no verb: loco, loca, but regalo, (él) regala."""
    table = lemmas("es")
    if word[-1] not in "oa" or word not in table or _participle(word) or word in _ALSO_VERBS:
        return True
    if word.endswith("a"):
        return table[word] != word or word[:-1] + "o" in table
    other = word[:-1] + "a"
    return other in table and not _finite_verb(other)


@lru_cache(maxsize=65536)
def adjective_form(word: str) -> Form:
    """The gender of one Spanish word form in the place of an adjective."""
    if "/" in word or "(" in word or "@" in word:
        return _split_form(word)
    if word in _BARE_NOUNS:
        return PHRASE
    singular = _singular(word)
    if singular != word:
        return replace(_singular_form(singular), plural=True)
    return _singular_form(word)


def _singular_form(word: str) -> Form:
    if word.endswith("o"):
        return MASCULINE if word in lemmas("es") else MASCULINE_ENDING
    if word.endswith("a"):
        return _form_in_a(word)
    if word[-1] in "ex" and word not in lemmas("es") and word[:-1] + "o" in lemmas("es"):
        return SPLIT  # cansade, cansadx: written to show neither gender
    return _form_in_consonant(word)


def _form_in_a(word: str) -> Form:
    table = lemmas("es")
    lemma = table.get(word)
    if word in _COMMON_IN_A:
        return COMMON
    if lemma is None:
        return COMMON_ENDING if word.endswith(("ista", "ópata", "ícola", "crata")) else FEMININE_ENDING
    if lemma != word or word[:-1] + "o" in table or table.get(word[:-1]) == word[:-1]:
        return FEMININE
    return COMMON


def _form_in_consonant(word: str) -> Form:
    """Words in -e or a consonant are common unless the feminine takes -a: encantador, regañón, holgazán, grandote."""
    table = lemmas("es")
    if word not in _COMMON_COMPARATIVES and word.endswith(("dor", "tor", "sor", "ón", "án", "ín", "ote", "ete")):
        bare = word.removesuffix("e").translate(_WITHOUT_ACCENT) if word[-1] in "ne" else word
        if bare + "a" in table:
            return MASCULINE
        if word not in table:
            return MASCULINE_ENDING
    return COMMON if word in table else COMMON_ENDING


_WITHOUT_ACCENT = str.maketrans("óáí", "oai")


def _singular(word: str) -> str:
    if word.endswith(("os", "as")) and lemmas("es").get(word) != word:
        return word[:-1]
    return word


def _split_form(word: str) -> Form:
    """Both genders side by side; two spellings of the same gender are that gender."""
    parts = [part.strip() for part in word.split("/")]
    if "/" not in word or "(" in word or any(len(part) <= 2 for part in parts):
        return SPLIT
    forms = [adjective_form(part) for part in parts]
    return forms[0] if len({form.gender for form in forms}) == 1 else SPLIT


GRAMMAR = Grammar(
    first_person=_FIRST_COPULAS | words("yo tengo he siento salgo parezco hago me"),
    second_person=_SECOND_COPULAS | words("tú tu vos usted ustedes vosotros tienes has sientes sales pareces haces te"),
    copulas=_FIRST_COPULAS | _SECOND_COPULAS | _THIRD_COPULAS,
    negations=frozenset({"no", "tampoco"}),
    conjunctions=words("y e pero sino mientras aunque mas"),
    complementizers=frozenset({"que"}),
    belief=words("creo pienso opino supongo parece considero imagino diría"),
    narration=words(
        "dije dijo dijeron respondí respondió respondieron contesté contestó contestaron repliqué replicó replicaron "
        "sonreí sonrió sonrieron reí rió rio rieron exclamó exclamé añadió murmuró dice digo responde"
    ),
    fillers=words("no sí si que yo creo bueno ah oh pienso parece me"),
    read=_read,
    known=lambda word: word in lemmas("es"),
)
