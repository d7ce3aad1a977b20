"""Lithuanian: būti and verbs like it with adjectives and participles, half-participles, pats/pati, vienas/viena."""

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
    LEAVES,
    OBLIQUE_F,
    OBLIQUE_M,
    PAIR_F,
    PAST_F,
    PAST_M,
    PRESENT,
    RESTS,
    SIDE_F,
    SIDE_M,
)

FORMS = Agreeing(
    pairs=pairs("as/a us/i is/ė as/ė ias/ia ys/ė ęs/usi ęsis/usis is/ia jas/ja tojas/toja"),
    participles=pairs("tas/ta ęs/usi amas/ama omas/oma imas/ima"),
    sure=pairs(
        "esnis/esnė iausias/iausia tojas/toja ėjas/ėja ininkas/ininkė urgas/urgė logas/logė antis/anti ęs/# ęsis/#"
    ),
    likely=endings("us ingas iškas tas mas nas ęs"),
    participle_forms=pairs("omas/oma amas/ama imas/ima ęs/usi ęsis/usis tas/ta ąs/anti antis/anti"),
    guess_known=True,
    adjective_oblique=pairs("u/#"),
    definite=pairs("asis/oji usis/ioji ysis/ioji"),
    side=pairs("damas/dama damasis/damasi"),
    oblique=pairs(
        "ininku/ininke eriu/ere oriu/ore antu/ante entu/ente ogu/oge iku/ike ovu/ove esniu/esne yviu/yvia toju/toja"
        " ėju/ėja am/# iam/# usiu/usia usį/usią iu/ia ančiu/ančia antį/ančią intį/inčią"
        " #/ę ingu/# išku/# otu/# intu/# ėtu/# ytu/# amu/# omu/#"
    ),
    apart=pairs("jas/ja as/ė is/ė ys/ė as/a us/i ias/ia ius/ė"),
    infinitives=("ti", "tis"),
    noun_like=("tis", "tyje"),
    adverb="ai",
    first=("u", "uosi", "ausi"),
    guesses=(
        (("damas", "damasis"), SIDE_M),
        (("dama", "damasi"), SIDE_F),
        (endings("ingu iku antu entu istu yviu eriu ogu kasiu gesiu"), OBLIQUE_M),
        (("usį",), OBLIQUE_M),
        (endings("usią usia ančią inčią ininkę erę orę istę antę entę ikę"), OBLIQUE_F),
        (("iu",), PRESENT | OBLIQUE_M),
        (("au", "uosi", "ausi"), PRESENT),
        (("ęs", "ęsis"), ADJECTIVE_M | PAST_M),
        (("usi", "usis"), ADJECTIVE_F | PAST_F),
        (endings("as ys yvus lus rus pus mus gus bus dus kus šus esnis antis širdis valis kojis plaukis"), ADJECTIVE_M),
        (endings("inga iška esnė oma ama ima ta toja ėja anti širdė valė kojė plaukė"), ADJECTIVE_F),
        (endings("ininkė istė entė antė ikė ogė erė orė rgė"), ADJECTIVE_F),
        (("ni", "li", "ri", "pi", "vi", "di"), PAIR_F),
        (endings("toju ėju ininku eriu istu ingam iškam iam"), OBLIQUE_M),
        (endings("ininke ere ore iste ike ante ente oge kase gese"), OBLIQUE_F),
    ),
    verbs=(
        ("palikti matyti pamatyti rasti", LEAVES),
        (
            """
            gyventi eiti grįžti sugrįžti parnešti miegoti keliauti vaikščioti važiuoti vykti nuvykti ateiti išeiti
            pareiti nueiti užaugti augti mirti numirti gulėti sėdėti stovėti bėgti atsikelti keltis pabusti atsibusti
            prabusti laukti verkti išvykti atvykti atvažiuoti užmigti kristi gimti pasirodyti atsisėsti atsigulti""",
            RESTS,
        ),
    ),
)

WORDS = words(
    i="aš",
    me="man mane manęs manimi save savęs",
    am="""
    būnu nebūnu būdavau esu nesu nebesu tebesu nebebuvau tebebuvau nebebūsiu nebesijaučiu nebesijaučiau pasijuntu
    jausdavausi atrodydavau likdavau pasirodžiau pasijusdavau pasijusiu buvau nebuvau būsiu nebūsiu būčiau nebūčiau
    nebūdavau jaučiuosi nesijaučiu jaučiausi nesijaučiau jausiuosi jausčiausi nesijausčiau pasijutau atrodau
    neatrodau atrodžiau neatrodžiau atrodysiu atrodyčiau neatrodyčiau likau lieku išlikau išlieku likčiau pasilikau
    liksiu gimiau""",
    am_as="tapau tampu netapau tapsiu tapčiau tapdavau",
    is_="yra nėra buvo nebuvo bus būtų nebūtų tapo liko jaučiasi jautėsi",
    regard="laikau nelaikau laikiau nelaikiau laikyčiau vadinu vadinau",
    work_as="dirbu dirbau dirbsiu dirbčiau įsidarbinau",
    to_be_as="dirbti pasirodyti būti nebūti tapti netapti likti išlikti jaustis atrodyti pasilikti",
    to_rest="gyventi eiti grįžti miegoti keliauti vaikščioti važiuoti nuvykti",
    do="plaunu nešioju šoku pamirštu",
    rest="""
    plaukiau vaikščiočiau maudžiausi maudiausi gyvenu gyvenau einu ėjau eičiau grįžtu grįžau miegu miegojau keliauju
    keliavau vaikštau vaikščiojau vykstu nuvykau ateinu atėjau važiuoju važiavau nevažiuočiau išėjau užaugau mirštu
    plaukiu finišuoju baigiu baigiau praleidau""",
    makes="""
    padarė daro verčia vertė privertė laiko laikė vadina vadino mato matė pamatė rado randa išrinko paskelbė
    pripažino paskyrė palieka paliko leidžia""",
    made="matęs mačiusi radęs radusi laikęs laikiusi",
    been="buvęs buvusi tapęs tapusi likęs likusi",
    likes="""
    teko tenka teks pavyko pavyksta nepavyko nepavyksta reikia reikėjo reikėtų patinka patiko patiktų nepatinka
    nepatiko""",
    leave="palikti palikau palieku mačiau matau pamačiau radau",
    alone_m="pats vienas vienam pačiam vienintelis pirmasis pirmas paskutinis",
    alone_f="pati viena vienai pačiai vienintelė pirmoji paskutinė",
    my="mano tavo savo jo jos jų mūsų jūsų šis ši kiekvienas kiekviena visas visa visus kitas kita",
    m="""
    toks kitoks lankstus tikintis užsispyrėlis tuščiagarbis neatsargus pasitikintis nepasitikintis begėdis bejėgis
    verksnys""",
    oblique_f="močiute drauge karaliene princese mergaite senele pasitikinčia pasitikinčią",
    oblique_m="""
    tėvu vyru broliu sūnumi seneliu princu karaliumi pasitikinčiu pasitikintį griežtu kietu geru blogu tokiu""",
    f="""
    tokia kitokia lanksti tikinti užsispyrėlė raji tuščiagarbė neatsargi pasitikinti nepasitikinti begėdė bejėgė
    verksnė plepė ūmi užmarši""",
    much="kažkoks kažkokia joks jokia",
    he="jis ji tu mes jūs kas niekas kažkas",
    they="jie",
    that_m="kuris",
    that_f="kuri",
    that="kuria kuriuo kurie kurios kurį kurią",
    when="kad kai nes jei jeigu nors kol kur kodėl todėl kadangi jog tarsi ar tad kiek lyg tartum idant",
    and_="ir bet o arba nei tačiau bei",
    of="""
    į iš su be prie už ant po apie nuo iki dėl pas tarp prieš pagal virš pro šalia aplink link anot pasak išskyrus
    vidury vietoj vietoje dėka netoli""",
    of_or_too="per",
    as_="kaip",
    adverb="""
    ne labai visada niekada dažnai kartais dar jau vis taip gana pakankamai visiškai tikrai tiesiog net tik čia ten
    dabar šiandien vakar rytoj tada paskui vėl beveik galbūt gal itin ypač nepaprastai daug mažai truputį šiek tiek
    geriau blogiau labiau mažiau namie namo kartu iškart greitai nuolat gerai blogai netgi vos vakare ryte emociškai
    fiziškai finansiškai natūraliai toli arti tavęs pirmiausia tam vėlai anksti sau savimi pagaliau staiga kažkada
    visuomet kasdien kasnakt beje deja matyt turbūt regis nebent taigi juk vien bent pernelyg kada tegu visur niekur
    kažkur kitur atgal pat irgi kadaise nuolatos užtat viduje išoriškai protiškai neįtikėtinai argi negi tegul antai
    namuose lauke aukštyn taipogi vėlgi nebe amžinai rodos vadinasi nejaugi anksčiau vėliau aišku seniai neseniai
    retai paprastai galiausiai laimei vėliausiai žemyn pirmyn ilgai trumpai stipriai tyliai garsiai drąsiai ramiai
    švelniai jautriai nuoširdžiai rimtai lengvai sunkiai giliai aiškiai kitaip šiaip ypatingai atskirai pamažu
    palaipsniui""",
    what_m="koks",
    what_f="kokia",
    mood="""
    išdidus išdidi toks tokia įsitikinęs įsitikinusi pasiryžęs pasiryžusi pasiruošęs pasiruošusi pavargęs pavargusi
    girtas girta nuogas nuoga apsirengęs apsirengusi išsigandęs išsigandusi atsisėdęs atsigulęs didžiuodamasis
    nusivylęs nusivylusi susijaudinęs susijaudinusi įsimylėjęs įsimylėjusi sutrikęs sutrikusi nustebęs nustebusi
    supykęs supykusi išsekęs išsekusi susirūpinęs susirūpinusi piktas pikta laimingas laiminga liūdnas liūdna
    alkanas alkana patenkintas patenkinta ramus rami susigėdęs susigėdusi šlapias šlapia sergantis serganti""",
    noun="tai laikas darbas metas dalis kartas baimė",
    anyone="""
    žmogumi modeliu pavyzdžiu asmeniu asmenybe žmogus asmuo asmenybė auka žvaigždė genijus angelas monstras pavyzdys
    modelis narys pavojus talentas problema lobis kliūtis knyga atvejis gyvūnas stabas figūra jėga autoritetas
    taikinys našta tipas būtybė vaikas dalis galva siela nenuorama naktibalda vėpla priešingybė ramstis atrama
    kopija stulpas""",
    title="ministras generolas kapitonas detektyvas",
    friend_m="šaulys senbernis viengungis karys",
    man="vyras tėvas brolis sūnus ponas senelis dėdė karalius princas berniukas tėtis vaikinas jaunikis našlys",
    woman="""
    moteris motina sesuo dukra senmergė nuotaka uošvė kolegė paauglė kalnakasė chirurgė ponia močiutė teta karalienė
    princesė mergaitė mama mergina žmona našlė""",
    child_m="mažas",
    child_f="maža",
    dear="brangioji brangusis mieloji mielasis brangi miela",
    only_f="pirma",
    to_them="jam jai jiems",
)

ADVERBS = phrases(
    """
    be galo, iš karto, iš tikrųjų, iš tiesų, šiek tiek, vis dar, kaip visada, vis tiek, visą laiką, visą gyvenimą,
    bet kokiu atveju, kuo, po truputį, per daug, vienu metu, iš dalies, tuo pat metu, tuo pačiu metu, prieš tai"""
)


def reader() -> Callable[[str], Reading]:
    """The function that reads a Lithuanian text."""
    lexicon = without_prefix(("ne",), simplemma_lexicon("lt", "lt", FORMS).traits)
    grammar = Agreement(
        noun_first=False,
        leaning=False,
        reflexive_me=False,
        before_verb=True,
        drops_copula=True,
        cases=True,
        verbal=("ęs", "usi", "ęsis", "usis", "damas", "dama"),
        only_first=endings(
            "istas ista astas asta mtas mta gtas gta ktas kta ptas pta omas oma ęs usi ęsis usis inta intas ėta"
            " ėtas yta ytas uota uotas"
        ),
        nominatives=("as", "ys", "ė"),
        depictive=endings("ingas inga iškas iška antis anti otas ota ytas yta ėtas ėta amas ama omas oma imas ima"),
        genitives=endings("o os ės ų aus ies"),
        adverbs=ADVERBS,
    )
    return AgreementReader(vocabulary(WORDS, lexicon, FORMS.guesses), grammar, _settle).read


def _settle(tokens: list[Token]) -> list[Token]:
    """Take "nors" for "any-" behind a pronoun (kas nors: anybody); elsewhere it is "although"."""
    for index, token in enumerate(tokens[1:], 1):
        before = tokens[index - 1]
        if before.key in ("visas", "visa"):
            take_wholly(tokens, index - 1)
        if token.key == "nors" and before.key in _ANY:
            tokens[index] = token._replace(traits=FUNCTION)
            if before.key != "kas":
                tokens[index - 1] = before._replace(traits=FUNCTION)
    return tokens


_ANY = frozenset(
    [
        "kas",
        "ko",
        "kam",
        "ką",
        "kuo",
        "kada",
        "kur",
        "kaip",
        "koks",
        "kokia",
        "kokį",
        "kokią",
        "kokio",
        "kokios",
        "kuris",
        "kuri",
    ]
)
