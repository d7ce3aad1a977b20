"""French: être and verbs like it after je, reflexives, être-participles, m'a laissée, une leader; not avoir's."""

from __future__ import annotations

from collections.abc import Callable

from genderscope.grammar.dictionaries.agreeing import Agreeing, endings, pairs
from genderscope.grammar.dictionaries.lexicon import simplemma_lexicon
from genderscope.grammar.dictionaries.vocabulary import vocabulary
from genderscope.grammar.reading import Reading
from genderscope.grammar.speaker import people, qualities
from genderscope.grammar.speaker.agreement import AgreementReader
from genderscope.grammar.speaker.kinds import phrases, words
from genderscope.grammar.speaker.moods import moods
from genderscope.grammar.speaker.noun_genders import FEMININE, MASCULINE, noun_genders
from genderscope.grammar.speaker.settle_french import settle
from genderscope.grammar.speaker.walk_state import Agreement
from genderscope.grammar.traits import (
    ADJECTIVE_F,
    ADJECTIVE_M,
    FEELING,
    FUNCTION,
    INFINITIVE,
    LEAVES,
    LIKES,
    MAKES,
    PROMISES,
    RESTS,
    SAYS,
    WORKS,
)

_ENDINGS = """
    eux/euse eur/euse eur/rice teur/trice f/ve er/ère el/elle eil/eille en/enne on/onne et/ète et/ette c/que c/che
    ou/olle eau/elle x/sse g/gue s/sse l/lle n/gne"""

FORMS = Agreeing(
    pairs=pairs("/e " + _ENDINGS),
    participles=pairs("é/ée i/ie u/ue s/se t/te û/ue"),
    infinitives=endings("er ir ïr oir dre tre vre cre pre uire crire lire dire rire"),
    plural=("nt",),
    plural_participles=("és", "ées", "ies", "ues"),
    common=("iste", "aire", "logue", "ble"),
    apart=pairs("if/ive et/ète ien/ienne er/ère eur/euse teur/trice"),
    adverb="ment",
    guesses=(
        (("ment",), FUNCTION),
        (("ant",), INFINITIVE),
        (("é", "eux", "if"), ADJECTIVE_M),
        (("ée", "euse", "ive"), ADJECTIVE_F),
    ),
    verbs=(
        (
            """
            dire répondre demander crier murmurer ajouter expliquer avouer répéter penser commenter
            soupirer admettre affirmer assurer insister chuchoter confier""",
            SAYS,
        ),
        ("promettre jurer devoir", PROMISES),
        (
            """
            vivre aller venir rentrer partir dormir marcher voyager mourir courir sortir nager arriver revenir
            repartir retourner grandir pleurer crier sourire rire danser sauter trembler tomber fuir entrer traîner
            soupirer vieillir répondre""",
            RESTS,
        ),
        ("travailler déguiser faire", WORKS),
        (
            """
            sentir considérer trouver retrouver voir montrer rendre croire tenir imaginer réveiller lever coucher
            endormir avouer révéler découvrir déclarer juger estimer""",
            FEELING,
        ),
        (
            """
            rendre faire laisser trouver considérer croire voir appeler juger estimer garder imaginer élire nommer
            vouloir préférer surprendre traiter""",
            MAKES,
        ),
        (
            """
            plaire importer arriver ennuyer gêner intéresser coûter réjouir attrister fasciner inquiéter rassurer
            déranger""",
            LIKES,
        ),
        ("laisser voir trouver retrouver", LEAVES),
    ),
)

WORDS = words(
    i="je j'",
    me="me m'",
    me_stressed="moi",
    am="""
    suis étais serai serais fus fusse sois parais paraissais semble semblais reste restais resterai resterais restai
    demeure demeurais deviens devenais deviendrai deviendrais devins
    redeviens redevenais redeviendrai""",
    is_="est était sera serait fut soit es semblait",
    are="sont étaient seront seraient furent soient sommes êtes étions étiez",
    have="ai avais aurai aurais eus aie",
    has="a avait aura aurait eut ait as avons avez avions aviez ayons",
    have_they="ont avaient auront auraient aient",
    feel="""
    sens sentais sentirai sentirais sentis considère considérais trouve trouvais retrouve retrouvais vois voyais
    montre montrais rends rendais crois croyais tiens tenais fais faisais""",
    rest="""
    finis finirai finirais finissais vis vivais vais allais viens venais rentre rentrais pars partais dors dormais
    marche marchais voyage voyageais mourrai cours courais sors sortais nage passe passais arrive arrivais""",
    makes="""
    voie dit disait rend rendait fait faisait laisse laissait trouve considère croit voit appelle rendrait ferait
    fera rendra fit""",
    make_they="""
    rendent rendaient font faisaient laissent trouvent considèrent croient disent voient voyaient appellent""",
    likes="plaît plaisait plairait importe arrive ennuie gêne",
    to_be="être rester devenir redevenir sembler paraître demeurer étant restant devenant",
    to_feel="sentir retrouver considérer montrer rendre tenir voir trouver croire sentant",
    to_make="rendre laisser faire",
    to_rest="""
    finir vivre aller venir rentrer partir dormir marcher voyager mourir sortir courir nager voyageant arriver""",
    to_have="avoir ayant",
    to_do="boire croire plaire taire essaie",
    been="été redevenu redevenue",
    felt="senti sentie trouvé trouvée retrouvé retrouvée montré montrée considéré considérée rendu rendue",
    leave="laisser laissé laisse laissée laissais vu vue vois voyais trouvé trouvée trouve retrouvé retrouvée",
    made="""
    rendu rendue fait faite laissé laissée trouvé considéré appelé vu vue trouvée considérée appelée jugé jugée élu
    élue nommé nommée gardé gardée""",
    rested="fini marché vécu dormi voyagé couru nagé passé",
    given="""
    dit donné demandé parlé fallu semblé plu permis appris montré offert envoyé fait conseillé proposé interdit
    répondu raconté expliqué souri manqué suffi coûté valu apporté posé pris arrivé promis prêté rappelé reproché
    servi volé présenté vendu acheté accordé ouvert laissé resté paru redonné confié refusé ordonné indiqué procuré""",
    given_myself="dit demandé permis parlé fait plu promis juré rappelé donné offert acheté imaginé souri succédé",
    alone_m="seul",
    alone_f="seule",
    a_m="un",
    a_f="une",
    the="l'",
    the_m="le",
    the_f="la",
    that_one_m="celui",
    that_one_f="celle",
    clitic="le la l' les",
    my="""
    mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs ce cet cette ces chaque quelque quelques
    plusieurs aucun aucune deux trois quatre cinq les tout toute tous toutes certains certaines quel quelle autre
    autres""",
    most="plus moins",
    best="meilleur meilleure pire",
    degree="peu tantinet",
    he="il elle on tu nous vous c' ça cela qui quelqu' rien chacun s' se",
    they="ils elles",
    that="que qu' dont où",
    when="""
    parce quand lorsque lorsqu' puisque puisqu' car donc alors afin quoique jusqu' sinon pourquoi comment combien""",
    if_or_so="si",
    and_="et mais ou ni or",
    of="""
    de d' du des au aux à dans avec sans par sur sous entre vers chez contre depuis dès avant après pendant malgré
    selon devant derrière près loin envers parmi hors""",
    of_or_clitic="en",
    as_="comme",
    adverb="""
    ne n' pas très trop assez aussi toujours jamais encore déjà plutôt vraiment souvent parfois bien mal mieux tant
    autant presque peut ici là hier demain aujourd' hui maintenant puis ensuite enfin tard tôt ensemble même mêmes y
    t' non oui juste seulement beaucoup tellement totalement guère point cependant pourtant désormais fois peut-être
    tantôt quasi""",
    impersonal="clair certain évident nécessaire vrai juste étrange normal",
    thing="""
    sale propre cassé cassée fermé fermée ouvert ouverte cher chère long longue dur dure frais fraîche ennuyeux
    ennuyeuse dangereux dangereuse risqué risquée bon beau""",
    prenominal="""
    bon bonne mauvais mauvaise beau belle grand grande petit petite vrai vraie nouveau nouvelle vieux vieille gros
    grosse premier première dernier dernière excellent excellente simple pauvre fidèle gentil gentille parfait
    parfaite véritable piètre""",
    m=qualities.MEN["fr"]
    + " "
    + """
    cuisinier infirmier caissier couturier fermier banquier romancier ouvrier écolier héritier dû pu dur né meilleur
    bon beau nouveau vieux fou doux long gentil bel favori exclu inclus confus fier cher prêt nu jaloux inquiet""",
    f=qualities.WOMEN["fr"]
    + " "
    + """
    cuisinière infirmière caissière couturière fermière banquière romancière ouvrière écolière héritière dure née
    meilleure bonne belle nouvelle vieille folle douce longue gentille favorite exclue incluse confuse fière chère
    prête nue jalouse inquiète""",
    adverbial="fort bas haut dur droit juste clair court",
    noun="""
    chéri chérie compte cause faim peur envie besoin soif raison tort honte hâte fin main tête vie maison porte""",
    anyone="""
    pilier cœur moteur cerveau soutien épaule soleil rayon lumière joie roc
    personne victime bête star vedette créature recrue génie ange monstre sujet individu être désastre exemple
    modèle membre danger phénomène talent problème diable trésor amour obstacle livre cas animal idole célébrité
    figure tête force autorité cible fardeau poids témoin machine catastrophe merveille charge âme type""",
    title="""
    leader enfant agent détective policier médecin professeur ingénieur chef ministre maire juge pilote soldat
    capitaine général pompier écrivain auteur docteur témoin mannequin cadre président mineur entrepreneur
    successeur sculpteur peintre""",
    man=people.MEN["fr"]
    + "homme père mari papa frère fils monsieur oncle mâle roi héros prince époux veuf gars mec garçon copain",
    woman=people.WOMEN["fr"]
    + """
    femme mère épouse maman sœur soeur fille dame tante femelle reine héroïne princesse veuve copine demoiselle
    ménagère""",
    child_m="garçon",
    child_f="fillette",
    common="""
    artiste journaliste pianiste dentiste athlète féministe optimiste pessimiste réaliste perfectionniste égoïste
    adulte élève collègue fan pdg ceo manager secrétaire bibliothécaire propriétaire partenaire responsable
    architecte psychologue spécialiste économiste analyste scientifique rebelle imbécile stratège interprète
    célibataire gosse pro guide novice adepte coach jeune""",
    dear="cher chère",
    to_her="lui leur",
    for_="pour",
    also_m=qualities.MEN_TOO["fr"],
    also_f=qualities.WOMEN_TOO["fr"],
    mood="ivre",
    work="travaille",
    says="dit disait répondit demanda cria murmura ajouta expliqua avoua répétait répond",
    **moods("fr"),
)

NOUNS = noun_genders(
    "le un du au ce cet",
    "la une ma ta sa cette",
    "les des mes tes ses ces nos vos leurs aux deux trois plusieurs quelques",
    ("problème système programme musée lycée silence", MASCULINE),
    ("tion sion té ette ence ance ure esse ie ée ine ille euse trice", FEMININE),
    ("age ment eau oir eur isme al el in ard et o", MASCULINE),
)

SPANS = frozenset(
    endings("""
    après-midi midi soir soirée nuit matin matinée jour journée jours semaine semaines mois an ans année
    années heure heures minutes été hiver vie vacances enfance lundi mardi mercredi jeudi vendredi samedi
    dimanche weekend week-end""")
)

ADVERBS = phrases(
    """
    du tout, tout à fait, au moins, en fait, à peine, en réalité, de nouveau, d' habitude, en général, tout de
    suite, bien sûr, en ce moment, à nouveau, au début, en effet, du coup, au fond, quand même, peut être,
    tout le temps, un jour, de plus en plus, sans doute, depuis toujours, à la fois, tout simplement, en plus, à l'
    époque, ce matin, ce soir, cette nuit, là bas, rendu compte, bien être, face à face, de
    nature, par nature, le genre de, le type de, ce genre de, un genre de, une fois"""
)
ROLES = phrases("en tant que, en tant qu', en ma qualité de, en qualité de, dans mon rôle de")


def reader() -> Callable[[str], Reading]:
    """The function that reads a French text."""
    lexicon = simplemma_lexicon("fr", "fr", FORMS)
    grammar = Agreement(
        pro_drop=False,
        with_object=("masculine", "feminine"),
        reflexive_object=True,
        never_first=("ant",),
        adverbs=ADVERBS,
        spans=SPANS,
        spends=endings("pass"),
        roles=ROLES,
        nouns=NOUNS._replace(
            times=frozenset(["journée", "soirée", "nuit", "matinée", "vie", "semaine", "enfance", "jeunesse"])
        ),
        always=frozenset(["toujours"]),
        whole_f=frozenset({"toute"}),
        whole_m=frozenset({"tout"}),
        mine=frozenset(["mon", "ma"]),
        those=frozenset({"celles"}),
        professions=endings("euse trice ière iste logue graphe ier eur ien ienne"),
    )
    return AgreementReader(vocabulary(WORDS, lexicon.traits, FORMS.guesses), grammar, settle).read
