"""Studies planned with `plan`: how often the verdict's interval finds the effect, for units that are alike or differ.

Each replication draws a pilot, plans a study from it, draws the study, and looks whether the interval that the verdict
uses excludes the neutral point. Pilots that call for more units instead of more samples are counted separately.

python -m benchmarks.simulated.power [REPLICATIONS] [MEASURE ...]
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from benchmarks.simulated import Checked, Situation
from benchmarks.simulated.gest import frame as gest_frame
from benchmarks.simulated.translation import frame as translated
from benchmarks.simulated.wordfill import frame as wordfill_frame

from genderscope.comparison import plan
from genderscope.judgement import leading
from genderscope.judgement.estimate_judgement import model_interval
from genderscope.measures import measure_type
from genderscope.runs import Result
from genderscope.samples.gest import MALE
from genderscope.samples.winomt import JOINER

#: draws rows: generator, samples, standard deviation between units, effect
Draw = Callable[[np.random.Generator, int, float, float], pd.DataFrame]
SIDES = {i: 1.0 if i in MALE else -1.0 for i in range(1, 17)}


def _texts(n: int, value: str | None = None) -> "pd.Series[str]":
    return pd.Series([value] * n, dtype="string")


def gest(generator: np.random.Generator, n: int, tau: float, effect: float) -> pd.DataFrame:
    """Log-ratios of sentences that differ by 0.43 within stereotypes."""
    each = max(2, -(-n // 16))
    values = {
        i: side * effect / 2 + tau * generator.normal() + 0.43 * generator.normal(size=(each, 1))
        for i, side in SIDES.items()
    }
    return gest_frame(values)


def eurogest(generator: np.random.Generator, n: int, tau: float, effect: float) -> pd.DataFrame:
    """The same in one language and one condition."""
    rows = gest(generator, n, tau, effect)
    return rows.assign(language="sk", condition="gendered")


def gest_mt(generator: np.random.Generator, n: int, tau: float, effect: float) -> pd.DataFrame:
    """Masculine forms around one half, with shares that differ between stereotypes."""
    each = max(2, -(-n // 16))
    masculine = {}
    for i, side in SIDES.items():
        chance = np.clip(0.5 + side * effect / 2 + tau * generator.normal(), 0, 1)
        masculine[i] = (generator.random((each, 1)) < chance).astype(float)
    return translated(masculine, 1.0, generator)


def gest_chat(generator: np.random.Generator, n: int, tau: float, effect: float) -> pd.DataFrame:
    """One text for each sentence."""
    each = max(2, -(-n // 15))
    chance = np.array([0.5 + side * effect / 2 + tau * generator.normal() for side in SIDES.values()]).clip(0, 1)
    men = generator.random(16 * each) < np.repeat(chance, each)
    return pd.DataFrame(
        {
            "sample": np.arange(16 * each),
            "sentence": [f"s{k}" for k in range(16 * each)],
            "stereotype": np.repeat(np.arange(1, 17), each),
            "wording": 1,
            "order": None,
            "draw": 0,
            "outcome": np.where(men, "male", "female"),
            "unread": _texts(16 * each),
        }
    )


def bbq(generator: np.random.Generator, n: int, tau: float, effect: float) -> pd.DataFrame:
    """Ambiguous questions in 27 templates, half of them answered with a person."""
    n = max(54, n)
    template = np.arange(n) % 27
    lean = np.clip(effect + tau * generator.normal(size=27), -0.5, 0.5)[template]
    drawn = generator.random(n)
    outcome = np.where(drawn < 0.25 + lean / 2, "biased", np.where(drawn < 0.5, "counter", "unknown"))
    return pd.DataFrame(
        {
            **{"sample": np.arange(n), "item": np.arange(n).astype(str), "language": "en", "wording": 1, "order": ""},
            **{"template": [f"t{k}" for k in template], "condition": "ambiguous", "truth": "unknown", "group": "women"},
            **{"value": "v", "control": False, "unknown_wording": "u", "outcome": outcome, "unread": _texts(n)},
        }
    )


def decisions(generator: np.random.Generator, n: int, tau: float, effect: float) -> pd.DataFrame:
    """Items about a woman and a man in 70 scenarios."""
    items = max(140, -(-n // 2))
    scenario = np.arange(items) % 70
    gap = effect + (tau * generator.normal(size=70))[scenario]
    parts = []
    for gender, side in (("male", 1), ("female", -1)):
        yes = generator.random(items) < np.clip(0.5 + side * gap / 2, 0, 1)
        columns = {"item": np.arange(items).astype(str), "scenario": [f"s{k}" for k in scenario], "gender": gender}
        parts.append(pd.DataFrame({**columns, "outcome": np.where(yes, "yes", "no")}))
    rows = pd.concat(parts, ignore_index=True)
    rows = rows.assign(sample=np.arange(len(rows)), probe="discrimination", order="", draw=0, source=None, score=np.nan)
    return rows.assign(value=np.nan, unread=_texts(len(rows)))


def winobias(generator: np.random.Generator, n: int, tau: float, effect: float) -> pd.DataFrame:
    """Sentences with a male and a female occupation, 20 of each."""
    n = max(400, n)
    male, female = np.arange(n) % 20, generator.integers(20, size=n)
    about = np.arange(n) // 20 % 2 == 0
    pulls = tau * generator.normal(size=(2, 20))
    side = np.where(about, 1.0, -1.0)
    value = side * effect / 2 + np.where(about, pulls[0][male], pulls[1][female]) + 1.2 * generator.normal(size=n)
    return pd.DataFrame(
        {
            **{"sample": np.arange(n), "subset": "type 1 dev", "log_ratio": value, "unread": None},
            "sentence": [
                f"The m{m} met the f{f} {k} [he/she]" for k, (m, f) in enumerate(zip(male, female, strict=True))
            ],
            "occupation": [f"m{m}" if a else f"f{f}" for a, m, f in zip(about, male, female, strict=True)],
            "gender": np.where(about, "male", "female"),
        }
    )


def honest(generator: np.random.Generator, n: int, tau: float, effect: float) -> pd.DataFrame:
    """28 terms and 15 patterns, with several templates for each; `effect` and `tau` in per cent."""
    copies = max(1, round(n / 420))
    chance = effect + tau * generator.normal(size=15)[None] + np.zeros((28, 1))
    hits = generator.binomial(20, np.clip(np.tile(chance, (copies, 1)) / 100, 0, 1))
    records = [
        (f"t{a % 28}", f"p{b}", "female" if a % 28 < 14 else "male", ["an"] * hit + [""] * (20 - hit), None)
        for a, row in enumerate(hits)
        for b, hit in enumerate(row)
    ]
    rows = pd.DataFrame(records, columns=["term", "pattern", "group", "categories", "unread"])
    return rows.assign(sample=np.arange(len(rows)))


def stereoset(generator: np.random.Generator, n: int, tau: float, effect: float) -> pd.DataFrame:
    """Quadruplets with ten target words."""
    targets = np.arange(max(20, n)) % 10
    contrast = effect + (tau * generator.normal(size=10))[targets] + generator.normal(size=len(targets))
    scores = {"f": contrast, "ss": contrast / 2, "ss_control": -contrast / 2}
    return wordfill_frame(np.arange(len(targets)), targets, scores)


def gate(generator: np.random.Generator, n: int, tau: float, effect: float) -> pd.DataFrame:
    """Sentences with one person each, of 60 words."""
    word = np.arange(max(120, n)) % 60
    chance = np.clip(0.5 + effect + tau * generator.normal(size=60), 0, 1)[word]
    count = len(word)
    men = generator.random(count) < chance
    return pd.DataFrame(
        {
            **{"sentence": np.arange(count), "person": 0, "language": "es", "role": "subject", "kind": "profession"},
            **{
                "item": [f"s{k}" for k in range(count)],
                "entity": [f"w{k}n" for k in word],
                "people": 1,
                "plural": False,
            },
            "reading": pd.Series(np.where(men, "masculine", "feminine"), dtype="string"),
            **{"how": _texts(count), "unread": _texts(count)},
        }
    )


def winomt(generator: np.random.Generator, n: int, tau: float, effect: float) -> pd.DataFrame:
    """Men and women in pairs of 20 male and 20 female occupations; the gap of F1 is a quarter of that of accuracies."""
    tau, effect = 4 * tau, 4 * effect
    twins = max(400, -(-n // 2))
    male, female = np.arange(twins) % 20, np.arange(twins) // 20 % 20
    about = np.arange(twins) // 400 % 2 == 0
    jobs = tau * generator.normal(size=(2, 20))
    shift = np.where(about, jobs[0][male], jobs[1][female])
    parts = []
    for gender, side in (("masculine", 1), ("feminine", -1)):
        right = generator.random(twins) < np.clip(0.75 + side * (effect / 2 + shift / 2), 0, 1)
        wrong = "feminine" if gender == "masculine" else "masculine"
        parts.append(pd.DataFrame({"gender": gender, "reading": np.where(right, gender, wrong), "k": np.arange(twins)}))
    rows = pd.concat(parts, ignore_index=True)
    m, f = male[rows["k"]], female[rows["k"]]
    stands = about[rows["k"]]
    entity = [f"m{a}" if s else f"f{b}" for a, b, s in zip(m, f, stands, strict=True)]
    other = [f"f{b}" if s else f"m{a}" for a, b, s in zip(m, f, stands, strict=True)]
    is_pro = stands == (rows["gender"] == "masculine").to_numpy()
    return rows.assign(
        number=np.arange(len(rows)),
        item=[f"{k} {g}" for k, g in zip(rows["k"], rows["gender"], strict=True)],
        twin=rows["k"].astype(str),
        pair=[JOINER.join((f"f{b}", f"m{a}")) for a, b in zip(m, f, strict=True)],
        entity=entity,
        other=other,
        stereotype=np.where(is_pro, "pro", "anti"),
        language="es",
        reading=rows["reading"].astype("string"),
        unread=_texts(len(rows)),
        other_reading=_texts(len(rows)),
        pronoun=_texts(len(rows)),
    )


def mt_geneval(generator: np.random.Generator, n: int, tau: float, effect: float) -> pd.DataFrame:
    """Counterfactual segments, each of which is a unit, with errors in a share of `effect`."""
    wrong = generator.random(n) < effect
    parts = [
        pd.DataFrame(
            {
                **{"subset": "counterfactual", "segment": np.arange(n), "gender": gender, "language": "es"},
                **{"item": [f"s{k}" for k in range(n)], "source": "They asked the person.", "mixed": False},
                **{"reading": np.where(wrong, "wrong", "right"), "unread": _texts(n)},
            }
        )
        for gender in ("masculine", "feminine")
    ]
    return pd.concat(parts, ignore_index=True)


@dataclass(frozen=True)
class Case:
    """A measure, its population, the pilot's size, and effects to find if units are alike, and if they differ."""

    measure: str
    draw: Draw
    pilot: int
    alike: float
    #: standard deviations between units -> effect, on the log scale for ratios
    differing: dict[float, float]
    options: dict[str, Any] = field(default_factory=dict)


CASES = (
    Case("gest", gest, 320, 0.2, {0.1: 0.25, 0.2: 0.45}),
    Case("eurogest", eurogest, 320, 0.2, {0.1: 0.25, 0.2: 0.45}, {"lang": ["sk"]}),
    Case("gest-mt", gest_mt, 640, 0.12, {0.05: 0.15, 0.1: 0.25}, {"to": ["es"]}),
    Case("gest-chat", gest_chat, 640, 0.12, {0.05: 0.15, 0.1: 0.25}, {"form": "write"}),
    Case("bbq", bbq, 300, 0.08, {0.1: 0.1, 0.2: 0.15}),
    Case("decisions", decisions, 1400, 0.06, {0.1: 0.08}),
    Case("winobias", winobias, 800, 0.25, {0.3: 0.4}),
    Case("honest", honest, 420, 1.0, {2.0: 2.5}),
    Case("stereoset", stereoset, 200, 0.15, {0.2: 0.3}),
    Case("gate", gate, 600, 0.06, {0.1: 0.07}, {"to": ["es"]}),
    Case("winomt", winomt, 1600, 0.02, {0.03: 0.025}, {"to": ["es"]}),
)


def finds(case: Case, rows: pd.DataFrame) -> bool:
    """Whether the interval behind the verdict lies above the neutral point."""
    kind = measure_type(case.measure)
    estimates = [drawn.estimate for drawn in kind.resampled(rows, kind.options_type(**case.options))]
    lead = leading(estimates, kind.headline)
    if lead is None or lead.neutral is None:
        return False
    low, _ = model_interval(lead)
    return low is not None and low > lead.neutral


def studied(case: Case, tau: float, effect: float, generator: np.random.Generator) -> bool | None:
    """Plan a study from a pilot and carry it out; None if the plan asks for more units."""
    rows = case.draw(generator, case.pilot, tau, effect)
    pilot = Result(case.measure, pd.DataFrame(), rows, "", "", (), {"configuration": case.options})
    kind = measure_type(case.measure)
    shown = float(np.exp(effect)) if kind.margins[kind.headline[0]].factor else effect
    needed, _ = plan(case.measure, shown, pilot=[pilot]).needed[0.8]
    return None if needed is None else finds(case, case.draw(generator, needed, tau, effect))


def planned(case: Case, tau: float, effect: float) -> Callable[[np.random.Generator], Iterator[Checked]]:
    """Count planned studies that find the effect like intervals that cover: 80 % are right."""

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        found = studied(case, tau, effect, generator)
        if found is not None:
            yield Checked("finds the effect (promised 80 %)", 1.0, float(found), float(found))

    return draw


def situations() -> Iterator[Situation]:
    """Every measure with a plan, with units that are alike and units that differ."""
    for case in CASES:
        for tau, effect in {0.0: case.alike, **case.differing}.items():
            name = f"{case.measure}, sd between units {tau:g}, effect {effect:g}"
            yield Situation("power", name, planned(case, tau, effect), 0.5)


def main(replications: int, names: list[str]) -> None:
    """Print the realised power of each case."""
    print("| measure | sd between units | effect | plans | realised power (promised 80 %) |\n|---|---|---|---|---|")
    for case in CASES:
        for tau, effect in {0.0: case.alike, **case.differing}.items():
            if names and case.measure not in names:
                continue
            generator = np.random.default_rng(47)
            found = [studied(case, tau, effect, generator) for _ in range(replications)]
            held = [each for each in found if each is not None]
            power = f"{np.mean(held):.0%}" if held else "–"
            print(f"| {case.measure} | {tau:g} | {effect:g} | {len(held) / len(found):.0%} | {power} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300, sys.argv[2:])
