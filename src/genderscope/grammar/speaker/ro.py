"""Romanian: a fi and verbs like it, reflexives, singură, o lideră, cea mai bună; not the participle after a avea."""

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
from genderscope.grammar.speaker.walk_state import Agreement
from genderscope.grammar.text import Token
from genderscope.grammar.traits import (
    ADJECTIVE,
    ADJECTIVE_F,
    ADJECTIVE_M,
    COPULA,
    FEELING,
    FUNCTION,
    INFINITIVE,
    LEAVES,
    LIKES,
    MAKES,
    RESTS,
    SAYS,
    WORKS,
)

_ENDINGS = """
    /ă u/ă esc/ească eț/eață or/oare tor/toare en/ană ent/entă os/oasă ot/oată ior/ioară eg/eagă ed/eadă ean/eancă
    /că ist/istă el/ea ău/ea iu/ie r/ră"""

FORMS = Agreeing(
    pairs=pairs(_ENDINGS),
    participles=pairs("at/ată it/ită ut/ută ât/âtă ns/nsă rs/rsă es/easă us/usă is/isă as/asă"),
    action="re",
    first=tuple("bcdfglmnprsștțvzu"),
    plural=("au",),
    gerunds=("ând",),
    sure=pairs("tor/toare #/ăreasă #/toreasă"),
    women=("ăreasă", "toreasă", "oriță", "ăriță"),
    apart=pairs("/ă /că or/oare"),
    guesses=(
        (("ând", "ind", "indu", "ându"), INFINITIVE),
        (("mente", "ește"), FUNCTION),
        (("at", "it", "ut", "os", "iv", "ic"), ADJECTIVE_M),
        (("toare", "ăreasă", "toreasă", "oriță", "ăriță", "istă"), ADJECTIVE_F),
        (("ată", "ită", "ută", "oasă", "ivă", "ică"), ADJECTIVE_F),
    ),
    verbs=(
        (
            """
            spune zice răspunde întreba striga șopti adăuga explica mărturisi repeta gândi comenta ofta
            recunoaște afirma asigura insista""",
            SAYS,
        ),
        (
            """trăi merge veni pleca dormi călători locui muri crește înota ieși umbla întoarce trezi alerga adormi
            plânge striga zâmbi râde dansa sări tremura cădea fugi scăpa intra ofta îmbătrâni răspunde
            ajunge""",
            RESTS,
        ),
        ("lucra deghiza", WORKS),
        (
            """
    naște simți considera vedea crede găsi menține arăta dovedi declara imagina trezi întoarce descoperi socoti
    recunoaște""",
            FEELING,
        ),
        ("face lăsa considera crede vedea găsi numi ține alege socoti imagina declara vrea prefera", MAKES),
        ("plăcea interesa deranja bucura durea importa", LIKES),
        ("lăsa vedea găsi", LEAVES),
    ),
)

WORDS = words(
    i="eu",
    me="mă m",
    me_stressed="mine",
    am="sunt eram fusei rămân rămâneam par păream devin deveneam ajung ajungeam stau stăteam ies umblu fiu",
    is_="este e era fu va rămâne pare devine ești",
    are="erau suntem sunteți fură vor",
    have="am aș voi oi avusei",
    has="a ai are ar ați vei va",
    have_they="au vor",
    do="""
    știu vreau pot cred vin fac lipsesc cobor joc tac spun prind beau gătesc plătesc urăsc ajut oblig rănesc cert
    eșuez continui leșin roșesc muncesc""",
    feel="""
    simt simțeam consider consideram văd vedeam cred credeam găsesc găseam mențin mențineam fac făceam pun arăt
    simții dovedesc declar""",
    rest="""
    fug râd cad sar dansez trăiesc trăiam merg mergeam vin veneam plec plecam dorm dormeam călătoresc locuiesc
    locuiam mor cresc înot petrec petreceam trec treceam ies ieșeam umblu umblam""",
    makes="face făcea lasă lăsa consideră crede vede găsește numește făcu ține prinse",
    make_they="considerau credeau vedeau făceau",
    likes="place plăcea plăcut interesează deranjează",
    to_have_been="fi",
    to_be="rămâne deveni părea fiind rămânând devenind ajunge sta",
    to_feel="simți considera vedea simțindu menține face arăta",
    to_rest="trăi merge veni pleca dormi călători locui lucra ieși muri crește",
    been="fost rămas devenit părut ajuns stat",
    felt="simțit considerat văzut crezut făcut găsit dovedit arătat",
    made="făcut lăsat considerat numit ales văzut găsit prins prinsă aleasă lăsată făcută văzută numită",
    rested="trecut întors trăit mers venit plecat dormit călătorit locuit crescut înotat petrecut ieșit",
    leave="las lăsat lăsa lăsam văzut văd vedeam găsit găsesc găseam",
    alone_m="singur",
    alone_f="singură",
    self_m="însumi",
    self_f="însămi",
    a_m="un",
    a_f="o",
    that_one_m="cel acela",
    that_one_f="cea aceea",
    clitic="o îl le îi i l lui",
    my="""
    sa acest această acești
    aceste acel acea acei acele fiecare vreun vreo niște câțiva câteva mulți multe puțini puține alt altă alți alte
    toți toate două doi trei patru cinci orice oricare câte câți multă puțină al ale niciun nicio tot toată șase
    șapte opt zece douăzeci treizeci""",
    most="mai",
    degree="pic",
    he="el ea tu noi cine cineva nimeni se s își dumneavoastră",
    they="ei ele",
    that="care ce",
    when="că să dacă când unde deoarece fiindcă deși încât căci cât întrucât",
    and_="și dar sau ori însă ci nici iar",
    of="""
    de la în din cu pe pentru prin fără sub spre către după între despre dintr într printr lângă peste contra
    înainte asupra față împotriva până""",
    as_="ca precum",
    adverb="""
    nu foarte prea atât așa destul cam totuși întotdeauna mereu niciodată deja încă aproape poate chiar bine rău
    acum azi ieri mâine aici acolo apoi atunci adesea uneori iarăși doar numai mult puțin extrem odată brusc recent
    deloc mi îmi ți îți ne vă li v n astfel măcar cumva împreună acasă oricum devreme târziu repede extraordinar
    curând abia tocmai vreodată cândva nicicând deodată îndată degrabă laolaltă dinadins vara iarna toamna primăvara
    seara dimineața noaptea ziua mare tare dulce cuminte complet total absolut imediat direct mi-am meu mea mei mele tău
    ta tăi tale său săi sale nostru noastră noștri noastre lor""",
    impersonal="clar evident necesar adevărat drept normal ciudat bine important",
    thing="murdar murdară curat curată închis închisă deschis deschisă scump lung greu ușor bun frumos",
    prenominal="""
    bun bună mare adevărat adevărată nou nouă vechi veche tânăr tânără biet biată prim primă simplu simplă fost
    fostă principala noua vechea buna frumoasa marea mica adevărata""",
    m=qualities.MEN["ro"]
    + " "
    + "deștept primul singurul ultimul bun nou tânăr mândru gol greu prost sigur puternic frumos fericit ud retras",
    f=qualities.WOMEN["ro"]
    + " "
    + """
    deșteaptă prima singura ultima bună nouă tânără mândră goală grea proastă rea sigură puternică frumoasă fericită
    udă retrasă""",
    adverbial="""
    frumos minunat bun greu ușor clar rapid sigur puternic tare profund constant natural perfect excelent serios
    intens ferm corect""",
    noun="gând rând seama grijă parte frică nevoie dor bani",
    anyone="""
    stâlp stâlpul inima sufletul creierul motorul sprijinul umărul soarele raza lumina bucuria
    persoană victimă bestie stea vedetă creatură geniu înger monstru individ dezastru exemplu model membru pericol
    fenomen talent problemă comoară obstacol carte caz animal idol celebritate figură forță autoritate țintă povară
    om tip ființă fire copil persoana""",
    title="""
    medic doctor profesor inginer șef ministru primar judecător pilot soldat căpitan general pompier președinte
    director avocat detectiv student expert partener adolescent orator jucător scriitor interpret martor voluntar
    antrenor furnizor fizician negociator adult profesionist câștigător lider manager cercetător chirurg mecanic
    polițist agent mentor consultant psiholog arhitect ofițer ceo""",
    man="""
    bărbat tată soț frate fiu domn bunic unchi mascul rege erou prinț burlac băiat mire văduv nepot bărbatul tatăl
    soțul fratele fiul băiatul bunicul domnul""",
    woman=people.WOMEN["ro"]
    + """
    femeie mamă soție soră fiică doamnă bunică mătușă regină eroină prințesă fată mireasă văduvă nepoată domnișoară
    gospodină femeia șefa mama soția sora fiica fata bunica doamna președintă președinta directoarea șefă doctoriță""",
    child_m="băiat băiețel băiețaș puști",
    child_f="fetiță fetișcană puștoaică",
    dear="dragă draga dragul drag iubito iubite iubitule",
    him="îl l",
    her_or_it="o",
    done="vrut avut mers dormit murit dat pus întors",
    also_m=qualities.MEN_TOO["ro"],
    also_f=qualities.WOMEN_TOO["ro"],
    mood="gol goală gata mort moartă",
    work="lucrez",
    says="spuse spune spunea zise zice zicea răspunse întrebă strigă șopti adăugă explică mărturisi repeta",
    **moods("ro"),
)

NOUNS = noun_genders(
    "un acest acel alt meu tău său nostru fiecare",
    "o această acea altă mea ta sa noastră",
    "niște mei mele noștri noastre acești aceste alți alte doi două trei toți toate",
    ("tată popă", MASCULINE),
    ("ă a ie are ere ire iune tate ea", FEMININE),
    ("ul b c d f g h j k l m n p r s ș t ț v x z u i", MASCULINE),
)

SPANS = frozenset(
    endings("""
    seara noaptea dimineața ziua zile săptămâna săptămâni luni ani anul ore oră minute vara iarna viața
    vacanța copilăria sâmbăta duminica după-amiaza amiaza""")
)

ADVERBS = phrases(
    """
    de ce, mai degrabă, de obicei, de fapt, de asemenea, de multe ori, în general, din nou, cu adevărat, pe deplin,
    în sfârșit, la fel, tot timpul, din păcate, de tot, din ce în ce, de mult, la început, în cele din urmă, o dată,
    într o zi, cu siguranță, de altfel, atât de, destul de, extrem de, la fel de, cât de, incredibil de, suficient
    de, deosebit de, așa de, foarte de, prea de, nici măcar, în totalitate, pe cât de, de cele mai multe ori, sută
    la sută, un pic, un pic mai, ceva mai, pur și simplu, ultima dată, prima dată, de unul, cât mai, cât se poate
    de, mult prea, mult mai, tot mai, oricât de, nici pe departe, pe zi ce trece, tot atât de, din fire, de felul
    meu, genul de, tipul de, genul acela de, un fel de, un soi de"""
)
ROLES = phrases("în calitate de, în rolul de, în rol de, în postura de, pe post de")


def _settle(tokens: list[Token]) -> list[Token]:
    """Take "de" behind a copula for a part of "how": "atât eram de emoționată"."""
    for index, token in enumerate(tokens[1:-1], 1):
        if token.key == "de" and tokens[index - 1].traits & COPULA and tokens[index + 1].traits & ADJECTIVE:
            tokens[index] = token._replace(traits=FUNCTION)
        if token.key in SPANS and tokens[index - 1].key in ("toată", "tot"):
            tokens[index - 1] = tokens[index - 1]._replace(traits=FUNCTION)  # "toată ziua"
    return tokens


def reader() -> Callable[[str], Reading]:
    """The function that reads a Romanian text."""
    lexicon = simplemma_lexicon("ro", "ro", FORMS)
    return AgreementReader(
        vocabulary(WORDS, lexicon.traits, FORMS.guesses),
        Agreement(
            adverbs=ADVERBS,
            spans=SPANS,
            spends=endings("petrec"),
            roles=ROLES,
            nouns=NOUNS,
            always=frozenset(["mereu", "întotdeauna"]),
            whole_f=frozenset({"toată"}),
            whole_m=frozenset({"tot"}),
            those=frozenset({"cele", "acelea"}),
            very=frozenset(["foarte", "prea", "cam"]),
            by_ending=(
                ("ă", "feminine"),
                *((ending, "masculine") for ending in ["uș", "os", "at", "it", "ut", "eț", "ic", "iv", "aș"]),
            ),
            professions=endings("ăreasă toreasă toare istă iță logă grafă triță"),
            masculine_is_plain=True,
        ),
        _settle,
    ).read
