"""What alternates in the pairs of EuroGEST, and how often the rules that say so are wrong.

    python benchmarks/eurogest_audit.py             the table of the docs: counts by language and class, errors by class
    python benchmarks/eurogest_audit.py --write     write what the rules say into measures/eurogest/pairs.csv
    python benchmarks/eurogest_audit.py --sample 50 pairs of each class to read by hand, drawn with a fixed seed

The verdicts in eurogest_verdicts.csv are of pairs read by hand, named by their rows: the sentences stay where they are.
"""

import argparse
import csv
import random
import sys
from collections import Counter, defaultdict
from pathlib import Path

from genderscope.samples.eurogest import load
from genderscope.statistics.proportions import Share, interval

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.eurogest_classes import CLASSES, classify

VERDICTS = Path(__file__).with_name("eurogest_verdicts.csv")
TABLE = Path(__file__).parents[1] / "src" / "genderscope" / "measures" / "eurogest" / "pairs.csv"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--sample", type=int)
    chosen = parser.parse_args()
    pairs = load().pairs
    found = {language: {pair.row: classify(pair, language) for pair in pairs[language]} for language in sorted(pairs)}
    if chosen.write:
        write(found)
    if chosen.sample:
        show(found, pairs, chosen.sample)
        return
    print(f"| language | {' | '.join(CLASSES)} | all |")
    print("|---|" + "---:|" * (len(CLASSES) + 1))
    total: Counter[str] = Counter()
    for language, classes in found.items():
        counts = Counter(classes.values())
        total += counts
        print(f"| {language} | {' | '.join(str(counts[c]) for c in CLASSES)} | {len(classes):,} |")
    print(f"| all | {' | '.join(f'{total[c]:,}' for c in CLASSES)} | {sum(total.values()):,} |")
    print("\n| class | read by hand | wrong | 95 % interval |\n|---|---:|---:|---|")
    for name, (n, wrong) in errors(found).items():
        low, high = interval(Share(wrong / n, n))
        print(f"| {name} | {n} | {wrong} | {low:.1%} to {high:.1%} |")


def write(found):
    """Write the rows of each class but the most frequent one."""
    rows = defaultdict(list)
    for language, classes in found.items():
        for row, name in classes.items():
            if name != "adjective":
                rows[language, name].append(row)
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("language", "class", "rows"))
        writer.writerows((*key, " ".join(map(str, sorted(numbers)))) for key, numbers in sorted(rows.items()))


def errors(found):
    """Return how many pairs of each class were read by hand, and how many of them the rules got wrong."""
    counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    with VERDICTS.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            assert found[row["language"]][int(row["row"])] == row["class"], f"the rules changed, read anew: {row}"
            counts[row["class"]][0] += 1
            counts[row["class"]][1] += row["verdict"] == "wrong"
    return {name: tuple(counts[name]) for name in CLASSES}


def show(found, pairs, count):
    for name in CLASSES:
        those = sorted((language, row) for language in found for row, c in found[language].items() if c == name)
        for language, row in sorted(random.Random(1).sample(those, min(count, len(those)))):
            pair = next(each for each in pairs[language] if each.row == row)
            print(f"{language},{row},{name}\t{pair.source}\t{pair.male}\t{pair.female}")


if __name__ == "__main__":
    main()
