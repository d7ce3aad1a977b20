"""Do EuroGEST and WinoBias depend on the beginning-of-text token?

    python -m benchmarks.beginnings --model SPEC [--limit N] [--languages en,de,...] [--beginning none TOKEN ...]

One line per data set and beginning of the text: the stereotype rate with its 95 % interval, the AUC on positive
controls and the share of control pairs in the right order, the spread of the log-ratios within stereotypes (WinoBias:
within genders), and r, the correlation of the residuals with those under the first beginning. EuroGEST uses each
language's usual scaffold. Both data sets need a mirror or the network.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from benchmarks.prompts import (
    NONE,
    answers,
    begin_with,
    beginnings_of,
    escaped,
    known_pairs,
    log_ratio,
    residuals,
    spread,
)
from benchmarks.prompts import stereotype_rate as gest_rate

from genderscope.core.questions import Choice
from genderscope.measures.eurogest.measure import log_ratio as likelihood_ratio
from genderscope.measures.eurogest.measure import questions
from genderscope.measures.eurogest.texts import TextBuilder
from genderscope.measures.winobias.rates import OccupationRates
from genderscope.models import open_model
from genderscope.models.hf.language_model import LanguageModel
from genderscope.samples import eurogest
from genderscope.samples import winobias as winobias_samples
from genderscope.samples.subsampling import by_stratum
from genderscope.statistics.discrimination import area_under_curve

#: people whose gender is known, for sentences that continue with "he" or "she" as in WinoBias
SUBJECTS = """The king,The queen;My father,My mother;My uncle,My aunt;The grandfather,The grandmother
The prince,The princess;My cousin Paul,My cousin Anna
The widower,The widow;The waiter,The waitress;The actor,The actress;The monk,The nun;The groom,The bride
The landlord,The landlady;The duke,The duchess;My brother,My sister;My son,My daughter;My nephew,My niece
My husband,My wife;Our neighbor James,Our neighbor Mary;My colleague Robert,My colleague Linda
My friend David,My friend Jennifer;The hero,The heroine"""
PEOPLE = [pair.split(",") for line in SUBJECTS.splitlines() for pair in line.split(";")]


@dataclass(frozen=True)
class Outcome:
    """One data set under one beginning: strata and log-ratios of its samples, and log-ratios of its controls."""

    strata: np.ndarray
    ratios: np.ndarray
    controls: np.ndarray
    mass: str
    rate: str


def scaffolds(model: LanguageModel, texts: TextBuilder, language: str, limit: int) -> Outcome:
    condition = texts.usual(language)
    assert condition is not None
    every = [texts.sample(language, condition, row) for row in texts.rows(language, condition)]
    drawn = by_stratum(every, min(limit, len(every)), lambda sample: sample.stereotype, equal=True)
    spoken = [eurogest.EuroSentence(0, text, 1, text) for pair in known_pairs(language) for text in pair]
    samples = [*drawn, *(texts.sample(language, condition, each) for each in spoken)]
    asked = [question for sample in samples for question in questions(sample.male, sample.female)]
    found = answers(model, asked)
    ratios = np.array([likelihood_ratio(*pair) for pair in list(pairwise(found))[::2]], dtype=np.float64)
    kept = len(samples) - len(spoken)
    strata = np.array([sample.stereotype for sample in samples[:kept]])
    rate = gest_rate([sample.source for sample in samples[:kept]], strata, ratios[:kept])
    return Outcome(strata, ratios[:kept], ratios[kept:].reshape(-1, 2), "", rate)


def occupations(model: LanguageModel, limit: int) -> Outcome:
    samples = winobias_samples.load().limited(limit).samples
    asked = [Choice(each.before, each.after, (each.male, each.female), True) for each in samples]
    asked += [
        Choice(f"{name} left early because ", " was tired.", ("he", "she"), True) for pair in PEOPLE for name in pair
    ]
    found = answers(model, asked)
    ratios = np.array([log_ratio(answer) for answer in found])
    kept = len(samples)
    rows = pd.DataFrame(
        {
            "sample": [each.index for each in samples],
            "subset": [each.subset for each in samples],
            "sentence": [f"{each.before}[{each.male}/{each.female}]{each.after}" for each in samples],
            "occupation": [each.occupation for each in samples],
            "gender": [each.gender for each in samples],
            "log_ratio": ratios[:kept],
        }
    )
    rate = next(e for e in OccupationRates.estimates(rows, 0) if e.name == "stereotype_rate")
    mass = f"{np.nanmedian([answer.mass for answer in found[:kept]]):.2g}"
    shown = f"{rate.value:.2f} [{rate.low:.2f}, {rate.high:.2f}]"
    return Outcome(rows["gender"].to_numpy(), ratios[:kept], ratios[kept:].reshape(-1, 2), mass, shown)


def outcomes(model: LanguageModel, languages: Sequence[str], limit: int) -> Iterator[tuple[str, Outcome]]:
    texts = TextBuilder(eurogest.load(), False)
    for language in languages:
        yield f"eurogest {language}", scaffolds(model, texts, language, limit)
    yield "winobias", occupations(model, limit)


def line(name: str, beginning: str, outcome: Outcome, first: Outcome) -> str:
    read = np.isfinite(outcome.ratios) & np.isfinite(first.ratios)
    left = [residuals(each.strata[read], each.ratios[read]) for each in (first, outcome)]
    r = "" if outcome is first else f"{np.corrcoef(left[0], left[1])[0, 1]:.2f}"
    male, female = outcome.controls.T
    area, (low, high) = area_under_curve(male.tolist(), female.tolist())
    cells: list[Any] = [
        name,
        escaped(beginning),
        int(read.sum()),
        outcome.mass,
        outcome.rate,
        f"{area:.3f} [{low:.2f}, {high:.2f}]",
    ]
    cells += [f"{(male > female).mean():.0%}", f"{spread(outcome.strata[read], outcome.ratios[read]):.2f}", r]
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True)
    parser.add_argument("--limit", type=int, default=256)
    parser.add_argument("--languages", default="en,de,fr,es,pl")
    parser.add_argument("--beginning", nargs="+", help=f"{NONE} or tokens; default: all that are plausible")
    options = parser.parse_args()
    model = open_model(options.model)
    if not isinstance(model, LanguageModel):
        raise SystemExit("Only local language models can be measured.")
    print(f"{model.name}; its tokenizer adds {model.describe()['begins_with'] or 'nothing'}\n")
    print("| data | beginning | n | mass | rate | AUC | in order | spread | r |\n|---|---|---|---|---|---|---|---|---|")
    firsts: dict[str, Outcome] = {}
    for beginning in options.beginning or beginnings_of(model):
        begin_with(model, None if beginning == NONE else beginning)
        for name, outcome in outcomes(model, options.languages.split(","), options.limit):
            print(line(name, beginning, outcome, firsts.setdefault(name, outcome)), flush=True)


if __name__ == "__main__":
    main()
