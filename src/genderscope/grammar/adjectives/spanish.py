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

_FIRST_COPULAS = frozenset("soy estoy era estaba fui estuve sea esté seré estaré sería".split())
_SECOND_COPULAS = frozenset(
    "eres estás estas sos sois estáis eras estabas fuiste seas estés serás estarás serías".split()
)
_THIRD_COPULAS = frozenset("es está son están".split())
_HAVE = frozenset("he has ha hemos habéis han haya hayas".split())
# Verbs that take a predicative adjective as a copula does.
_SEMI_COPULAS = frozenset(
    "siento sientes siente sentís encuentro encuentras encuentra veo ves ve quedo quedas queda quedado salgo sales sale "
    "salido sigo sigues sigue ando andas vuelvo vuelves vuelto pongo pones puesto parezco pareces parece resulto "
    "resultas resulta considero consideras considera mantengo mantienes voy vas haber sido estado ser estar siendo "
    "volviendo poniendo sintiendo pareciendo luzco luces suelo sueles puedo puedes puede debo debes".split()
)
_PRONOUNS = frozenset("yo tú tu vos usted ustedes vosotros vosotras me te se le les lo os nos mí ti él ella".split())
_DEGREES = frozenset(
    "no sí si muy más menos tan bastante demasiado algo poco tanto pelín también tampoco ya solo sólo casi igual siempre "
    "nunca todavía aún medio nada quizás quizá tal vez que así mucho ni además bien mal como súper super todo toda hoy "
    "ahora entonces aquí mejor".split()
)
_SKIPPED = _FIRST_COPULAS | _SECOND_COPULAS | _THIRD_COPULAS | _SEMI_COPULAS | _HAVE | _PRONOUNS | _DEGREES
_PREPOSITIONS = frozenset("de en con sin a al del por para sobre entre contra fuera".split())
_ARTICLES = {"un": MASCULINE, "el": MASCULINE, "una": FEMININE, "la": FEMININE, "los": MASCULINE, "las": FEMININE}
_VERBS = frozenset("tengo tienes tiene tenemos tenéis tenés tienen hay doy das da dan sé importo importas falta".split())
_GERUND = re.compile(r"(?<!bl)(?:[aá]|[iy][eé])ndo(?:me|te|se|lo|la|le|nos)?$")  # but not blando
# Adjectives that the dictionary takes for a form of a verb.
_ALSO_VERBS = frozenset(
    "molesto molesta lleno llena sano sana vago vaga limpio limpia seguro segura loco loca calvo calva quieto quieta "
    "contento contenta activo activa completo completa manso mansa canoso canosa casto casta alegre libre triste "
    "pillo pilla duro dura vivo viva sincero sincera amable rico rica agrio agria fino fina rojo roja bajo baja alto alta grave breve leve torpe firme pobre".split()
)
_IRREGULAR_PARTICIPLES = frozenset(
    "muert expuest dispuest suelt resuelt abiert cubiert descubiert escrit rot hech dich vist puest vuelt devuelt "
    "maldit bendit expert despiert confus difus conclus".split()
)
_CLITICS = frozenset("me te se le lo la les os nos".split())
# Nouns of one gender that are said of men and women alike.
_EPICENE = frozenset(
    "persona tipo alguien bicho ser desastre encanto tesoro genio amor molestia inconveniente fastidio enigma problema "
    "sueño ángel estorbo incordio peligro horror asco fenómeno caso cielo sol modelo figura estrella bestia fiera "
    "víctima criatura inspiración delicia maravilla belleza preciosidad monada lata carga vergüenza pena peste gallina "
    "pesadez plaga cabeza cascabel gigante coloso monstruo virgen caballero hombre mujer dama señor señora chico chica "
    "muchacho muchacha individuo cosa talento éxito miedo suerte disparate sinsentido bache "
    "alma infierno diablo espíritu fantasma bulto animal mentira joya perla santo".split()
)
_BEFORE_NOUNS = frozenset("gran buen mal buena mala verdadero verdadera gran pobre vieja viejo".split())
# Personal words of one form for both genders: the article tells (un cobarde, una cobarde).
_SAME_FOR_BOTH_ENDINGS = ("ista", "ópata", "nte", "ble", "al", "ense", "arca", "crata", "asta", "az", "oz", "il")
_SAME_FOR_BOTH = frozenset(
    "cobarde sinvergüenza cascarrabias cursi idiota hipócrita salvaje rebelde joven canalla aguafiestas bocazas granuja "
    "gilipollas torpe débil mayor noble triste alegre mediocre pobre grande gay cruel fiel hippie tarambana veleta friki "
    "caradura quejica sexy elegante común imbécil fuerte".split()
)
_COMMON_IN_A = frozenset({"alerta"})
_COMMON_COMPARATIVES = frozenset("mayor menor mejor peor superior inferior anterior posterior exterior interior".split())
_BARE_NOUNS = frozenset("sobrepeso miedo virgen éxito fuego hielo humo ayuda envidia gracia".split())


def _read(clause: Clause) -> Finding:
    words = clause.words
    adverb: Token | None = None
    article: Form | None = None
    perfect = False
    last = len(words) - 1
    for index, token in enumerate(words):
        word = token.word
        if word in _ARTICLES and index < last:
            # "un poco" is a degree, not a noun phrase.
            article = _ARTICLES[word] if words[index + 1].word not in _DEGREES or word in ("el", "la") else None
        elif word in _SKIPPED or word.endswith("mente"):
            perfect = word in _HAVE or (perfect and word in _PRONOUNS)
            adverb = adverb or (token if word in ("bien", "mal", "mejor") else None)
        elif perfect or word in _PREPOSITIONS or word in _VERBS or _GERUND.search(word):
            return Finding(token, PHRASE)
        elif article:
            before_noun = index < last and word in _BEFORE_NOUNS
            return Finding(token, PHRASE if before_noun else _noun_or_adjective(word, article))
        else:
            verb = not clause.has_copula and (_finite_verb(word) or (index > 0 and words[index - 1].word in _CLITICS))
            return Finding(token, PHRASE if verb else adjective_form(word))
    return Finding(adverb, PHRASE) if adverb else Finding(None, UNREAD)


def _finite_verb(word: str) -> bool:
    """Whether a word in a clause without copula is its verb ("tú exageras") rather than an adjective ("tú alta")."""
    lemma = lemmas("es").get(word, "")
    if word.endswith(("as", "es")) and lemma != word:
        return True  # one person is addressed: not a plural adjective
    return lemma.endswith(("ar", "er", "ir", "arse", "erse")) and lemma != word and not _participle(word) and (
        word not in _ALSO_VERBS
    )


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
    if form.gender in ("masculine", "feminine"):
        if form.gender != article.gender:
            return PHRASE
        # A noun that only looks like an adjective: its other form is a verb (regalo, regala).
        other = word[:-1] + ("a" if form.gender == "masculine" else "o")
        if word[-1] in "oa" and _finite_verb(other) and not _participle(word):
            return PHRASE
    return form


@lru_cache(maxsize=65536)
def adjective_form(word: str) -> Form:
    """The gender of one Spanish word form in the place of an adjective."""
    if "/" in word or "(" in word or "@" in word:
        return _split_form(word)
    if word in _BARE_NOUNS:
        return PHRASE
    singular = _singular(word)
    if singular != word:
        return replace(adjective_form(singular), plural=True)
    if word.endswith("o"):
        return MASCULINE if word in lemmas("es") else MASCULINE_ENDING
    if word.endswith("a"):
        return _form_in_a(word)
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
    if "/" not in word:
        return SPLIT
    forms = {adjective_form(part.strip()).gender for part in word.split("/") if len(part.strip()) > 2}
    if len(forms) == 1 and "(" not in word and all(len(part.strip()) > 2 for part in word.split("/")):
        return Form(forms.pop(), None, "ending")
    return SPLIT


GRAMMAR = Grammar(
    first_person=_FIRST_COPULAS | frozenset("yo tengo he siento salgo parezco hago me".split()),
    second_person=_SECOND_COPULAS
    | frozenset("tú tu vos usted ustedes vosotros tienes has sientes sales pareces haces te".split()),
    copulas=_FIRST_COPULAS | _SECOND_COPULAS | _THIRD_COPULAS,
    negations=frozenset({"no", "tampoco"}),
    conjunctions=frozenset("y e pero sino mientras aunque mas".split()),
    complementizers=frozenset({"que"}),
    belief=frozenset("creo pienso opino supongo parece considero imagino diría".split()),
    narration=frozenset(
        "dije dijo dijeron respondí respondió respondieron contesté contestó contestaron repliqué replicó replicaron "
        "sonreí sonrió sonrieron reí rió rio rieron exclamó exclamé añadió murmuró dice digo responde".split()
    ),
    fillers=frozenset("no sí si que yo creo bueno ah oh pienso parece me".split()),
    read=_read,
    known=lambda word: word in lemmas("es"),
)
