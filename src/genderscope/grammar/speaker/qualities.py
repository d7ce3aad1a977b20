"""Adjectives for what somebody is like that the dictionaries take for nouns or verbs only, or do not have."""

# Adjectives and nothing else that matters.
MEN = {
    "es": "hiperactivo cerdo calvo muerto",
    "pt": """
    protetor ingênuo esperto vadio honesto autônomo maduro devoto ateu inquieto cego morto giro maluco espertalhão""",
    "it": """
    emotivo tenero chiacchierone fifone carino isterico atletico rozzo fiero testardo furbo fannullone buffone
    donnaiolo tirchio temerario magro vecchio malinconico nostalgico piagnucolone sciocco pazzo simpatico solitario
    energico morto mangione dormiglione pasticcione sbruffone spaccone secchione restio""",
    "fr": """
    mignon coquet maternel ambitieux dragueur radin sot sourd muet mort doux fainéant râleur nul""",
    "ro": """
    blând flămând plăpând econom compătimitor indecis înțelept chel prost stângaci orb mort vioi tandru aspru dur
    violent cochet""",
}
WOMEN = {
    "es": "hiperactiva calva muerta",
    "pt": """
    protetora ingênua esperta vadia honesta autônoma devota ateia inquieta cega morta gira maluca""",
    "it": """
    emotiva tenera chiacchierona fifona carina isterica atletica rozza testarda furba fannullona buffona tirchia
    temeraria magra vecchia malinconica nostalgica piagnucolona sciocca pazza simpatica solitaria energica morta
    mangiona dormigliona pasticciona sbruffona secchiona restia""",
    "fr": """
    mignonne coquette maternelle ambitieuse dragueuse radine sotte sourde muette morte douce fainéante râleuse nulle""",
    "ro": """
    econoamă compătimitoare indecisă înțeleaptă cheală stângace oarbă moartă vioaie tandră aspră violentă cochetă
    proastă""",
}
# Nouns or verbs as well.
MEN_TOO = {
    "es": "",
    "pt": "duro ativo baixo mudo surdo coxo",
    "it": "logico saggio pratico muto detto",
    "fr": "agressif passif actif calculateur mûr",
    "ro": "mut practic",
}
WOMEN_TOO = {
    "es": "",
    "pt": "dura ativa baixa madura",
    "it": "fiera saggia",
    "fr": "agressive passive active calculatrice mûre",
    "ro": "mută",
}
