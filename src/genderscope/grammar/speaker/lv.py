"""Latvian: būt and verbs like it with adjectives and participles, half-participles, pats/pati, viens/viena."""

from __future__ import annotations

from collections.abc import Callable

from genderscope.grammar.dictionaries.agreeing import Agreeing, endings, pairs
from genderscope.grammar.dictionaries.lexicon import simplemma_lexicon
from genderscope.grammar.dictionaries.vocabulary import vocabulary, without_prefix
from genderscope.grammar.reading import Reading
from genderscope.grammar.speaker.agreement import AgreementReader
from genderscope.grammar.speaker.kinds import phrases, words
from genderscope.grammar.speaker.settle_baltic import take_wholly
from genderscope.grammar.speaker.walk_state import Agreement
from genderscope.grammar.text import Token
from genderscope.grammar.traits import (
    ADJECTIVE_F,
    ADJECTIVE_M,
    FUNCTION,
    INFINITIVE,
    KNOWN,
    LEAVES,
    MAYBE,
    NOUN,
    OBLIQUE_F,
    OBLIQUE_M,
    PAST_M,
    PRESENT,
    RESTS,
    SIDE_F,
    SIDE_M,
)

FORMS = Agreeing(
    pairs=pairs("s/a š/a is/usi ies/usies is/e s/e ks/ce ājs/āja"),
    participles=pairs("ts/ta is/usi ies/usies ams/ama āms/āma ošs/oša"),
    sure=pairs(
        "ējis/ējusi ījis/ījusi ājis/ājusi āks/āka ākais/ākā ēts/ēta īts/īta āts/āta tājs/tāja"
        " nieks/niece ists/iste tors/tore ārsts/ārste eits/eite ekts/ekte ālis/āle"
    ),
    participle_forms=pairs(
        "ājis/ājusi ējis/ējusi ījis/ījusi āts/āta ēts/ēta īts/īta ots/ota ies/usies is/usi ams/ama āms/āma"
        " ošs/oša gts/gta kts/kta pts/pta rts/rta lts/lta mts/mta nts/nta ts/#"
    ),
    guess_known=True,
    side=pairs("dams/dama damies/damās"),
    adjective=endings("ais ajiem ajam āks āka āk āki is"),
    likely=endings("īgs īvs āls isks ents ants ots ts jis jš šs šš uls ozs bls ējs ors ērs ārs eris ogs ists kts rsts"),
    oblique=pairs("am/ai im/ei"),
    apart=pairs("s/a is/e s/e ks/ce ājs/āja"),
    infinitives=("t", "ties"),
    first=("u", "os"),
    doubtful=("oties", "amies", "āmies"),
    guesses=(
        (("dams", "damies"), SIDE_M),
        (("dama", "damās"), SIDE_F),
        (("oties", "jot", "ot", "ods"), FUNCTION),
        (("juties",), ADJECTIVE_M | PAST_M),
        (("ties",), INFINITIVE),
        (
            ("āšos", "ēšos", "īšos", "āšu", "ēšu", "īšu", "ējos", "ījos", "ājos", "ojos", "ēju", "īju", "āju", "oju"),
            PRESENT,
        ),
        (endings("nieci isti enti anti ori āri eiti ārsti istri ieni"), OBLIQUE_F),
        (endings("nieku istu entu antu oru āru eitu ārstu istru"), OBLIQUE_M),
        (("am", "im"), OBLIQUE_M),
        (("ai",), OBLIQUE_F),
        (
            endings(
                "tājs ējs mis nis bis pis jis cis sis vis dis eris ālis ķis jies ries lies vies nies dies bies"
                " pies cies gies ts ds ns rs ls ks gs ms"
                " vs bs ps zs jš šš šs ļš ais"
            ),
            ADJECTIVE_M,
        ),
        (
            endings(
                "usi usies tāja ēta īta āta īga āka iska ota ākā īva āla enta anta ula oza bla ama āma"
                " rīga lna ksta pta lta mta gta sla kta uļa āra āle eite ārste devēja cepēja uvēja aucēja ējēja"
                " ircēja ucēja audzēja āvēja nesēja sēja aina auta oša aiga išķa ere āre ore niece iste ante"
                " ente oģe iķe"
            ),
            ADJECTIVE_F,
        ),
        (("u", "os"), MAYBE),
    ),
    verbs=(
        ("atstāt redzēt ieraudzīt atrast", LEAVES),
        (
            """
            dzīvot iet braukt gulēt ceļot staigāt doties atgriezties nākt atnākt pārnākt aizbraukt atbraukt aiziet
            izaugt uzaugt augt mirt nomirt sēdēt stāvēt skriet pamosties mosties piecelties celties gaidīt raudāt
            aizmigt krist piedzimt ierasties apsēsties apgulties klīst""",
            RESTS,
        ),
    ),
)

WORDS = words(
    i="es",
    me="man mani manis manī",
    am="""
    nešķietu nejutīšos nepalieku esmu neesmu biju nebiju būšu nebūšu jūtos nejūtos jutos nejutos jutīšos kļūstu
    kļuvu nekļuvu kļūšu paliku palieku palikšu nepaliku tieku tiku tikšu netiku izskatos izskatījos neizskatos
    šķietu šķitu likos liekos izskatīšos tapu izrādījos piedzimu topu sajutos""",
    am_or_is="neizskatītos nejustos nekļūtu nepaliktu netiktu būtu nebūtu kļūtu justos paliktu tiktu izskatītos esot",
    is_="ir nav bija nebija būs kļuva kļūst jūtas jutās palika paliek tika tiek",
    to_be="jābūt būt nebūt kļūt justies palikt tikt izskatīties",
    to_rest="dzīvot iet braukt gulēt ceļot strādāt staigāt doties atgriezties",
    do="""
    ienīstu mīlu gribu varu nolēmu mēģinu skatos ģērbjos apģērbos skujos piecēlos dziedu cienu apskaužu nobijos
    paslēpos slēpju pateicos kaunos uztraucos pārsteidzos pametu pabeidzu izšķīros saslimu metos vēlos gribētu raudu""",
    rest="""
    dzīvoju eju gāju braucu guļu gulēju ceļoju strādāju staigāju dodos devos atgriežos atgriezos nāku nācu atnācu
    aizgāju izaugu uzaugu mirstu peldu finišēju pavadīju pavadu ierados ierodos""",
    makes="""
    dara darīja padara padarīja liek lika ievēlēja iecēla nosauca ievēl atzina pasludināja dēvē uzskata uzskatīja
    sauc sauca atstāj atstāja padarītu""",
    been="bijis bijusi kļuvis kļuvusi palicis palikusi juties jutusies",
    likes="vajag vajadzēja patīk patika patiktu nepatīk nepatika",
    leave="atstāt atstāju redzēju redzu ieraudzīju atradu",
    alone_m="pats viens vienam pašam pirmais pēdējais vienīgais",
    alone_f="pati viena vienai pašai pirmā pēdējā vienīgā",
    my="mans mana tavs tava savs sava viņa viņas viņu mūsu jūsu šis šī tas katrs katra viss visa cits cita savu manu",
    m="tāds otrais trešais ceturtais citāds pieņēmies sapratis spiests garš vientuļš izsalcis cietis",
    f="otrā trešā ceturtā pamesta atlaista skopa citāda svētā tāda sapratusi spiesta cietusi",
    much="nekāds nekāda",
    he="viņš viņa tu mēs jūs kas neviens tas ko kurā kurai kurus",
    they="viņi",
    that_m="kurš",
    that_f="kura",
    that="kuri kuras kuru kuram",
    when="ka kad jo ja lai kamēr kur kāpēc tāpēc tādēļ vai tiklīdz līdzko nekā",
    and_="un bet nevis taču tomēr nedz",
    of_or_as="par",
    of="uz no ar bez pie pa pēc pirms līdz starp virs zem aiz pret caur pār kopš dēļ gar labad",
    as_="kā",
    adverb="""
    ne visu ļoti vienmēr nekad bieži dažreiz vēl jau kādreiz jebkad tik tikai pat pārāk diezgan pietiekami pilnīgi
    patiešām tiešām vienkārši šeit tur tagad šodien vakar rīt tad atkal gandrīz varbūt īpaši neticami daudz maz
    nedaudz labāk sliktāk vairāk mazāk mājās kopā uzreiz ātri pastāvīgi labi slikti arī gan nu taisni tikpat kaut
    vispirms vairs mums fiziski finansiāli emocionāli dabiski ārkārtīgi absolūti it nemaz protams galā garām ikreiz
    dienu pavisam vēlu agri agrāk vēlāk nesen reiz reizēm dažkārt reti ikdienā būtībā vismaz tikko psiholoģiski
    garīgi seksuāli pārmērīgi krietni mazliet visur citur augšup atpakaļ pretī priekšā aizmugurē savukārt mīļuprāt
    labprāt beidzot šķiet liekas drusku pēkšņi sen mūžīgi parasti diemžēl laikam droši vien gluži tātad iekšēji
    ārēji šausmīgi briesmīgi nekur ārā iekšā blakus acīmredzot tāpat turklāt skaļi klusi lēni maigi sirsnīgi
    nopietni viegli smagi apkārt dziļi skaidri citādi ilgi īsi stipri mierīgi godīgi atklāti vienlaikus vienlaicīgi
    atsevišķi pamazām""",
    how="cik",
    what_m="kāds",
    what_f="kāda",
    mood="""
    apģērbies apģērbusies tāds tāda pārliecināts pārliecināta apņēmies apņēmusies gatavs gatava noguris nogurusi
    piedzēries piedzērusies kails kaila ģērbies ģērbusies nobijies nobijusies lepns lepna vīlies vīlusies satraukts
    satraukta iemīlējies iemīlējusies apmulsis apmulsusi pārsteigts pārsteigta pārguris pārgurusi noraizējies
    noraizējusies dusmīgs dusmīga laimīgs laimīga skumjš skumja izsalcis izsalkusi apmierināts apmierināta mierīgs
    mierīga nokaunējies nokaunējusies slapjš slapja slims slima""",
    noun="asinis pusi sev sevi sevis laiks darbs reize daļa bailes diena",
    anyone="""
    paraugs avots iemiesojums mājdzīvnieks cilvēks persona personība upuris zvaigzne ģēnijs eņģelis briesmonis
    piemērs modelis loceklis drauds talants problēma dārgums šķērslis grāmata gadījums dzīvnieks elks figūra spēks
    autoritāte mērķis nasta tips būtne bērns daļa galva dvēsele pretstats pretmets balsts atbalsts kopija""",
    title="ministrs ģenerālis kapteinis detektīvs",
    man="vīrietis tēvs brālis dēls kungs vectēvs onkulis karalis princis zēns puika tētis puisis vīrs atraitnis",
    friend_m="karavīrs vecpuisis draugs kaimiņš kolēģis",
    woman="""
    sieviete māte meita kundze vecmāmiņa tante karaliene princese meitene mamma sieva atraitne draudzene kalpone
    vecmeita līgava pensionāre kaimiņiene kolēģe pavāre aktrise sekretāre modele medmāsa māsa""",
    oblique_f="medmāsu māsu māti sievu aktrisi sievieti meitu draudzeni vecmāmiņu saimnieci mājsaimnieci skolnieci",
    oblique_m="vīrieti tēvu brāli puisi kungu",
    child_m="mazs",
    child_f="maza",
    impersonal="cerams zināms saprotams iespējams vajadzīgs skaidrs redzams dzirdams domājams jādomā",
    dear="mīļā mīļais dārgā dārgais",
    also_m="apģērbies apņēmies piedzēries ģērbies vīlies pārguris",
    also_f="skumja",
    to_them="viņam viņai viņiem jums",
)

ADVERBS = phrases(
    """
    ne tikai, pēc tam, it kā, tā kā, kaut arī, lai gan, visu laiku, visu mūžu, no jauna, patiesi, katru dienu, kaut
    kā"""
)


def reader() -> Callable[[str], Reading]:
    """The function that reads a Latvian text."""
    lexicon = _with_participles(without_prefix(("ne", "vis"), simplemma_lexicon("lv", "lv", FORMS).traits))
    grammar = Agreement(
        noun_first=False,
        leaning=False,
        reflexive_me=False,
        before_verb=True,
        drops_copula=True,
        cases=True,
        verbal=("is", "usi", "ies", "usies"),
        only_first=endings("usi usies jis jies ota ots auta auts āta āts ēta ēts īta īts"),
        elsewhere=endings("ā ē ī ū os ās ēs īs ām ēm iem am im ai ei"),
        nominatives=endings("is us ts ds ns rs ls ks gs ms vs bs ps js š a e"),
        depictive=endings(
            "īgs īga āls āla isks iska ots ota ēts ēta īts īta āts āta ošs oša ams ama āms āma īvs īva šs"
        ),
        genitives=endings("a as es u us"),
        adverbs=ADVERBS,
    )
    return AgreementReader(vocabulary(WORDS, lexicon, FORMS.guesses), grammar, _settle).read


def _settle(tokens: list[Token]) -> list[Token]:
    """Take "tas" and "tā" for "the one" before a relative clause (esmu tā, kas …); elsewhere they are "that", "so"."""
    for index, token in enumerate(tokens[:-2]):
        if token.key in ("viss", "visa"):
            take_wholly(tokens, index)
        if token.key in ("tas", "tā") and tokens[index + 1].word == "," and tokens[index + 2].key in _WHO:
            tokens[index] = token._replace(traits=ADJECTIVE_M if token.key == "tas" else ADJECTIVE_F)
    return tokens


_WHO = frozenset(["kas", "ko", "kam", "kurš", "kura", "kuru", "kuram", "kurai"])


_PREFIXES = endings("aiz ap at ie iz no pa pār pie sa uz")
_NO_PARTICIPLES = frozenset(["pavasaris", "pavadonis", "aizstāvis"])


def _with_participles(lexicon: Callable[[str], int]) -> Callable[[str], int]:
    """A dictionary that knows the masculine participle of prefixed verbs (aizmirsis), which it may take for a noun."""

    def traits_of(form: str) -> int:
        traits = lexicon(form)
        if traits in (0, NOUN, KNOWN) and form.endswith("is") and form.startswith(_PREFIXES) and len(form) > 6:
            return traits if form in _NO_PARTICIPLES else ADJECTIVE_M | PAST_M
        return traits

    return traits_of
