"""Czech: which word of a clause renders the adjective, and its gender."""

from __future__ import annotations

from functools import lru_cache

from genderscope.grammar.adjectives.clauses import Clause, Finding, Grammar
from genderscope.grammar.adjectives.czech_nouns import ANYONE, person_noun
from genderscope.grammar.adjectives.dictionaries import lemmas
from genderscope.grammar.adjectives.readings import (
    COMMON,
    COMMON_ENDING,
    FEMININE,
    FEMININE_ENDING,
    FEMININE_NOUN,
    FEMININE_PLURAL,
    MASCULINE,
    MASCULINE_ENDING,
    MASCULINE_NOUN,
    MASCULINE_PLURAL,
    NEUTER,
    NEUTER_ENDING,
    PHRASE,
    PHRASE_BY_SHAPE,
    SPLIT,
    UNREAD,
    Form,
)
from genderscope.grammar.adjectives.speech import Token
from genderscope.grammar.adjectives.wordlists import words

_FIRST_COPULAS = words("jsem nejsem sem budu nebudu bych")
_SECOND_COPULAS = words("jsi nejsi jseš nejseš seš nejseš jste nejste ste budeš budete bys byste")
_COPULAS = _FIRST_COPULAS | _SECOND_COPULAS
_POLITE = words("jste nejste vy budete máte")
_NEGATED = words("nejsem nejsi nejste nejseš není ne nebudu")
_SKIPPED = words(
    "já ty vy mě mi mně ti tě tobě vám vás nám nás se si to že by bych bys byste být bejt byl byla byli byly bylo ten "
    "ta tak moc velmi velice docela trochu opravdu dost dosti příliš hodně jen jenom prostě spíš spíše poměrně celkem "
    "více méně víc míň nejvíc pěkně strašně hrozně úplně naprosto také taky taktéž i však vlastně vážně asi možná už "
    "ještě stále pořád přece teda tedy fakt skutečně poněkud mírně nějak nějaký nějaká taková takový tady tu zde jistě "
    "určitě sám sama ani ano ne jo právě teď nyní ses sis"
)
_PREPOSITIONS = words("v ve na při bez s z ze od pro k ke o u do za pod nad před po proti mezi ku")
# Adjectives whose complement is a noun in another case: "plný energie" is no noun phrase.
_WITH_COMPLEMENT = tuple(words("pln schop neschop hod vědom chtiv zvědav prost věr nevěr vděč podob"))
# Loans among them: "jsem gay" is Czech, not English left standing.
_INDECLINABLE = words(
    "sexy cool fér fair fit gay super prima fajn bezva blond in out trendy happy grand šik bi hetero ok okay nóbl "
    "queer trans retro hip free single punk"
)
# Nouns and adverbs that the endings of participles and adjectives would take in or not know.
_NOUNS = words("grizl anděl štěstí vzdělání nadání potichu zticha naměkko naživu nadváha sebedůvěra")
_COMPARED = words("jako než coby")
_POINTERS = dict.fromkeys(("ten", "tenhle", "onen"), MASCULINE_NOUN) | dict.fromkeys(("ta", "tahle"), FEMININE_NOUN)
_RELATIVES = words("kdo co který která kterou jenž jež")
# Function words that show a gender where nothing else does: "byl jsem v pohodě", "jsem sama", "nejsem taková".
_SHOWING = dict.fromkeys(("byl", "sám", "takový"), MASCULINE_NOUN) | dict.fromkeys(
    ("byla", "sama", "taková"), FEMININE_NOUN
)
_AUXILIARIES = _COPULAS | words("ses sis")
_HAVING = words("mám nemám máš nemáš máte nemáte je není")


def _read(clause: Clause) -> Finding:
    """The first word that can be a predicative adjective; verbs, things and prepositional phrases are passed over."""
    tokens = clause.words
    polite = any(token.word in _POLITE for token in tokens)
    spoken = any(token.word in _AUXILIARIES for token in tokens)
    phrase: Token | None = None
    unknown: Token | None = None
    after_preposition = False
    for index, token in enumerate(tokens):
        word = token.word
        following = tokens[index + 1].word if index + 1 < len(tokens) else ""
        if word in _POINTERS and (not following or following in _RELATIVES):
            return Finding(token, _POINTERS[word])  # "já jsem ten, kdo …"
        if word in _COMPARED and index + 1 < len(tokens):
            phrase = phrase or tokens[index + 1]
            break
        if word in _PREPOSITIONS:
            after_preposition = True
        elif after_preposition:
            after_preposition = False
            phrase = phrase or token
        elif word not in _SKIPPED and word not in _COPULAS:
            if word in _HAVING and not clause.has_copula:
                return Finding(token, PHRASE)
            form = predicate_form(word, polite)
            if form.gender == "unread":
                unknown = unknown or token
            elif form.strategy == "noun or verb phrase" or not (_predicative(word, tokens, spoken, phrase)):
                phrase = phrase or token
            elif following and not _past(word) and _starts_noun_phrase(word, following):
                return _noun_phrase(token, tokens[index + 1])
            else:
                return Finding(token, form)
    return _without_adjective(tokens, phrase, unknown, spoken)


def _predicative(word: str, tokens: tuple[Token, ...], spoken: bool, phrase: Token | None) -> bool:
    """Whether a form that shows something is said of the person; "zahlédli mě" is the past of somebody else."""
    if spoken:
        return True
    if _past(word):
        # "já se naštvala": the auxiliary left out after the pronoun
        return word.endswith(("l", "la")) and tokens[0].word in ("já", "ty") and _OBJECTS.isdisjoint(_forms(tokens))
    return phrase is None or person_noun(word) is None  # a noun behind a verb is its object


_OBJECTS = words("mě mne tě tebe vás")


def _forms(tokens: tuple[Token, ...]) -> list[str]:
    return [token.word for token in tokens]


def _noun_phrase(adjective: Token, noun: Token) -> Finding:
    shown = person_noun(noun.word)
    return Finding(noun, shown) if shown else Finding(adjective, PHRASE)


def _without_adjective(tokens: tuple[Token, ...], phrase: Token | None, unknown: Token | None, spoken: bool) -> Finding:
    """What a clause shows in which no adjective was found: function words may agree, else it is a phrase."""
    shown = next((token for token in tokens if token.word in _SHOWING), None) if spoken else None
    if shown is not None and (phrase is not None or unknown is None):
        return Finding(shown, _SHOWING[shown.word])
    if phrase is not None:
        return Finding(phrase, PHRASE)
    return Finding(unknown, UNREAD)


def predicate_form(word: str, polite: bool) -> Form:
    """The gender of a word form said of one person, who may be addressed in the polite plural."""
    if polite and word.endswith("í") and _hard_plural(word):
        return MASCULINE_PLURAL
    form = adjective_form(word)
    if form.strategy == "neuter" and polite and word.endswith("é"):
        return FEMININE_PLURAL  # the polite plural again: "vy jste krásné"
    return form


def _hard_plural(word: str) -> bool:
    """Whether a form in -í is the masculine plural of a hard adjective: drzí (drzý), uvolnění (uvolněný)."""
    table = lemmas("cs")
    if word.endswith("ší"):
        return f"{word[:-2]}chý" in table  # plaší, tiší; all others are comparatives
    if table.get(word, "").endswith("ý") or table.get(word[:-1] + "ý", "").endswith("ý"):
        return True
    return word not in table and word.endswith(("aní", "ení", "ění", "ití", "iví", "aví", "čtí", "ští", "lí", "atí"))


def _starts_noun_phrase(word: str, following: str) -> bool:
    """Whether an adjective stands before the noun it agrees with: "dobrý posluchač", "silné postavy"."""
    if following in _SKIPPED or following in _PREPOSITIONS or following in _COPULAS or following in _COMPARED:
        return False
    lemma = lemmas("cs").get(following)
    if person_noun(following) or following in ANYONE:
        return True
    if word.startswith(_WITH_COMPLEMENT) or lemma is None or following.endswith(_ADVERB_ENDINGS):
        return False
    if adjective_form(following).strategy != "noun or verb phrase":
        return False
    return lemma == following or word.endswith(("é", "ou", "ého", "ým", "ího"))


_ADVERB_ENDINGS = ("ě", "sky", "cky", "zky")
_PAST_ENDINGS = ("l", "la", "li", "ly", "lo")


def _past(word: str) -> bool:
    """Whether a word is an l-participle ("zvítězil", "ovdověla")."""
    lemma = _lemma(word)
    return word.endswith(_PAST_ENDINGS) and (lemma.endswith(("t", "ci")) if lemma else word.endswith(_PAST_BY_SHAPE))


@lru_cache(maxsize=65536)
def adjective_form(word: str) -> Form:
    """The gender of one Czech word form in the place of a predicative adjective."""
    if "/" in word or "(" in word:
        return _split_form(word)
    if word in _NOUNS or word in ANYONE:
        return PHRASE
    if word in _INDECLINABLE or word.endswith(("ící", "oucí")):
        return COMMON
    if word.endswith(("ství", "ctví")):
        return PHRASE
    lemma = _lemma(word)
    return _by_ending(word) if lemma is None else _form_with_lemma(word, lemma)


def _form_with_lemma(word: str, lemma: str) -> Form:
    verb = lemma.endswith(("t", "ci"))
    if word.endswith("í") and len(word) > 3 and (lemma.endswith("í") or _comparative(word, verb)):
        return COMMON  # soft adjectives and comparatives
    if lemma.endswith("ý") or lemma in ("rád", "nerad", "nerád") or (verb and word.endswith(("lý", "lá"))):
        return _hard_form(word)
    if shown := person_noun(word):
        return shown
    if not verb:
        return PHRASE
    if word.endswith(_PAST_ENDINGS):
        return _HARD_ENDINGS.get(word[-1], MASCULINE)
    stem = word.rstrip("aioy")  # short passives listed under their verb: okouzlen, spatřena, proklet
    passive = stem.endswith(("en", "ěn", "án")) or (stem.endswith("t") and f"{stem}ý" in lemmas("cs"))
    return _HARD_ENDINGS.get(word[len(stem) :], MASCULINE) if passive else PHRASE


def _comparative(word: str, like_a_verb: bool) -> bool:
    """Whether a form in -ší or -čí is a comparative (měkčí: měkký) and not a verb (křičí)."""
    if not like_a_verb or word in ("horší", "lepší", "menší", "větší", "delší", "bližší"):
        return word.endswith(("ší", "čí"))
    return word[:-2] + {"ší": "ý", "čí": "ký"}.get(word[-2:], "?") in lemmas("cs")


def _lemma(word: str) -> str | None:
    """The lemma; a negated form the table lacks has the lemma of what it negates."""
    table = lemmas("cs")
    lemma = table.get(word)
    if lemma is None and word.startswith("ne"):
        lemma = table.get(word[2:])
    return lemma


_HARD_ENDINGS = {
    "ý": MASCULINE, "á": FEMININE, "é": NEUTER, "í": MASCULINE_PLURAL, "ým": MASCULINE, "ou": FEMININE,
    "ého": MASCULINE, "ej": MASCULINE, "o": NEUTER, "a": FEMININE, "i": MASCULINE_PLURAL, "y": FEMININE_PLURAL,
    "u": FEMININE,
}  # fmt: skip


def _hard_form(word: str) -> Form:
    """Hard adjectives and their short forms: unavený, unavená, unaven, unavena; plural masculine is masculine."""
    for length in (3, 2, 1):
        if form := _HARD_ENDINGS.get(word[-length:]):
            return form
    return MASCULINE if word[-1] not in "eěůhm" else COMMON


_PAST_BY_SHAPE = tuple(
    vowel + ending for vowel in ("a", "i", "e", "ě", "u", "k", "h", "r") for ending in ("l", "la", "li", "ly", "lo")
)
_ENDINGS = (
    (MASCULINE_ENDING, ("ý", "ej", "rny", "dny", "lny", "vny", "sny", "en", "ěn", "án", "av", "iv", "uv")),
    (FEMININE_ENDING, ("á", "ena", "ěna", "ána", "eta", "uta")),
    (NEUTER_ENDING, ("é",)),
    (COMMON_ENDING, ("í",)),
    (MASCULINE_ENDING, tuple(ending for ending in _PAST_BY_SHAPE if ending.endswith(("l", "li")))),
    (FEMININE_ENDING, tuple(ending for ending in _PAST_BY_SHAPE if ending.endswith(("la", "ly")))),
    # adverbs, verbs and nouns
    (PHRASE_BY_SHAPE, ("ě", "sky", "cky", "ám", "áš", "áte", "ím", "íš", "íte", "uju", "uji", "uješ", "ujete")),
    (PHRASE_BY_SHAPE, ("ák", "ík", "ik", "ka", "ista", "oun", "ař", "ář", "ec", "ice", "tel", "or", "yně", "ant")),
    (PHRASE_BY_SHAPE, ("pat", "out", "ek", "ota", "ost", "ítko", "rén", "gán", "oš", "ouš", "na", "mez", "ák", "áci")),
)


def _by_ending(word: str) -> Form:
    """Words no dictionary knows: the regular endings."""
    if len(word) < 3:
        return UNREAD
    if shown := person_noun(word):
        return shown
    return next((form for form, endings in _ENDINGS if word.endswith(endings)), UNREAD)


def _split_form(word: str) -> Form:
    if "(" in word:
        return SPLIT
    parts = [part.strip() for part in word.split("/")]
    genders = {adjective_form(part).gender for part in parts if len(part) > 2}
    if len(genders) == 1 and all(len(part) > 2 for part in parts):
        return adjective_form(parts[0])
    return SPLIT


GRAMMAR = Grammar(
    first_person=_FIRST_COPULAS | words("já mám nemám cítím připadám"),
    second_person=_SECOND_COPULAS | words("ty vy máš máte nemáš nemáte ses cítíš cítíte"),
    copulas=_COPULAS,
    negations=_NEGATED,
    conjunctions=words("a ale zato avšak kdežto zatímco nýbrž přičemž"),
    complementizers=frozenset({"že"}),
    belief=words("myslím domnívám připadám připadá tuším soudím"),
    narration=words(
        "řekl řekla řekli odpověděl odpověděla odpověděli usmál usmála usmáli zasmál zasmála zasmáli rozesmál "
        "rozesmála smál smála odvětil odvětila odvětili opáčil opáčila prohlásil prohlásila pronesl pronesla povídá"
    ),
    fillers=words("ne ano ale já si ty vy myslím že mám pocit to no se tak mi"),
    read=_read,
    known=lambda word: word in lemmas("cs") or word in _INDECLINABLE or word == "ignorant",
)
