"""Portuguese: ser, estar, ficar and verbs like them, reflexives, eu mesma, como médica; not ter's participle."""

from __future__ import annotations

from collections.abc import Callable

from genderscope.grammar.dictionaries.agreeing import Agreeing, endings, pairs
from genderscope.grammar.dictionaries.lexicon import simplemma_lexicon
from genderscope.grammar.dictionaries.vocabulary import vocabulary
from genderscope.grammar.reading import Reading
from genderscope.grammar.speaker import people, qualities
from genderscope.grammar.speaker.agreement import AgreementReader
from genderscope.grammar.speaker.diminutives import with_diminutives
from genderscope.grammar.speaker.kinds import phrases, words
from genderscope.grammar.speaker.moods import moods
from genderscope.grammar.speaker.noun_genders import FEMININE, MASCULINE, UNKNOWN, noun_genders
from genderscope.grammar.speaker.settle_portuguese import settle
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
    REGARD,
    RESTS,
    SAYS,
    WORKS,
)

FORMS = Agreeing(
    pairs=pairs("o/a or/ora ão/ona ão/ã ês/esa eu/eia u/ua ol/ola"),
    participles=pairs("ado/ada ido/ida ído/ída to/ta so/sa"),
    infinitives=("ar", "er", "ir", "por"),
    first=("o", "ei", "i", "í", "ive", "ude"),
    either=endings("ava ia asse esse isse ara era ira disse trouxe soube"),
    doubtful=("as", "es"),
    plural=("m",),
    gerunds=("ando", "endo", "indo"),
    plural_participles=("ados", "adas", "idos", "idas"),
    sure=pairs("íssimo/íssima ólogo/óloga dor/dora tor/tora eiro/eira"),
    common=("ista", "nte", "vel"),
    adverb="mente",
    guesses=(
        (("mente",), FUNCTION),
        (("ndo",), INFINITIVE),
        (("ado", "ido", "oso", "ivo", "ário", "ico", "tor", "dor", "eiro", "uo", "inho", "íssimo"), ADJECTIVE_M),
        (("ada", "ida", "osa", "iva", "ária", "ica", "tora", "dora", "eira", "ua", "inha", "íssima"), ADJECTIVE_F),
    ),
    verbs=(
        (
            """
            dizer responder perguntar gritar exclamar sussurrar murmurar acrescentar explicar confessar
            repetir pensar comentar suspirar admitir afirmar garantir insistir lamentar falar""",
            SAYS,
        ),
        ("chamar", MAKES | REGARD),
        ("prometer jurar dever", PROMISES),
        (
            """
            viver ir vir voltar chegar dormir acordar morar viajar sair crescer nadar nascer correr caminhar morrer
            fugir chorar gritar sorrir rir dançar saltar pular tremer cair escapar passear entrar partir suspirar
            envelhecer responder adormecer regressar""",
            RESTS,
        ),
        ("trabalhar mascarar disfarçar vestir fazer", WORKS),
        (
            """
            sentir considerar ver encontrar manter tornar mostrar achar imaginar declarar julgar revelar descobrir
            confessar""",
            FEELING,
        ),
        (
            """
            fazer deixar tornar manter considerar achar encontrar ver nomear eleger julgar imaginar querer preferir
            surpreender sentir tratar recordar lembrar""",
            MAKES,
        ),
        (
            """
            agradar interessar importar incomodar preocupar custar alegrar encantar fascinar apetecer irritar
            entristecer doer bastar emocionar""",
            LIKES,
        ),
        ("deixar ver encontrar achar", LEAVES),
    ),
)

WORDS = words(
    i="eu",
    me="me",
    me_stressed="mim",
    am="""
    sou estou fui estive serei estarei pareço permaneço fico fiquei ficarei ando continuo continuei permaneci sigo
    saio saí nasci""",
    am_or_is="era estava seria estaria parecia ficava ficaria continuava andava permanecia estiver for fora",
    is_or_am="seja esteja fique pareça continue ande",
    is_="é está foi esteve será estará parece fica ficou",
    are="vão são estão eram estavam foram estiveram serão parecem ficaram",
    have="tenho tive terei hei",
    have_or_has="tinha teria tivesse havia",
    has="tem há teve temos tens tenha terá",
    have_they="têm tinham terão teriam tivessem tenham",
    feel="""
    sinto senti sentirei considero considerei vejo vi encontro encontrei mantenho mantive torno tornei ponho pus
    faço fiz mostro mostrei achei acho""",
    feel_or_feels="""
    sentia sentiria considerava via veria encontrava mantinha tornava tornaria achava mostrava sentisse""",
    do_or_does="quis pude soube trouxe disse",
    do="entendo aprendo compreendo dependo defendo pretendo atendo mando prendo gosto falo preciso posso possa",
    become="transformo transformei converti",
    become_or_becomes="transformava transformaria",
    rest="""
    acabo acabei terminei acabarei acordo passei passo tomei vivo vou venho volto chego durmo moro viajo vivi
    cheguei vim voltei cresci andei saí nado nadei nasci corro""",
    rest_or_rests="""
    vivia ia vinha voltava chegava dormia viajava iria viveria morava saía nadava andaria""",
    makes="""
    faz fez fará faria fazia deixa deixou deixava torna tornou mantém considera considerou acha encontra vê nomeou
    apanhou pegou flagrou""",
    make_they="""
    fazem fizeram faziam deixam deixaram tornam tornaram mantêm consideram consideravam acham achavam encontram veem
    viam nomearam elegeram apanharam pegaram""",
    likes="agrada interessa importa incomoda preocupa",
    to_be="""
    ser estar parecer permanecer ficar continuar tornar sendo estando ficando parecendo continuando permanecendo
    estarmos andar tornando""",
    to_feel="sentir sentindo considerar ver achar vendo",
    to_make="sentir fazer deixar considerar",
    to_rest="""
    acabar terminar viver ir vir voltar chegar dormir viajar morar sair morrer crescer caminhar vivendo nadar
    passear""",
    been="sido estado ficado parecido permanecido continuado",
    felt="sentido tornado considerado visto mantido",
    rested="acabado terminado vivido ido vindo chegado saído",
    leave="deixar deixo deixei deixava deixado vi vejo encontrei encontro via encontrava visto encontrado achei",
    made="feito deixado tornado considerado chamado apanhado pegado pego",
    alone_m="sozinho",
    alone_f="sozinha",
    self_m="mesmo próprio",
    self_f="mesma própria",
    a_m="um nenhum",
    a_f="uma nenhuma",
    the_m="o",
    the_f="a",
    that_one_m="aquele",
    that_one_f="aquela",
    clitic="o a os as lo la los las",
    my="""
    meu minha meus minhas teu tua seu sua seus suas nosso nossa nossos nossas este esta esse essa estes estas esses
    essas cada algum alguma alguns algumas muitos muitas poucos poucas tantos tantas vários várias outro outra
    outros outras todos todas dois duas três quatro cinco os as qualquer muita tanta pouca toda todo cujo cuja uns
    umas dele dela quanta seis sete oito nove dez quinze vinte trinta quarenta cinquenta cem""",
    much="muito pouco tanto",
    most="mais menos",
    best="melhor pior maior menor primeiro",
    degree="pouco bocado tanto pouquinho suficiente bastante",
    he="ele ela tu você nós quem alguém ninguém se gente",
    they="eles elas vocês",
    that="que qual quais",
    when="porque quando enquanto caso onde embora pois segundo conforme então portanto apesar quanto",
    and_="e mas ou nem porém",
    of="""
    em com sem por sobre entre contra até ante sob após perante durante dentro fora atrás perto ao à aos às no na
    nos nas num numa do da dos das pelo pela pelos pelas comigo daquelas daqueles dessas desses""",
    as_="como",
    as_or_of="de desde",
    how="quão",
    adverb="""
    não tão bastante demais algo também já só quase sempre nunca jamais ainda meio nada talvez assim além bem mal
    super nisso disso nele nela neles nelas hoje agora então aqui ali lá ontem amanhã tarde cedo realmente te nos
    sim antes depois logo juntos inclusive até sequer vez junto demasiado direto oxalá tomara
    acima abaixo adiante longe""",
    impersonal="claro óbvio necessário justo estranho lógico frio escuro quente nublado lindo",
    thing="""
    sujo suja limpo limpa quebrado quebrada fechado fechada aberto aberta caro cara longo longa duro dura fresco
    fresca chato chata divertido divertida perigoso perigosa arriscado adequado romântico romântica correto correta
    complicado complicada""",
    to_have="ter tendo haver",
    noun="cuidado casa tudo isso isto aquilo conta cara caso cargo vez parte",
    prenominal="""
    bom boa mau má grande verdadeiro verdadeira novo nova velho velha pequeno pequena pobre primeira único única
    último última ótimo ótima péssimo péssima""",
    m=qualities.MEN["pt"]
    + " "
    + """
    exausto lindo bêbado bom mau cansado pronto seguro certo ótimo péssimo sujo obrigado nu cru calmo sério cheio
    limpo vivo surpreso farto bonzinho mauzinho pobrezinho""",
    f=qualities.WOMEN["pt"]
    + " "
    + """
    exausta linda bêbada boa má cansada pronta segura certa ótima péssima suja obrigada nua crua calma séria cheia
    limpa viva surpresa farta boazinha bonzinha mazinha pobrezinha""",
    adverbial="curto rápido alto baixo claro forte certo direito lento leve fundo barato",
    anyone="""
    pilar coração motor cérebro apoio ombro raio luz alegria
    pessoa bicho ser desastre encanto tesouro gênio génio amor problema sonho anjo perigo horror fenômeno fenómeno
    caso sol figura estrela besta fera vítima criatura inspiração maravilha beleza carga vergonha praga cabeça
    monstro indivíduo coisa talento sucesso fracasso alma diabo animal joia membro testemunha personagem exemplo ás
    zero autoridade presença força rocha máquina parte celebridade alvo tipo gente""",
    title="modelo soldado capitão general mecânico técnico árbitro piloto",
    man=people.MEN["pt"]
    + """
    homem cavalheiro senhor tio avô esposo marido filho irmão pai papai primo macho rei príncipe herói ator mago
    namorado noivo viúvo solteiro""",
    woman=people.WOMEN["pt"]
    + """
    mulher dama senhora senhorita tia avó esposa filha irmã mãe mamãe fêmea rainha princesa heroína atriz maga
    namorada noiva viúva solteira dona presidenta""",
    child_m="menino garoto rapaz miúdo",
    child_f="menina garota moça miúda",
    small="pequeno pequena",
    common="""
    líder chefe presidente designer jovem artista jornalista dentista atleta feminista otimista pessimista
    perfeccionista egoísta especialista economista analista pianista estudante gerente assistente representante
    comerciante amante cantante principiante adolescente dirigente profissional intelectual rebelde covarde fã
    colega idiota estrategista policial guia ajudante paciente cliente agente comandante responsável ceo intérprete
    popular superior inferior feliz militar titular auxiliar dominante chef careca""",
    dear="querido querida calma calmo tranquilo tranquila",
    him="lo no",
    her_or_it="la",
    regards="chama chamou chamava chamam chamaram chamavam",
    to_her="lhe lhes",
    for_="para",
    were="fosse estivesse ficasse",
    also_m=qualities.MEN_TOO["pt"],
    also_f=qualities.WOMEN_TOO["pt"],
    work="trabalho",
    says="disse diz dizia respondeu perguntou gritou exclamou sussurrou acrescentou explicou confessou falou repetia",
    **moods("pt"),
)

NOUNS = noun_genders(
    "o um do no ao pelo num este esse aquele meu teu seu nosso outro muito todo algum nenhum deste nesse neste",
    "a uma da na à pela numa esta essa aquela minha tua sua nossa outra muita toda alguma nenhuma desta nessa nesta",
    """
    os as uns umas dos das nos nas aos às pelos pelas meus minhas teus tuas seus suas nossos nossas estes estas outros
    outras muitos muitas dois duas três todos todas""",
    ("nada algo tudo alguém ninguém", UNKNOWN),
    ("mão foto moto", FEMININE),
    ("coração dia mapa problema tema sistema clima programa planeta sofá", MASCULINE),
    ("ção são dade tude agem a", FEMININE),
    ("o or al el ês", MASCULINE),
)

SPANS = frozenset(
    endings("""
    tarde noite manhã dia dias semana semanas mês meses ano anos hora horas minutos verão inverno outono vida
    madrugada férias infância sábado domingo""")
)

ADVERBS = phrases(
    """
    devido a, devido ao, por que, por quê, de verdade, de novo, às vezes, na verdade, por fim, em geral, no fundo,
    de repente, sem dúvida, de todo, no final, no início, a sério, de facto, de fato, um dia, uma vez, com certeza,
    por completo, pelo menos, por vezes, cada vez mais, ao mesmo tempo, desde sempre, no momento, para sempre, nem
    sequer, por natureza, de natureza, o tipo de, esse tipo de, o género de, o gênero de, um tipo de"""
)
ROLES = phrases("na qualidade de, na minha qualidade de, no papel de, no meu papel de, na condição de")


GRAMMAR = Agreement(
    adverbs=ADVERBS,
    spans=SPANS,
    spends=endings("pass"),
    roles=ROLES,
    nouns=NOUNS._replace(times=frozenset(["noite", "tarde", "manhã", "vida", "semana", "infância", "juventude"])),
    professions=endings("eira dora tora triz ista grafa loga eiro dor tor"),
    always=frozenset(["sempre"]),
    whole_f=frozenset({"toda"}),
    whole_m=frozenset({"todo"}),
    mine=frozenset(["meu", "minha"]),
    those=frozenset({"das", "daquelas", "aquelas", "dessas"}),
    just_as=frozenset(["como"]),
    very=frozenset(["tão"]),
    by_ending=(("o", "masculine"), ("a", "feminine")),
)


def reader() -> Callable[[str], Reading]:
    """The function that reads a Portuguese text."""
    lexicon = simplemma_lexicon("pt", "pt", FORMS)
    dictionary = with_diminutives(WORDS, lexicon.traits)
    return AgreementReader(vocabulary(WORDS, dictionary, FORMS.guesses), GRAMMAR, settle).read
