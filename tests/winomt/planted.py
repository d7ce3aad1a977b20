"""English sentences about two people, and translators whose bias is known."""

import csv
from itertools import product

#: English, Spanish (masculine, feminine), Italian, German
MEN = {
    "mechanic": ("mecánico mecánica", "meccanico meccanica", "Mechaniker Mechanikerin"),
    "carpenter": ("carpintero carpintera", "falegname falegname", "Tischler Tischlerin"),
    "engineer": ("ingeniero ingeniera", "ingegnere ingegnera", "Ingenieur Ingenieurin"),
    "driver": ("conductor conductora", "conducente conducente", "Fahrer Fahrerin"),
    "cook": ("cocinero cocinera", "cuoco cuoca", "Koch Köchin"),
    "farmer": ("agricultor agricultora", "contadino contadina", "Bauer Bäuerin"),
}
WOMEN = {
    "nurse": ("enfermero enfermera", "infermiere infermiera", "Krankenpfleger Krankenpflegerin"),
    "secretary": ("secretario secretaria", "segretario segretaria", "Sekretär Sekretärin"),
    "librarian": ("bibliotecario bibliotecaria", "bibliotecario bibliotecaria", "Bibliothekar Bibliothekarin"),
    "cashier": ("cajero cajera", "cassiere cassiera", "Kassierer Kassiererin"),
    "teacher": ("maestro maestra", "maestro maestra", "Lehrer Lehrerin"),
    "hairdresser": ("peluquero peluquera", "parrucchiere parrucchiera", "Friseur Friseurin"),
}
PEOPLE = MEN | WOMEN
LANGUAGES = ("es", "it", "de")
#: articles before the first person, and before the second after the verb: masculine, feminine
ARTICLES = {
    "es": (("El", "La"), ("al", "a la")),
    "it": (("Il", "La"), ("il", "la")),
    "de": (("Der", "Die"), ("den", "die")),
}
#: English reason, whether it refers to the first person, and its translations, which show no gender
REASONS = (
    ("because {he} needed help", True, ("porque necesitaba ayuda", "perché aveva bisogno di aiuto", "um Hilfe")),
    ("who was enjoying {his} holiday", False, ("de vacaciones", "in vacanza", "im Urlaub")),
)
VERBS = {"es": "llamó", "it": "ha chiamato", "de": "bat"}
PRONOUNS = {"masculine": ("he", "his"), "feminine": ("she", "her"), "neutral": ("they", "their")}


def write_sentences(path, with_neutral=False):
    """Write sentences in which every man and woman occurs equally often, as one's own data."""
    genders = ("masculine", "feminine", "neutral") if with_neutral else ("masculine", "feminine")
    rows = []
    for number, (man, woman, is_swapped, (reason, is_first, _)) in enumerate(product(MEN, WOMEN, (0, 1), REASONS)):
        first, second = (woman, man) if is_swapped else (man, woman)
        entity, other = (first, second) if is_first else (second, first)
        for gender in genders:
            he, his = PRONOUNS[gender]
            text = f"The {first} called the {second} {reason.format(he=he, his=his)}."
            pro = gender == ("masculine" if entity in MEN else "feminine")
            stereotype = "" if gender == "neutral" else "pro" if pro else "anti"
            rows.append((text, entity, gender, other, stereotype, number))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("source", "entity", "gender", "other", "stereotype", "twin"))
        writer.writerows(rows)
    return path


def translate(path, language, choose):
    """Return the translations of a system that chooses a gender from a row and the name of a person."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    place = LANGUAGES.index(language)
    found = []
    for row in rows:
        _, first, _, _, second, *_ = row["source"].rstrip(".").split()
        reason = next(each[2] for each in REASONS if each[1] is (first == row["entity"]))[place]
        words = []
        for name, articles in zip((first, second), ARTICLES[language], strict=True):
            is_feminine = choose(row, name) == "feminine"
            words.append(f"{articles[is_feminine]} {PEOPLE[name][place].split()[is_feminine]}")
        found.append(f"{words[0]} {VERBS[language]} {words[1]} {reason}.")
    return found


def masculine(row, name):
    return "masculine"


def by_pronoun(row, name):
    return row["gender"] if name == row["entity"] else "masculine"


def against_pronoun(row, name):
    return {"masculine": "feminine", "feminine": "masculine"}[row["gender"]]


def by_stereotype(row, name):
    return "masculine" if name in MEN else "feminine"
