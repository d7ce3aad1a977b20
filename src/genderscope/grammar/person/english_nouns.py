"""Dictionary forms of English words for people: “police officers” is listed as “police officer” or “officer”."""

_IRREGULAR = {
    "children": "child",
    "grandchildren": "grandchild",
    "people": "person",
    "salespeople": "salesperson",
    "men": "man",
    "women": "woman",
    "wives": "wife",
    "thieves": "thief",
    "heroes": "hero",
}


def singular(person: str) -> str:
    """Return the singular of a person word in lower case."""
    *before, word = person.lower().split() or [""]
    if word in _IRREGULAR:
        word = _IRREGULAR[word]
    elif word.endswith("ies") and len(word) > 4:
        word = f"{word[:-3]}y"
    elif word.endswith(("sses", "ches", "shes", "xes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return " ".join((*before, word))


def listed_names(person: str) -> tuple[str, ...]:
    """Return the names under which a person may be listed: as given, in the singular, and without modifiers."""
    last = person.rsplit(" ", 1)[-1]
    return tuple(dict.fromkeys((person, singular(person), last, singular(last))))
