"""Italian: essere with participles and adjectives, reflexives, da sola, una leader; not avere with its participle."""

from __future__ import annotations

from collections.abc import Callable

from genderscope.grammar.dictionaries.agreeing import Agreeing, endings, pairs
from genderscope.grammar.dictionaries.lexicon import simplemma_lexicon
from genderscope.grammar.dictionaries.vocabulary import vocabulary
from genderscope.grammar.reading import Reading
from genderscope.grammar.speaker import people, qualities
from genderscope.grammar.speaker.agreement import AgreementReader
from genderscope.grammar.speaker.enclitics import with_enclitics
from genderscope.grammar.speaker.kinds import phrases, words
from genderscope.grammar.speaker.moods import moods
from genderscope.grammar.speaker.noun_genders import FEMININE, MASCULINE, UNKNOWN, noun_genders
from genderscope.grammar.speaker.walk_state import Agreement
from genderscope.grammar.text import Token
from genderscope.grammar.traits import (
    ADJECTIVE_F,
    ADJECTIVE_M,
    FEELING,
    FINITE,
    FUNCTION,
    INFINITIVE,
    LEAVES,
    LIKES,
    MAKES,
    OBJECT,
    PROMISES,
    RESTS,
    SAYS,
    WORKS,
)

_LEAVES = "lasciare vedere trovare incontrare"

FORMS = Agreeing(
    pairs=pairs("o/a tore/trice e/a e/essa /essa one/ona"),
    participles=pairs("ato/ata uto/uta ito/ita so/sa to/ta"),
    infinitives=endings("are ere ire rsi urre orre arre"),
    first=endings("o avo evo ivo ai ei ii etti rò rei issi essi cqui bbi isi osi usi nni"),
    either=("ssi",),
    plural=("no",),
    gerunds=("ando", "endo"),
    plural_participles=("ati", "ate", "uti", "ute", "iti", "ite"),
    sure=pairs("issimo/issima ologo/ologa tore/trice iere/iera"),
    common=("ista", "ante", "ente"),
    adverb="mente",
    guesses=(
        (("mente",), FUNCTION),
        (endings("ndo armi ermi irmi arsi ersi irsi arlo arla erlo erla irlo"), INFINITIVE),
        (endings("ato uto ito oso ivo issimo ario ico esso osto"), ADJECTIVE_M),
        (endings("ata uta ita osa iva issima aria ica essa osta"), ADJECTIVE_F),
    ),
    verbs=(
        (
            """
            dire rispondere chiedere domandare gridare esclamare sussurrare mormorare aggiungere
            spiegare confessare ripetere pensare commentare sospirare ammettere affermare assicurare
            insistere""",
            SAYS,
        ),
        ("promettere giurare dovere", PROMISES),
        (
            """
            vivere andare tornare arrivare partire uscire camminare morire nascere dormire viaggiare crescere
            nuotare rientrare fuggire scappare piangere gridare sorridere ridere ballare saltare tremare cadere
            passeggiare entrare sospirare invecchiare rispondere ritornare""",
            RESTS,
        ),
        ("lavorare travestire vestire fungere fare", WORKS),
        (
            """
            sentire considerare ritenere vedere trovare credere mantenere definire mostrare dimostrare rendere
            rivelare scoprire immaginare dichiarare reputare giudicare ritrovare confessare""",
            FEELING,
        ),
        (
            """
            rendere fare lasciare volere considerare ritenere trovare credere vedere chiamare definire nominare
            eleggere preferire immaginare reputare giudicare mantenere sorprendere trattare""",
            MAKES,
        ),
        ("piacere interessare importare costare dispiacere seccare pesare bastare", LIKES),
        (_LEAVES, LEAVES),
    ),
)

WORDS = words(
    i="io",
    me="mi m'",
    me_stressed="me",
    am="""
    sono ero sarò sarei fui fossi divento diventavo diventerò diventerei diventai diventassi resto restavo resterò
    rimango rimanevo rimarrò rimasi restai sembro sembravo appaio risulto sto stavo starò starei stetti vengo venivo
    verrò verrei venni""",
    is_or_am="sia",
    is_="sei è era sarà sarebbe fu fosse sembra diventa continua viene",
    are="erano furono saranno sarebbero fossero siano",
    have="ho avevo avrò avrei ebbi avessi abbia",
    has="ha aveva avrà avrebbe avesse hai abbiamo avete avevi avevamo avevate",
    have_they="hanno avevano avranno avrebbero avessero abbiano",
    do="""
    prendo vendo attendo difendo comprendo intendo scendo spendo offendo pretendo tendo dipendo mando domando ando
    apprendo posso possa""",
    feel="""
    sento sentivo sentii sentirò sentirei considero consideravo ritengo ritenevo vedo vedevo trovo trovavo credevo
    mantengo definisco mostro dimostro faccio rendo rivelo scopro""",
    rest="""
    finisco finivo finirò finirei finii passo passai vivo vado torno arrivo parto esco cammino muoio nasco dormo
    viaggio cresco vivevo andavo tornavo andrei nuoto nuotavo uscivo""",
    makes="""
    rende fa lascia rendeva faceva fece rese vuole considera ritiene trova crede vede chiama definisce renderebbe
    renderà farà farebbe rendesse facesse colse coglie""",
    make_they="""
    rendono fanno lasciano rendevano facevano vogliono considerano ritengono trovano credono vedono chiamano
    consideravano ritenevano trovavano credevano vedevano chiamavano definiscono""",
    to_be="""
    essere esser diventare restare rimanere sembrare stare divenire risultare apparire essendo diventando restando
    rimanendo venire""",
    to_be_myself="""
    sentirmi essermi considerarmi definirmi ritenermi vedermi trovarmi farmi rendermi mostrarmi tenermi sentendomi
    essendomi mantenermi dimostrarmi credermi rivelarmi trovandomi vedendomi""",
    to_have="aver avendo",
    to_feel="sentire",
    to_make="sentire sentirsi rendere",
    to_rest="""
    finire vivere andare tornare uscire dormire viaggiare camminare partire morire crescere lavorare cenare""",
    leave="lasciare lascio lasciato lasciata lasciavo lasciai visto vista trovato trovata vedo vidi trovo trovai",
    made="""
    fatto reso lasciato considerato chiamato ritenuto trovato fatta resa lasciata considerata chiamata visto trovata
    vista eletto eletta nominato nominata colto colta""",
    rested="passato trascorso nuotato vissuto camminato dormito viaggiato lavorato cenato",
    given="detto chiesto dato mostrato insegnato permesso regalato",
    only_m="solo",
    alone_f="sola",
    self_m="stesso",
    self_f="stessa",
    a_m="un uno",
    a_f="una un'",
    the="l'",
    the_m="il lo",
    the_f="la",
    that_one_m="quello quel colui",
    that_one_f="quella colei",
    clitic="lo la l' li glielo gliela glieli gliele",
    my="""
    mio mia miei mie tuo tua suo sua nostro nostra vostro vostra tuoi suoi tue sue nostri nostre questo questa
    quest' quell' quei quegli quelle quelli questi queste ogni qualche alcuni alcune molti molte tanti tante pochi
    poche troppi troppe tutti tutte due tre quattro cinque i dei delle degli altri altre tanta molta poca troppa
    nessun nessuna altro altra alcun alcuna tutta quanta qualsiasi qualunque sei sette otto nove dieci quindici
    venti trenta quaranta cinquanta cento""",
    much="molto poco troppo tanto",
    most="più meno",
    best="migliore peggiore maggiore minore primo",
    degree="po poco tantino",
    he="lui lei egli ella esso tu voi noi chi qualcuno nessuno ognuno si",
    they="essi esse loro",
    that="che cui quale quali",
    when="""
    perché quando mentre se dove siccome poiché finché affinché sebbene benché nonostante anziché quindi cosicché
    dopodiché qualora laddove purché""",
    and_="e ed ma o oppure né però anzi bensì eppure",
    of="""
    di a ad in con su tra fra senza sotto sopra verso dentro fuori contro dopo durante oltre presso fino d' del
    dello della dell' al allo alla all' nel nello nella nell' col sul sullo sulla sull' ai agli alle nei negli nelle
    sui sugli sulle dal dallo dalla dall' dai dagli dalle tramite grazie davanti dietro accanto vicino""",
    as_="come",
    as_or_of="da",
    how="quanto",
    adverb="""
    non così abbastanza davvero proprio anche sempre mai già ancora ormai quasi piuttosto parecchio assai alquanto
    pure perfino persino addirittura adesso ora oggi ieri domani qui qua lì là spesso subito presto tardi insieme
    forse magari ne ci vi ti c' v' n' t' s' bene male meglio peggio appena poi allora infine inoltre comunque invece
    almeno circa tutto nemmeno neanche neppure soltanto solamente ben dunque perciò altrettanto affatto prima anch'
    senior junior pur seppur""",
    likes="piace piaceva piacerebbe piacque interessa",
    thing="""
    sporco pulito pulita rotto rotta chiuso chiusa aperto aperta caro cara lungo lunga duro dura difficile buono""",
    become="trasformo trasformai",
    to_become="trasformarmi",
    impersonal="chiaro certo vero giusto necessario ovvio bello strano opportuno meglio freddo buio caldo nuvoloso",
    prenominal="""
    buono buona buon bravo brava bello bella bel vero vera nuovo nuova vecchio vecchia piccolo piccola cattivo
    cattiva ottimo ottima pessimo pessima caro cara primo ultimo ultima unico unica povero povera""",
    adverbial="""
    duro piano forte chiaro veloce lontano vicino alto basso sodo sano primo lento profondo leggero storto""",
    also_m=qualities.MEN_TOO["it"] + " " + "ultimo stufo visto",
    m=qualities.MEN["it"] + " " + "infermiere cameriere parrucchiere ragioniere",
    also_f=qualities.WOMEN_TOO["it"] + " " + "ultima stufa vista",
    anyone="""
    pilastro cuore motore cervello sostegno appoggio spalla sole raggio luce gioia
    persona vittima guida spia sentinella recluta matricola creatura celebrità star stella bestia belva frana
    schiappa roccia macchina forza bomba promessa autorità figura anima testa vergogna delusione peste genio angelo
    mostro soggetto individuo essere disastro tipo esempio modello punto membro peso pericolo fenomeno talento
    problema diavolo tesoro amore ostacolo libro capro caso animale bersaglio idolo persone""",
    title="""
    capo medico avvocato ingegnere architetto ministro sindaco presidente giudice notaio chirurgo soldato poliziotto
    meccanico idraulico muratore capitano generale funzionario critico mentore direttore""",
    man=people.MEN["it"]
    + """
    uomo ragazzo padre marito papà fratello figlio signore nonno zio maschio re eroe principe fidanzato sposo vedovo
    scapolo gentiluomo""",
    child_m="bambino ragazzo ragazzino",
    child_f="bambina ragazza ragazzina",
    small="piccolo piccola",
    woman=people.WOMEN["it"]
    + """
    donna ragazza madre moglie mamma sorella figlia signora nonna zia femmina regina eroina principessa fidanzata
    sposa vedova casalinga signorina presidentessa dottoressa professoressa studentessa poetessa""",
    common="""
    leader manager artista musicista pianista giornalista dirigente insegnante cantante atleta barista femminista
    ottimista pessimista realista perfezionista egoista altruista professionista dilettante adolescente assistente
    agente amante comandante rappresentante partecipante principiante credente collega fan ceo boss pediatra
    psichiatra ribelle giovane responsabile consulente docente negoziante commerciante tennista regista specialista
    analista economista dentista autista pilota stilista estetista combattente vincente perdente concorrente
    intellettuale cliente paziente preside interprete""",
    dear="caro cara tranquillo tranquilla",
    him="lo",
    noun="conto casa",
    to_her="le gli",
    for_="per",
    f=qualities.WOMEN["it"],
    work="lavoro",
    says="disse dice diceva rispose chiese domandò gridò esclamò sussurrò aggiunse spiegò confessò ripeteva",
    **moods("it"),
)

NOUNS = noun_genders(
    """
    il lo un uno del dello al allo nel nello dal dallo sul sullo col questo quel quello mio tuo suo nostro altro ogni
    nessun""",
    "la una della alla nella dalla sulla questa quella mia tua sua nostra altra nessuna",
    """
    i gli le dei degli delle ai agli alle nei negli nelle dai dagli dalle sui sugli sulle miei mie tuoi tue suoi sue
    nostri nostre questi queste altri altre molti molte due tre tutti tutte""",
    ("qualcosa niente nulla", UNKNOWN),
    ("mano foto moto radio", FEMININE),
    ("problema tema sistema clima programma pianeta", MASCULINE),
    ("zione sione tà tù trice a", FEMININE),
    ("o ore ale ile iere", MASCULINE),
)

SPANS = frozenset(
    endings("""
    pomeriggio sera serata notte nottata mattina mattinata giorno giornata giorni settimana settimane mese
    mesi anno anni ora ore minuti estate inverno vita vacanze infanzia lunedì martedì mercoledì giovedì
    venerdì sabato domenica""")
)

ADVERBS = phrases(
    """
    in giro, di solito, di nuovo, per niente, da sempre, in realtà, in fondo, del tutto, a volte, di più, per
    sempre, all' inizio, di recente, in effetti, a lungo, un giorno, una volta, per lo più, senza dubbio, da allora,
    di certo, di sicuro, al momento, per fortuna, ogni tanto, sempre più, fin troppo, tutto sommato, di natura, per
    natura, di carattere, il tipo di, il genere di, un tipo di, quel tipo di"""
)
ROLES = phrases("in quanto, in qualità di, nella mia qualità di, nel ruolo di, nel mio ruolo di, in veste di")


def reader() -> Callable[[str], Reading]:
    """The function that reads an Italian text."""
    lexicon = simplemma_lexicon("it", "it", FORMS)
    grammar = Agreement(
        with_object=("feminine",),
        adverbs=ADVERBS,
        spans=SPANS,
        spends=endings("pass trascor"),
        roles=ROLES,
        nouns=NOUNS._replace(
            times=frozenset(
                ["giornata", "serata", "notte", "sera", "mattinata", "vita", "settimana", "infanzia", "giovinezza"]
            )
        ),
        acts=True,
        always=frozenset(["sempre"]),
        whole_f=frozenset({"tutta"}),
        whole_m=frozenset({"tutto"}),
        mine=frozenset(["mio", "mia"]),
        those=frozenset({"quelle"}),
        very=frozenset(["così", "po", "piuttosto", "davvero"]),
        by_ending=(("o", "masculine"), ("a", "feminine")),
        professions=endings("iera trice ista grafa loga iere tore essa"),
    )
    return AgreementReader(vocabulary(WORDS, lexicon.traits, FORMS.guesses), grammar, _settle).read


_WITH_ME = endings("armi ermi irmi andomi endomi")


def _settle(tokens: list[Token]) -> list[Token]:
    for index, token in enumerate(tokens):
        if token.key.endswith(_WITH_ME) and token.traits & (INFINITIVE | FINITE):
            tokens[index] = token._replace(traits=(token.traits & ~FINITE) | INFINITIVE | OBJECT)  # "assumermi"
    return with_enclitics(tokens, _LEAVES)
