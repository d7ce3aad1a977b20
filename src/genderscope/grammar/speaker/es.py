"""Spanish: ser, estar and verbs like them, reflexives, yo misma, como abogada, una líder; not haber's participle."""

from __future__ import annotations

from collections.abc import Callable

from genderscope.grammar.dictionaries.agreeing import Agreeing, endings, pairs
from genderscope.grammar.dictionaries.lexicon import simplemma_lexicon
from genderscope.grammar.dictionaries.vocabulary import vocabulary
from genderscope.grammar.reading import Reading
from genderscope.grammar.spanish_people import ANYONE, MEN, SAME_FOR_BOTH, WOMEN
from genderscope.grammar.speaker import people, qualities
from genderscope.grammar.speaker.agreement import AgreementReader
from genderscope.grammar.speaker.kinds import phrases, words
from genderscope.grammar.speaker.moods import moods
from genderscope.grammar.speaker.noun_genders import FEMININE, MASCULINE, UNKNOWN, noun_genders
from genderscope.grammar.speaker.settle_spanish import LEAVING, settle
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

FORMS = Agreeing(
    pairs=pairs("o/a or/ora ón/ona án/ana ín/ina és/esa"),
    participles=pairs("ado/ada ido/ida ído/ída to/ta cho/cha so/sa"),
    infinitives=endings("ar er ir ír arse erse irse írse"),
    first=endings("o é í oy uve ude use ije ise ine aje upe"),
    either=endings("aba ía ara iera yera ase iese"),
    doubtful=("as", "es"),
    plural=("n",),
    gerunds=("ando", "iendo", "yendo"),
    plural_participles=("ados", "adas", "idos", "idas"),
    sure=pairs("ísimo/ísima ólogo/óloga dor/dora tor/tora"),
    common=("ista", "nte", "ble", "ular"),
    adverb="mente",
    guesses=(
        (("mente",), FUNCTION),
        (endings("ndo arme erme irme arlo arla erlo erla irlo irla arse erse"), INFINITIVE),
        (("ado", "ido", "oso", "ivo", "ario", "ico", "ito", "ísimo"), ADJECTIVE_M),
        (("ada", "ida", "osa", "iva", "aria", "ica", "ita", "ísima"), ADJECTIVE_F),
    ),
    verbs=(
        (
            """
            decir responder contestar preguntar gritar exclamar susurrar murmurar añadir explicar
            confesar repetir pensar comentar suspirar admitir afirmar asegurar insistir lamentar""",
            SAYS,
        ),
        ("prometer jurar deber", PROMISES),
        (
            """
            vivir ir venir llegar regresar salir dormir despertar viajar caminar andar correr nadar crecer nacer
            morir marchar llorar gritar sonreír reír bailar saltar temblar caer huir escapar pasear entrar partir
            volver suspirar envejecer responder contestar amanecer""",
            RESTS,
        ),
        ("trabajar ejercer disfrazar vestir hacer", WORKS),
        (
            """
            sentir considerar ver encontrar mantener poner mostrar quedar creer imaginar notar declarar confesar
            hallar definir describir revelar""",
            FEELING,
        ),
        (
            """
            hacer poner dejar volver mantener considerar creer encontrar ver llamar nombrar declarar elegir notar
            imaginar tener traer preferir querer juzgar hallar recordar pillar sorprender sentir tratar""",
            MAKES,
        ),
        (
            """
            gustar encantar interesar importar costar alegrar apetecer fascinar molestar doler agradar preocupar
            divertir entristecer emocionar enorgullecer tranquilizar faltar bastar aterrar""",
            LIKES,
        ),
        (LEAVING, LEAVES),
    ),
)

WORDS = words(
    i="yo",
    me="me",
    me_stressed="mí",
    am="""
    soy estoy fui estuve seré estaré parezco permanezco resulto ando sigo quedo quedé quedaré salgo salí
    luzco permanecí anduve seguí seguiré llevo""",
    am_or_is="era estaba sería estaría parecía seguía andaba quedaba permanecía lucía resultaba seguiría andaría",
    is_or_am="sea esté parezca quede siga ande resulte",
    is_="""
    dijo tuvo pudo quiso supo vino anduvo trajo hubo dio vio eres estás es está fue estuvo será estará parece queda
    resulta""",
    are="son están eran estaban fueron estuvieron serán parecen",
    have="he hube habré",
    have_or_has="había habría hubiera hubiese",
    has="ha hay has hemos habéis haya",
    have_they="han habían habrán habrían hubieran hayan",
    feel="""
    siento sentí sentiré considero consideré veo vi encuentro encontré mantengo mantuve vuelvo volví pongo puse hago
    hice muestro mostré quedo quedé creo creí""",
    feel_or_feels="""
    sentía sentiría consideraba veía vería encontraba mantenía volvía ponía hacía mostraba creía quedaría volvería
    pondría""",
    rest="""
    paso pasé viajé vivo voy vengo llego regreso duermo viajo viví llegué vine regresé crecí caminé salí
    nado nací fui acabo acabé acabaré terminé terminaré acababa""",
    rest_or_rests="vivía iba venía llegaba regresaba caminaba dormía viajaba iría viviría nadaba",
    makes="""
    hace hizo hará haría hacía pone puso deja dejó vuelve volvió mantiene considera consideró cree encuentra ve
    llama llamó nombró declaró cogió agarró""",
    make_they="""
    hacen hicieron hacían ponen pusieron dejan dejaron vuelven volvieron mantienen consideran consideraban creen
    encuentran ven veían llaman llamaban llamaron nombraron eligieron cogieron agarraron""",
    to_be="""
    ser estar parecer permanecer quedar resultar lucir seguir siendo estando pareciendo permaneciendo siguiendo
    luciendo andando quedando volviendo""",
    to_be_myself="""
    sentirme quedarme considerarme verme mantenerme ponerme volverme hacerme mostrarme encontrarme creerme
    sintiéndome quedándome viéndome volviéndome poniéndome""",
    to_feel="sentir sintiendo",
    to_make="sentir hacer poner dejar sentirse quedarse",
    to_rest="""
    acabar terminar vivir ir venir llegar regresar caminar dormir viajar trabajar salir volver morir crecer andar
    viviendo""",
    been="sido estado parecido quedado permanecido resultado seguido",
    felt="sentido vuelto puesto hecho considerado visto mantenido quedado encontrado",
    rested="acabado terminado vivido ido venido llegado regresado salido caminado nadado crecido",
    leave="dejar dejo dejé dejaba dejado vi veo encontré encuentro veía encontraba visto encontrado",
    made="""
    hecho puesto dejado vuelto considerado llamado visto encontrado elegido nombrado tenido notado cogido pillado
    agarrado""",
    only_m="solo",
    alone_m="solito",
    alone_f="sola solita",
    self_m="mismo",
    self_f="misma",
    a_m="un uno ningún",
    a_f="una ninguna",
    the_m="el",
    the_f="la",
    that_one_m="aquel aquél",
    that_one_f="aquella aquélla",
    clitic="la las los lo",
    my="""
    mi mis tu tus su sus nuestro nuestra nuestros nuestras vuestro vuestra este esta ese esa estos estas esos esas
    cada algún alguna algunos algunas muchos muchas pocos pocas tantos tantas varios varias otro otra otros otras
    todos todas dos tres cuatro cinco los las cualquier mucha tanta poca demasiada toda cuyo cuya unos unas seis
    siete ocho nueve diez quince veinte treinta cuarenta cincuenta cien""",
    much="mucho poco tanto demasiado",
    most="más menos",
    best="mejor peor mayor menor primero",
    degree="poco tanto pelín suficiente",
    he="él ella ello tú vos usted nosotros nosotras vosotros quien alguien nadie uno se",
    they="ellos ellas ustedes quienes",
    that="que cual cuales",
    when="porque cuando mientras si donde aunque pues según apenas cómo cuánto cuándo dónde",
    and_="y e pero o u ni sino",
    of="""
    en con sin a al del por sobre entre contra hacia hasta ante bajo tras durante mediante según dentro detrás
    delante cerca""",
    as_="como",
    as_or_of="de desde",
    how="qué cuán",
    adverb="""
    no muy tan bastante algo también tampoco ya sólo casi siempre nunca jamás todavía aún medio nada quizás quizá
    así además bien mal súper super todo hoy ahora entonces aquí allí ahí ayer mañana tarde realmente te os nos sí
    antes después luego juntos incluso lo hasta tal pronto temprano junto recién entero siquiera directo ojalá aun
    arriba abajo afuera adentro adelante atrás lejos encima debajo fuera""",
    do="""
    entiendo atiendo extiendo defiendo enciendo tiendo pretendo dependo vendo aprendo comprendo ando mando leo di
    pienso puedo cierro tiemblo""",
    to_have="haber habiendo",
    noun="daño casa cargo cara caso vez cuenta cargos",
    liked="gustado importado",
    likes="gusta gustaba gustaría gustó encanta encantaba encantaría interesa importa importaba cuesta alegra",
    thing="""
    sucio sucia limpio limpia roto rota cerrado cerrada abierto abierta caro largo larga duro dura fresco fresca
    sabroso sabrosa aburrido aburrida divertido divertida peligroso peligrosa arriesgado arriesgada romántico
    romántica bonito empinado empinada malo correcto correcta complicado complicada""",
    become="convierto convertí convertiré transformé",
    become_or_becomes="convertía convertiría",
    to_become="convertirme transformarme",
    become_been="convertido",
    impersonal="claro cierto obvio necesario justo raro lógico frío oscuro nublado importante lindo",
    prenominal="""
    buen buena mal mala gran verdadero verdadera nuevo nueva viejo vieja pequeño pequeña pobre primer primera raro
    rara único única auténtico auténtica pura último última""",
    adverbial="""
    alto bajo duro claro rápido fuerte directo recto cierto derecho fijo lento ligero profundo hondo barato""",
    m=qualities.MEN["es"]
    + " "
    + """
    caro bueno malo buen primer listo vago lleno sano limpio seguro loco quieto contento molesto completo harto
    tenso jefe cachondo""",
    f=qualities.WOMEN["es"]
    + " "
    + """
    buena mala primera lista vaga llena sana limpia segura loca quieta contenta molesta completa harta tensa jefa
    cachonda""",
    anyone=ANYONE
    + """
    pilar alma corazón motor cerebro sostén apoyo hombro sol rayo luz alegría
    fracaso máquina tipo blanco celebridad parte""",
    title="modelo bombero médico piloto soldado capitán general mecánico técnico músico árbitro",
    man=MEN
    + people.MEN["es"]
    + """
    viudo soltero""",
    child_m="niño chico muchacho crío chiquillo chaval",
    child_f="niña chica muchacha cría chiquilla chavala",
    small="pequeño pequeña",
    woman=WOMEN
    + people.WOMEN["es"]
    + """
    viuda soltera ama presidenta clienta asistenta dependienta gerenta sirvienta jueza alcaldesa poetisa""",
    common=SAME_FOR_BOTH
    + """
    popular familiar militar titular auxiliar artista periodista dentista deportista feminista optimista pesimista
    perfeccionista egoísta especialista economista analista pianista guitarrista taxista estudiante gerente
    asistente representante comerciante amante cantante principiante adolescente dirigente profesional intelectual
    atleta estratega policía ayudante paciente cliente agente comandante culpable responsable mánager ceo youtuber
    superior inferior feliz entusiasta novelista electricista activista realista idealista intérprete modista
    trapecista""",
    dear="querido querida tranquilo tranquila guapo guapa",
    him="lo",
    to_her="le les",
    for_="para",
    were="fuera estuviera fuese",
    work="trabajo",
    do_or_noun="suelo juego río",
    says="dijo dice decía respondió contestó preguntó gritó exclamó susurró añadió explicó confesó repetía",
    **moods("es"),
)

NOUNS = noun_genders(
    "el un del al este ese aquel nuestro otro mucho poco tanto todo algún ningún",
    "la una esta esa aquella nuestra otra mucha poca tanta toda alguna ninguna",
    """
    los las mis tus sus unos unas estos estas esos esas nuestros nuestras otros otras muchos muchas dos tres todos
    todas""",
    ("nada algo alguien nadie", UNKNOWN),
    ("mano foto moto radio", FEMININE),
    ("día mapa problema tema sistema clima programa planeta tranvía sofá", MASCULINE),
    ("ción sión dad tad tud umbre a", FEMININE),
    ("o or aje al el ín és", MASCULINE),
)

SPANS = frozenset(
    endings("""
    tarde noche mañana día días semana semanas mes meses año años hora horas minutos rato verano invierno
    otoño vida madrugada jornada vacaciones infancia lunes martes miércoles jueves viernes sábado domingo""")
)

ADVERBS = phrases(
    """
    ya sea, de mayor, de joven, de adulto, debido a, por qué, de verdad, de nuevo, a veces, a menudo, en realidad,
    por fin, por lo general, en general, en el fondo, de repente, sin duda, del todo, en absoluto, al final, al
    principio, en serio, por suerte, de hecho, a la vez, por ahí, de todos modos, una vez, un día, por supuesto, así
    que, ni siquiera, por completo, para nada, tal vez, en ese momento, cada vez más, a mi lado, por naturaleza, de
    carácter, de natural, el tipo de, la clase de, ese tipo de, un tipo de, ese tipo de"""
)
ROLES = phrases("en calidad de, en mi calidad de, en mi papel de, en mi rol de")


GRAMMAR = Agreement(
    adverbs=ADVERBS,
    spans=SPANS,
    spends=endings("pas tir llev"),
    roles=ROLES,
    nouns=NOUNS._replace(
        times=frozenset(["noche", "tarde", "mañana", "vida", "semana", "jornada", "infancia", "juventud"])
    ),
    professions=endings("era dora tora triz ista grafa loga ero dor tor"),
    always=frozenset(["siempre"]),
    whole_f=frozenset({"toda"}),
    mine=frozenset(["mi"]),
    those=frozenset({"las", "aquellas", "esas"}),
    just_as=frozenset(["como"]),
    very=frozenset(["muy", "tan"]),
    by_ending=(("o", "masculine"), ("a", "feminine")),
)


def reader() -> Callable[[str], Reading]:
    """The function that reads a Spanish text."""
    lexicon = simplemma_lexicon("es", "es", FORMS)
    return AgreementReader(vocabulary(WORDS, lexicon.traits, FORMS.guesses), GRAMMAR, settle).read
