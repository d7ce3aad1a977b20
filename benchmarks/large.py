"""Large inputs: does time grow linearly, and does memory stay bounded?

    python benchmarks/large.py [--sizes 10000,100000,1000000] [--only gest|gest-mt]

`gest` puts so many different sentences to a model of one layer, two questions a sentence; `gest-mt` reads so many
different translations from a file. Every size is measured in a process of its own, from the data file to the
report. The figures go into the note on large inputs: seconds on the clock, seconds of the processor, peak memory.
"""

import argparse
import csv
import itertools
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

#: Questions a pass; the default is meant for models that are not this small.
BATCH = 64

VERBS = ("painted", "carried", "found", "sold", "mended", "hid", "bought", "lost", "cleaned", "drew")
ADJECTIVES = ("old", "new", "red", "blue", "heavy", "light", "broken", "small", "large", "wooden")
NOUNS = ("chair", "table", "boat", "lamp", "book", "box", "wheel", "door", "window", "coat")
PLACES = ("house", "barn", "mill", "school", "church", "bridge", "station", "shop", "market", "garden")
WAYS = ("behind", "near", "under", "above", "beside", "inside", "outside", "before", "opposite", "below")
DAYS = ("today", "yesterday", "once", "again", "often", "twice", "alone", "quickly", "slowly", "gladly")

SLOVAK_VERBS = ("kúpil", "našiel", "stratil", "predal", "opravil", "skryl", "namaľoval", "priniesol", "zabudol")
SLOVAK_NOUNS = ("stôl", "obraz", "kabát", "kľúč", "list", "zvon", "klobúk", "prsteň", "hrniec", "rebrík")
SLOVAK_PLACES = ("pred domom", "za domom", "pred školou", "za školou", "pod mostom", "za dvorom", "nad mestom")


def sentences():
    """A million different English sentences in the first person."""
    for day, way, place, noun, adjective, verb in itertools.product(DAYS, WAYS, PLACES, NOUNS, ADJECTIVES, VERBS):
        yield f"I {verb} the {adjective} {noun} {way} the {place} {day}."


def translations():
    """Different Slovak sentences without end, by turns of a man and of a woman and of nobody to tell."""
    for number in itertools.count():
        for place, noun, verb in itertools.product(SLOVAK_PLACES, SLOVAK_NOUNS, SLOVAK_VERBS):
            yield f"Včera som {verb} {noun} {place} číslo {number}."
            yield f"Včera som {verb}a {noun} {place} číslo {number}."
            yield f"Vidím {noun} {place} číslo {number}."


def write(count, folder):
    data, translated = folder / "data.csv", folder / "translations.csv"
    with data.open("w", newline="") as own, translated.open("w", newline="") as theirs:
        samples, pairs = csv.writer(own), csv.writer(theirs)
        samples.writerow(("sentence", "stereotype"))
        pairs.writerow(("source", "translation"))
        given = zip(range(count), sentences(), translations(), strict=False)
        for k, sentence, translation in given:
            samples.writerow((sentence, k % 16 + 1))
            pairs.writerow((sentence, translation))
    return data, translated


def measure(name, count):
    import genderscope
    import genderscope.evaluation.pipeline

    sys.path.insert(0, str(Path(__file__).parents[1]))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        data, translated = write(count, folder)
        options: dict[str, Any] = {"to": ("sk",)} if name == "gest-mt" else {}
        model = f"file:{translated}"
        if name == "gest":
            from benchmarks import tiny_model

            model = str(folder / "model")
            tiny_model.build(model, [" ".join([*VERBS, *ADJECTIVES, *NOUNS, *PLACES, *WAYS, *DAYS])])
        wall, spent = time.perf_counter(), time.process_time()
        result = genderscope.evaluate(name, model, data=str(data), out=folder / "run", batch_size=BATCH, **options)
        wall, spent = time.perf_counter() - wall, time.process_time() - spent
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        sizes = {p.name: f"{p.stat().st_size / 1e6:.1f} MB" for p in sorted((folder / "run").iterdir())}
        assert len(result.rows) == count * (2 if name == "gest" else 1)
        print(
            f"{name:8} {count:>9,} samples  {wall:8.1f} s  {spent:8.1f} s of the processor  "
            f"{1e6 * spent / count:6.0f} µs a sample  peak {memory:6.0f} MiB  coverage {result.coverage:.3f}  {sizes}",
            flush=True,
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--only", choices=("gest", "gest-mt"))
    parser.add_argument("--here", action="store_true", help="measure in this process")
    chosen = parser.parse_args()
    for name in (chosen.only,) if chosen.only else ("gest", "gest-mt"):
        for size in map(int, chosen.sizes.split(",")):
            if chosen.here:
                measure(name, size)
            else:
                command = [sys.executable, __file__, "--here", "--only", name, "--sizes", str(size)]
                subprocess.run(command, check=True)
