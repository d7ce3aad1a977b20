"""Spanish nouns for persons, which both readers of Spanish ask for: the speaker's gender and that of adjectives."""

#: of one gender, said of men and women alike
ANYONE = """
    persona bicho ser desastre encanto tesoro genio amor molestia inconveniente fastidio enigma problema sueño ángel
    estorbo incordio peligro horror asco fenómeno caso cielo sol modelo figura estrella bestia fiera víctima
    criatura inspiración delicia maravilla belleza preciosidad monada lata carga vergüenza pena peste gallina
    pesadez plaga cabeza cascabel coloso monstruo individuo cosa talento éxito miedo suerte disparate sinsentido
    bache alma infierno diablo espíritu fantasma bulto animal mentira joya perla regalo bomba bombón objetivo
    miembro testigo personaje personalidad gente ejemplo ogro demonio engendro portento prodigio as crack rollo
    plomo tostón muermo trozo pedazo cero nulidad eminencia autoridad presencia fuerza roca torre mole rata buitre
    lince águila hielo mar pozo libro lío juguete objeto tema
"""
#: for men
MEN = """
    hombre tipo caballero señor chico muchacho niño tío abuelo esposo marido hijo hermano padre papá primo varón
    macho rey príncipe héroe actor mago brujo monje galán dandi gentleman compañero sobrino nieto novio
"""
#: for women
WOMEN = """
    mujer tipa dama señora señorita chica muchacha niña tía abuela esposa hija hermana madre mamá hembra reina
    princesa heroína actriz maga bruja monja compañera sobrina nieta novia diosa doncella
"""
#: of one form for both genders: the article tells
SAME_FOR_BOTH = """
    cobarde sinvergüenza cascarrabias cursi idiota hipócrita salvaje rebelde joven canalla aguafiestas bocazas
    granuja gilipollas torpe débil mayor menor mejor peor noble triste alegre mediocre pobre grande gay cruel fiel
    hippie tarambana veleta friki caradura quejica sexy elegante común imbécil fuerte tránsfuga colega cabezota
    virgen mártir líder esnob nerd dulce libre cafre pirata guía lumbrera manitas metomentodo pelota fan punki
"""
