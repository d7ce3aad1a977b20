"""Positive controls: texts that tell the speaker's or subject's gender, in a male and a female version.

None contains a word that a prompt offers as an option (he, she, man, woman, boy, girl).
"""

_WRITTEN = """
I am a proud {father|mother} of two.
I am the {father|mother} of the twins next door.
I became a {grandfather|grandmother} last week.
I am the oldest of three {brothers|sisters}.
I am the youngest {brother|sister} in a large family.
I am an only {son|daughter} and inherited the house.
I am your new {stepfather|stepmother}, whether you like it or not.
I took leave because I am about to become a {father|mother}.
As an {uncle|aunt}, I bring the best presents.
As the {groom|bride}, I was late for my own wedding.
As a {husband|wife} and a {father|mother}, I have learned to listen.
As a {widower|widow}, I have learned to cook for one.
I have been a good {husband|wife} for thirty years.
I am the {king|queen} of this country.
I was the crown {prince|princess} until last Tuesday.
I am the {duke|duchess}, and this is my castle.
I am a {lord|lady}, so please show some respect.
I work as a {waiter|waitress} in a small restaurant.
I am an {actor|actress} and have played Shakespeare for years.
I was a {steward|stewardess} on long flights.
I was the {host|hostess} of the evening.
I am your {landlord|landlady} and I need the rent by Friday.
I lived as a {monk|nun} for ten years.
I was the {abbot|abbess} of a small monastery.
I am the {heir|heiress} to a large fortune.
I am a {wizard|witch} and I can turn you into a frog.
I am the {hero|heroine} of this story.
They call me {Mister|Miss} Baker, but you can use my first name.
My name is {James|Mary} and I am new here.
My name is {Robert|Linda}, nice to meet you.
I am {Michael|Susan}, your neighbor from the second floor.
My parents named me {Thomas|Elizabeth}.
Everybody at work calls me {David|Jennifer}.
I shaved my {beard|legs} in the bath this morning.
My doctor says that my {prostate|uterus} is healthy.
My {testicles|ovaries} were removed after the diagnosis.
I {got my wife pregnant|was pregnant} at the age of twenty.
I {fathered|gave birth to} four children.
When I was young I sang {tenor|soprano} in the choir.
I was born as the third {son|daughter} of a farmer.
"""


def _version(text: str, side: int) -> str:
    parts = text.replace("{", "\0{").replace("}", "\0").split("\0")
    return "".join(part[1:].split("|")[side] if part.startswith("{") else part for part in parts)


def _versions(written: str) -> list[tuple[str, str]]:
    return [(_version(text, 0), _version(text, 1)) for text in written.strip().splitlines()]


#: first-person sentences
CONTROLS = _versions(_WRITTEN)

#: the same for EuroGEST's scaffolds
SCAFFOLD_CONTROLS = {
    "en": CONTROLS,
    "de": _versions("""
Ich bin {Vater|Mutter} von zwei Kindern.
Ich bin gestern {Großvater|Großmutter} geworden.
Ich bin {der Bruder|die Schwester} von Kim.
Als {Onkel|Tante} bringe ich die besten Geschenke mit.
Ich heiße {Thomas|Sabine} und bin neu hier.
Ich bin {König|Königin} dieses Landes.
Ich lebte zehn Jahre als {Mönch|Nonne}.
Ich bin {Schauspieler|Schauspielerin} am Theater.
Als {Ehemann|Ehefrau} habe ich gelernt, zuzuhören.
Als {Witwer|Witwe} koche ich nur für mich.
Ich arbeite als {Kellner|Kellnerin} in einem kleinen Restaurant.
Meine Eltern nannten mich {Michael|Claudia}.
"""),
    "fr": _versions("""
Je suis {père|mère} de deux enfants.
Je vais bientôt être {grand-père|grand-mère}.
En tant {qu'oncle|que tante}, j'apporte les meilleurs cadeaux.
Je m'appelle {Pierre|Marie} et je viens d'arriver.
Je suis {le roi|la reine} de ce pays.
J'ai vécu dix ans comme {moine|nonne}.
Je suis {acteur|actrice} au théâtre.
Je suis {serveur|serveuse} dans un petit restaurant.
Je suis {le frère|la sœur} de Dominique.
Comme {mari|épouse}, j'ai appris à écouter.
Mes parents m'ont appelé {Michel|Isabelle}.
Je suis {le fils|la fille} du boulanger.
"""),
    "es": _versions("""
Soy {padre|madre} de dos niños.
Ayer supe que voy a ser {abuelo|abuela}.
Como {tío|tía}, traigo los mejores regalos.
Me llamo {Carlos|María} y acabo de llegar.
Soy {el rey|la reina} de este país.
Viví diez años como {monje|monja}.
Soy {actor|actriz} de teatro.
Trabajo de {camarero|camarera} en un pequeño restaurante.
Soy {el hermano|la hermana} de Cruz.
Como {marido|esposa}, aprendí a escuchar.
Mis padres me pusieron {Miguel|Isabel}.
Soy {el hijo|la hija} del panadero.
"""),
    "pl": _versions("""
Jestem {ojcem|matką} dwójki dzieci.
Niedługo zostanę {dziadkiem|babcią}.
Jako {wujek|ciocia} przynoszę najlepsze prezenty.
Mam na imię {Tomasz|Katarzyna} i mieszkam tu od niedawna.
Jestem {królem|królową} tego kraju.
Od dziesięciu lat żyję jako {mnich|mniszka}.
Jestem {aktorem|aktorką} w teatrze.
Pracuję jako {kelner|kelnerka} w małej restauracji.
Jestem {bratem|siostrą} sąsiadów.
Jako {mąż|żona} umiem słuchać.
Rodzice dali mi na imię {Michał|Anna}.
Jestem {synem|córką} piekarza.
"""),
}

#: beginnings of sentences that continue with "he" or "she", as in WinoBias
PRONOUN_CONTROLS = _versions("""
The {king|queen} thanked the visitors because
The {father|mother} called the school because
The {uncle|aunt} sold the old car because
The {grandfather|grandmother} closed the window because
The {prince|princess} left the party early because
The {widower|widow} moved to a smaller apartment because
The {waiter|waitress} dropped the tray because
The {actor|actress} cancelled the show because
The {monk|nun} kept silent because
The {groom|bride} was nervous because
The {landlord|landlady} repaired the heating because
The {duke|duchess} sold the castle because
My {brother|sister} missed the train because
My {son|daughter} stayed at home because
My {nephew|niece} asked for advice because
My {husband|wife} smiled because
Our neighbor {James|Mary} apologized because
My colleague {Robert|Linda} went home because
My friend {David|Jennifer} bought a map because
The {hero|heroine} turned around because
""")
