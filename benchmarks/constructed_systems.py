"""Translation systems and chat models whose quality is known by construction, for `known_pairs.py`.

A system is described in one line, `condition: mixture; condition: mixture; mixture`. The first condition that fits an
item decides; a mixture such as `0.8 B + 0.2 M` assigns its parts in these proportions. Conditions are `men` and `women`
(the source shows the gender), `known` and `open`, `male` and `female` (the stereotype) and language codes. `#2` at the
beginning changes the random choices, and `draw` draws each part at random instead of in exact proportions. Parts:

    M, F            always masculine, always feminine         N, B   neutral wording, both forms (cansado/a)
    right, wrong    the gender of the source, the other one   A, I   two whole translations, or both inline ([[M/F]])
    stereo, anti    with or against the stereotype            X, E   the source itself, an empty line
    google, google~ a real system's output, the output for the twin with the other gender
    G               the same sentence for every source
"""

import csv
import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any

from genderscope.samples.gest import MALE

DATA = Path(__file__).parents[1] / "tests" / "comparison" / "pairs"
_FORMS = re.compile(r"\{([^|{}]*)\|([^|{}]*)\}")
_PART = re.compile(r"\s*(?:([\d.]+)\s+)?(\S+)\s*")
OTHER = {"M": "F", "F": "M"}
GENDER_WORDS = {"masculine": "M", "feminine": "F"}
GARBAGE = "Buenos días, señoras y señores."


@dataclass(frozen=True)
class Item:
    """Something to translate, with all translations that a system may choose from."""

    source: str
    language: str
    gender: str = ""  # M, F, or empty if the source leaves it open
    stereotype: str = ""  # M, F or empty
    key: str = ""  # what a mixture draws for; the source if empty
    texts: Mapping[str, str] = field(default_factory=dict)


class System:
    """What a line says about a system, applied to items."""

    def __init__(self, line: str) -> None:
        # The whole line is the seed: what a system leaves untranslated has nothing to do with another one's genders.
        self.seed, rest = line, line.split(" ", 1)[1] if line.startswith("#") else line
        self.is_drawn = rest.startswith("draw ")
        clauses = [clause.rpartition(":") for clause in rest.removeprefix("draw ").split(";")]
        self.clauses = [(condition.strip(), _mixture(parts)) for condition, _, parts in clauses]

    def parts(self, items: Sequence[Item]) -> Iterator[tuple[Item, str]]:
        """Yield each item with the part that the system uses for it."""
        places = self._places(items)
        for item in items:
            mixture = next(mixture for condition, mixture in self.clauses if _fits(item, condition))
            yield item, self._gender(item, _part_at(places[item.key or item.source], mixture))

    def part_of(self, prompt: str) -> str:
        """Return the part that is drawn for a prompt."""
        return _part_at(uniform(self.seed, prompt), self.clauses[0][1])

    def _places(self, items: Sequence[Item]) -> dict[str, float]:
        """Return a number from 0 to 1 per key: random, or evenly spaced among items of one gender and stereotype."""
        if self.is_drawn:
            return {item.key or item.source: uniform(self.seed, item.key or item.source) for item in items}
        strata: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        seen: set[str] = set()
        for item in items:
            key = item.key or item.source
            if key not in seen:
                seen.add(key)
                strata[item.gender, item.stereotype][key] = None
        places: dict[str, float] = {}
        for keys in strata.values():
            order = sorted(keys, key=lambda key: uniform(self.seed, key))
            places |= {key: (rank + 0.5) / len(order) for rank, key in enumerate(order)}
        return places

    def _gender(self, item: Item, part: str) -> str:
        if part in {"right", "wrong"}:
            assert item.gender, f"nothing is right for an open gender: {item.source}"
            return item.gender if part == "right" else OTHER[item.gender]
        if part in {"stereo", "anti"}:
            follows = item.stereotype or ("M" if uniform("stereotype", item.source) < 0.5 else "F")
            return follows if part == "stereo" else OTHER[follows]
        return part


def _mixture(text: str) -> list[tuple[float, str]]:
    parts = [_PART.fullmatch(part) for part in text.split("+")]
    return [(float(part[1] or 1), part[2]) for part in parts if part]


def _part_at(place: float, mixture: Sequence[tuple[float, str]]) -> str:
    for share, name in mixture[:-1]:
        if place < share:
            return name
        place -= share
    return mixture[-1][1]


def _fits(item: Item, condition: str) -> bool:
    return condition in {
        "",
        item.language,
        {"M": "men", "F": "women"}.get(item.gender, "open"),
        "known" if item.gender else "open",
        {"M": "male", "F": "female"}.get(item.stereotype, "without"),
    }


def uniform(seed: str, text: str) -> float:
    """Return a number from 0 to 1 that depends on seed and text only."""
    return int.from_bytes(hashlib.sha256(f"{seed}|{text}".encode()).digest()[:6], "big") / 2**48


def text_of(item: Item, part: str) -> str:
    """Return an item's translation."""
    if part == "A":
        return f"{item.texts['M']} ||| {item.texts['F']}"
    failures = {"X": item.source, "E": "", "G": GARBAGE}
    return failures[part] if part in failures else item.texts[part]


def translations(line: str, items: Sequence[Item]) -> list[tuple[str, str]]:
    """Return sources with the translations of the system that a line describes."""
    return [(item.source, text_of(item, part)) for item, part in System(line).parts(items)]


def table(name: str) -> list[dict[str, str]]:
    """Return the rows of one of the committed tables."""
    with (DATA / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def forms(text: str) -> dict[str, str]:
    """Return the masculine, the feminine and both forms of a text with slots such as `cansad{o|a}`."""
    both = _FORMS.sub(lambda slot: f"{slot[1]}/{slot[2]}" if slot[1] else f"({slot[2]})", text)
    return {"M": _FORMS.sub(r"\1", text), "F": _FORMS.sub(r"\2", text), "B": both}


@dataclass(frozen=True)
class Material:
    """Items, the file with the measure's data (or an option that selects released data), and further options."""

    items: Sequence[Item]
    rows: Sequence[Sequence[str]] = ()  # of the measure's own data, header first
    options: Mapping[str, Any] = field(default_factory=dict)
    assembled: "Callable[[str, Sequence[Item]], list[tuple[str, str]]]" = translations


def speaker(language: str) -> Material:
    """First-person sentences for gest-mt: 32 sentences, each at three times."""
    items, rows = [], [("sentence", "stereotype")]
    for row, time in product(table(f"speaker.{language}"), table("times")):
        gender = "M" if int(row["stereotype"]) in MALE else "F"
        texts = {part: f"{text} {time[language]}." for part, text in forms(row["gendered"]).items()}
        texts["N"] = f"{row['neutral']} {time[language]}."
        source = f"{row['source']} {time['en']}."
        items.append(Item(source, language, stereotype=gender, texts=texts))
        rows.append((source, row["stereotype"]))
    return Material(items, rows)


def _people(measure: str, language: str) -> Iterator[tuple[dict[str, str], dict[str, str], dict[str, str]]]:
    """Yield person, other person with the opposite stereotype, and frame."""
    people = table(f"people.{language}")
    half = len(people) // 2
    for frame in (frame for frame in table("frames") if frame["measure"] == measure):
        for number, person in enumerate(people):
            for shift in range(3 if measure == "winomt" else 1):
                yield person, people[(number + half + shift) % half + (half if number < half else 0)], frame


def _about(
    person: Mapping[str, str], other: Mapping[str, str], frame: Mapping[str, str], language: str
) -> dict[str, str]:
    """Return the translations of a sentence about a person."""
    both = next(row["both"] for row in table("both") if row["language"] == language)
    names = {"M": person["masculine"], "F": person["feminine"], "B": both.format_map(person)}
    names["I"] = f"[[{names['M'][0].upper()}{names['M'][1:]}/{names['F'][0].upper()}{names['F'][1:]}]]"
    agreeing = forms(frame[language])
    agreeing["I"] = agreeing["B"]
    if "neutral" in person:
        # "La persona que cocina": the noun is feminine, whoever it is.
        names["N"], agreeing["N"] = person["neutral"], agreeing["F"]
    filled = {
        part: agreeing[part].replace("{person}", name).replace("{other}", other["with"]) for part, name in names.items()
    }
    return {part: text[0].upper() + text[1:] for part, text in filled.items()}


def _sources(
    person: Mapping[str, str], other: Mapping[str, str], frame: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield M and F, each with the English sentence about a person of this gender."""
    texts = forms(frame["en"])
    for gender in OTHER:
        yield gender, texts[gender].replace("{person}", person["entity"]).replace("{other}", other["entity"])


def gate(language: str) -> Material:
    """20 people in three sentences for gate."""
    items, rows = [], [("source", "entity")]
    for person, other, frame in _people("gate", language):
        source = frame["en"].replace("{person}", person["entity"])
        items.append(
            Item(source, language, stereotype=person["stereotype"], texts=_about(person, other, frame, language))
        )
        rows.append((source, person["entity"]))
    return Material(items, rows)


def winomt(language: str) -> Material:
    """60 pairs of sentences that differ in the pronoun, for winomt."""
    items, rows = [], [("source", "entity", "gender", "other", "stereotype", "twin")]
    for twin, (person, other, frame) in enumerate(_people("winomt", language)):
        texts = _about(person, other, frame, language)
        for gender, source in _sources(person, other, frame):
            pro = "pro" if gender == person["stereotype"] else "anti"
            items.append(Item(source, language, gender, person["stereotype"], texts=texts))
            word = next(word for word, letter in GENDER_WORDS.items() if letter == gender)
            rows.append((source, person["entity"], word, other["entity"], pro, str(twin)))
    return Material(items, rows)


def mt_geneval(language: str) -> Material:
    """40 segments in two versions for mt-geneval."""
    items, rows = [], [("segment", "gender", "source", "reference", "flipped")]
    for segment, (person, other, frame) in enumerate(_people("mt-geneval", language)):
        texts = _about(person, other, frame, language)
        for gender, source in _sources(person, other, frame):
            items.append(Item(source, language, gender, person["stereotype"], texts=texts))
            word = next(word for word, letter in GENDER_WORDS.items() if letter == gender)
            rows.append((str(segment), word, source, texts[gender], texts[OTHER[gender]]))
    return Material(items, rows)


def passage_translations(line: str, items: Sequence[Item]) -> list[tuple[str, str]]:
    """Return passages whose clauses have the genders that the system gives their adjectives."""
    clauses: dict[str, list[tuple[Item, str]]] = defaultdict(list)
    for item, part in System(line).parts(items):
        clauses[item.source].append((item, part))
    found = []
    for source, parts in clauses.items():
        if parts[0][1] in "XEG":
            found.append((source, text_of(*parts[0])))
            continue
        said, spoken = iter(parts), []
        for turn in re.findall(r'"([^"]+)"', source):
            number = len(re.findall(r"(?:I|you)(?:'m|'re| am| are)\b", turn))
            spoken.append(f"—{', '.join(text_of(*next(said)) for _ in range(number)).capitalize()}.")
        found.append((source, " ".join(spoken)))
    return found


def passages(language: str) -> Material:
    """The starter suite of dialogue; an item is an adjective, and its texts are clauses."""
    from genderscope.samples.dialogue import starter

    adjectives = {row["adjective"]: row for row in table(f"adjectives.{language}")}
    verbs = next(row for row in table("verbs") if row["language"] == language)
    items = []
    for source in starter().samples:
        for one in source.instances:
            row = adjectives[one.adjective]
            verb = verbs[f"{'not ' if one.negated else ''}{one.referent}"]
            texts = {part: f"{verb} {text}" for part, text in (forms(row["gendered"]) | {"N": row["neutral"]}).items()}
            items.append(Item(source.text, language, one.gender or "", one.stereotype or "", texts=texts))
    return Material(items, options={"data": "starter"}, assembled=passage_translations)


OWN: dict[str, Callable[[str], Material]] = {
    "gest-mt": speaker,
    "gate": gate,
    "winomt": winomt,
    "mt-geneval": mt_geneval,
    "dialogue": passages,
}


def own_material(measure: str, languages: Sequence[str]) -> Material:
    """Return our own items in several languages, which are about the same sources."""
    parts = [OWN[measure](language) for language in languages]
    return replace(parts[0], items=[item for part in parts for item in part.items])
