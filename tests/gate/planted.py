"""Sentences about people of unknown gender, and what systems with a known habit make of them in Spanish and German."""

from itertools import product

#: English -> masculine and feminine in Spanish and in German (nominative, accusative)
PEOPLE = {
    "nurse": {"es": ("enfermero", "enfermera"), "de": ("Krankenpfleger", "Krankenpflegerin")},
    "lawyer": {"es": ("abogado", "abogada"), "de": ("Anwalt", "Anwältin")},
    "teacher": {"es": ("profesor", "profesora"), "de": ("Lehrer", "Lehrerin")},
    "engineer": {"es": ("ingeniero", "ingeniera"), "de": ("Ingenieur", "Ingenieurin")},
    "friend": {"es": ("amigo", "amiga"), "de": ("Freund", "Freundin")},
    "neighbor": {"es": ("vecino", "vecina"), "de": ("Nachbar", "Nachbarin")},
}
#: role -> English, and Spanish and German with the person's phrase in the nominative or accusative
FRAMES = {
    "subject": ("The {} sang.", {"es": ("{} cantó.", 0), "de": ("{} sang.", 0)}),
    "object": ("Mary saw the {}.", {"es": ("María vio a {}.", 0), "de": ("Maria sah {}.", 1)}),
}
ARTICLES = {"es": (("el", "la"), ("el", "la")), "de": (("der", "die"), ("den", "die"))}


def sentences():
    """Yield source, person and role of all sentences about one person, then those about two."""
    for word, role in product(PEOPLE, FRAMES):
        yield FRAMES[role][0].format(word), [(word, role)]
    for one, other in product(("nurse", "friend"), ("lawyer", "engineer")):
        yield f"The {one} called the {other}.", [(one, "subject"), (other, "object")]


def own_file(folder):
    """Write the sentences as a data file."""
    path = folder / "people.csv"
    rows = [f"{source},{word},{role}" for source, people in sentences() for word, role in people]
    path.write_text("\n".join(["source,entity,role", *rows, ""]), encoding="utf-8")
    return str(path)


def phrase(word, language, gender, case):
    return f"{ARTICLES[language][case][gender]} {PEOPLE[word][language][gender]}"


def both(word, language, case):
    """El enfermero o la enfermera; der Lehrer oder die Lehrerin."""
    joint = {"es": "o", "de": "oder"}[language]
    return f" {joint} ".join(phrase(word, language, gender, case) for gender in range(2))


def inline(word, language, case):
    return f"[[{'/'.join(phrase(word, language, gender, case) for gender in range(2))}]]"


def translated(people, language, choose):
    """Translate a sentence; `choose(word, language, case)` names a person."""
    if len(people) == 1:
        (word, role) = people[0]
        text, case = FRAMES[role][1][language]
        return text.format(choose(word, language, case))
    (one, _), (other, _) = people
    verb = {"es": "llamó a", "de": "rief"}[language]
    suffix = {"es": "", "de": " an"}[language]
    return f"{choose(one, language, 0)} {verb} {choose(other, language, 1)}{suffix}."


def masculine(word, language, case):
    return phrase(word, language, 0, case)


def feminine(word, language, case):
    return phrase(word, language, 1, case)


def stereotyped(word, language, case):
    """Nurses and teachers are women, everyone else is a man."""
    return phrase(word, language, int(word in ("nurse", "teacher")), case)


def outputs(language, choose):
    """Return the translations of all sentences, in the order of the data."""
    return [translated(people, language, choose) for _, people in sentences()]
