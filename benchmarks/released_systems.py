"""Items with released translations for `known_pairs.py`, read from the data mirror at run time and never stored."""

import csv
import gzip
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from benchmarks.constructed_systems import GENDER_WORDS, Item, Material, uniform

from genderscope.core.errors import UserError
from genderscope.samples import eurogest, fetch
from genderscope.samples.gest import MALE, load

SPEAKER_SENTENCES, GATE_SENTENCES, TWINS, SEGMENTS, PASSAGES = 12, 150, 150, 100, 500
#: system -> folder of its WinoMT translations
WINOMT = {
    "google": "winomt/translations/google",
    "bing": "winomt/translations/bing",
    "google25": "winomt-2025/translations/google",
    "nllb25": "winomt-2025/translations/nllb",
    "opus25": "winomt-2025/translations/opus",
}
DIALOGUE = ("Claude-3.5", "ONLINE-W", "Llama3-70B")
_STRUCTURE = re.compile(r"\[\[([^/\]]*)/([^\]]*)\]\]")
_GENDERED = {"he": "she", "she": "he", "man": "woman", "woman": "man", "He": "She", "She": "He"}


def _path(name: str) -> Path:
    if (folder := fetch.mirror()) is None:
        raise UserError("The released systems are read from a data mirror; set GENDERSCOPE_MIRROR, or use --own.")
    return folder / name


@cache
def _lines(name: str) -> list[str]:
    return gzip.decompress(_path(name).read_bytes()).decode().removesuffix("\n").split("\n")


def speaker(languages: Sequence[str]) -> Material:
    """GEST's sentences with EuroGEST's masculine and feminine translations and those of Google and Amazon."""
    pairs = {language: {pair.source: pair for pair in eurogest.load().pairs[language]} for language in languages}
    systems = {language: _translators(language) for language in languages}
    known = [set(found) for found in pairs.values()]
    known += [set(found) for named in systems.values() for found in named.values()]
    groups: dict[int, list[str]] = defaultdict(list)
    for sample in load(None).samples:
        if all(sample.sentence in sources for sources in known):
            groups[sample.stereotype].append(sample.sentence)
    items, rows = [], [("sentence", "stereotype")]
    for stereotype, sources in sorted(groups.items()):
        for source in sorted(set(sources), key=lambda text: uniform("sample", text))[:SPEAKER_SENTENCES]:
            rows.append((source, str(stereotype)))
            for language in languages:
                pair = pairs[language][source]
                texts = {"M": f"{pair.male}.", "F": f"{pair.female}."}
                texts |= {name: found[source] for name, found in systems[language].items()}
                items.append(Item(source, language, stereotype="M" if stereotype in MALE else "F", texts=texts))
    return Material(items, rows)


def _translators(language: str) -> dict[str, dict[str, str]]:
    files = {name: f"gest/translations/{name}_translate/{language}.csv.gz" for name in ("google", "amazon")}
    rows = {name: csv.DictReader(_lines(path)) for name, path in files.items() if _path(path).exists()}
    return {name: {row["from"]: row["to"] for row in found} for name, found in rows.items()}


def gate(languages: Sequence[str]) -> Material:
    """GATE's sentences with the references in which everyone is a man, or everyone a woman."""
    items = []
    for language in languages:
        if (path := f"gate-apple/gate.en-{language}.tsv.gz") and language in {"de", "pt", "ru"}:
            for row in csv.DictReader(_lines(path), delimiter="\t", quoting=csv.QUOTE_NONE):
                text = row["translation with gender structures"]
                texts = {"M": _STRUCTURE.sub(r"\1", text), "F": _STRUCTURE.sub(r"\2", text), "I": text}
                items.append(Item(row["source"].strip(), language, texts=texts))
            continue
        for file in sorted(_path(f"gate/{language.upper()}").glob("*_variants.tsv")):
            size = {"2": 1, "4": 2, "8": 3}[file.name.split("_")[1]]
            for row in csv.DictReader(file.open(encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE):
                texts = {gender: row[gender.lower() * size] for gender in "MF"}
                items.append(Item(row["source"].strip(), language, texts=texts))
    once = {(item.source, item.language): item for item in reversed(items)}
    return Material(list(once.values()), options={"limit": GATE_SENTENCES})


def winomt(languages: Sequence[str]) -> Material:
    """WinoMT's sentences about a man and their twins about a woman, with several systems' outputs for both."""
    from genderscope.samples.winomt import load_released

    twins = defaultdict(list)
    for sentence in load_released().samples:
        if sentence.gender != "neutral" and sentence.stereotype:
            twins[sentence.twin].append(sentence)
    chosen = [pair for pair in twins.values() if sorted(one.gender for one in pair) == ["feminine", "masculine"]]
    chosen.sort(key=lambda pair: uniform("sample", pair[0].source))
    items, rows = [], [("source", "entity", "gender", "other", "stereotype", "twin")]
    for pair in chosen[:TWINS]:
        for one, twin in (pair, pair[::-1]):
            rows.append((one.source, one.entity, one.gender, one.other, one.stereotype, one.twin))
            for language in languages:
                outputs = {name: f"{folder}/en-{language}.txt.gz" for name, folder in WINOMT.items()}
                texts = {}
                for name, path in outputs.items():
                    if _path(path).exists():
                        texts[name] = _lines(path)[one.number].partition(" ||| ")[2]
                        texts[f"{name}~"] = _lines(path)[twin.number].partition(" ||| ")[2]
                items.append(Item(one.source, language, GENDER_WORDS[one.gender], key=one.twin, texts=texts))
    return Material(items, rows)


def mt_geneval(languages: Sequence[str]) -> Material:
    """MT-GenEval's counterfactual segments with their references."""
    from genderscope.samples import mt_geneval as samples

    items = []
    for segment in samples.load(languages, "test", ("counterfactual",), True).samples:
        masculine, feminine = segment.versions
        texts = {"M": masculine.reference, "F": feminine.reference}
        for version in segment.versions:
            items.append(Item(version.source, segment.language, GENDER_WORDS[version.gender], texts=texts))
    return Material(items, options={"set": "counterfactual", "limit": SEGMENTS})


def dialogue(languages: Sequence[str]) -> Material:
    """The released passages with outputs of WMT24, also those of the passage in which men and women are exchanged."""
    place = {source: number for number, source in reversed(list(enumerate(_lines("wmt24/sources.txt.gz"))))}
    items = []
    for source, number in place.items():
        exchanged = re.sub(r"\b(?:[Hh]e|[Ss]he|man|woman)\b", lambda word: _GENDERED[word[0]], source)
        for language in languages:
            texts = {}
            for name in DIALOGUE:
                if _path(path := f"wmt24/outputs/{language}/{name}.txt.gz").exists():
                    texts[name] = _lines(path)[number]
                    texts[f"{name}~"] = _lines(path)[place.get(exchanged, number)]
            items.append(Item(source, language, texts=texts))
    return Material(items, options={"limit": PASSAGES})


RELEASED: dict[str, Callable[[Sequence[str]], Material]] = {
    "gest-mt": speaker,
    "gate": gate,
    "winomt": winomt,
    "mt-geneval": mt_geneval,
    "dialogue": dialogue,
}
