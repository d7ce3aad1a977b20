"""Check the budgets in `budgets.toml`: lines of Python in the package, and in each measure with its samples.

Every budget has a goal and, where the goal is not reached yet, a limit with the reason. Above the limit, the check
fails; far below it, the limit should be lowered. `make check` runs it.

A file that names half of the measures is a list to which every new measure must be added. There is one such list, the
registry; others are found by name. The check fails for any that `[lists]` does not explain.
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "genderscope"
#: a limit this much above the lines should be lowered
SLACK = 1.05


def lines_of(*patterns: str) -> int:
    """Return the number of lines of the Python files that match a pattern, below the package."""
    files = {file for pattern in patterns for file in PACKAGE.glob(pattern)}
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files if file.suffix == ".py")


def lists_of_measures() -> dict[str, int]:
    """Return the files in src, tests and benchmarks that name at least half of the measures, with how many."""
    registry = (PACKAGE / "measures" / "registry.py").read_text(encoding="utf-8")
    measures = re.findall(r'^    "([a-z-]+)": "genderscope\.measures', registry, re.MULTILINE)
    name = re.compile(rf"""["'](?:run )?({"|".join(measures)})["']""")
    tracked = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "src", "tests", "benchmarks"]
    listed = subprocess.run(tracked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    files = [file for file in listed if file.endswith((".py", ".toml", ".txt")) and (ROOT / file).is_file()]
    counts = {file: len(set(name.findall((ROOT / file).read_text(encoding="utf-8")))) for file in files}
    return {file: count for file, count in counts.items() if count >= len(measures) / 2}


def main() -> int:
    """Print one line per budget and return 1 if a limit is exceeded or a list of measures is unexplained."""
    budgets = tomllib.loads((ROOT / "budgets.toml").read_text(encoding="utf-8"))
    explained, failed = budgets.pop("lists"), False
    for file, count in lists_of_measures().items():
        if file not in explained:
            failed = True
            print(f"{file} names {count} measures: let it find them by name, or explain it in [lists] of budgets.toml")
    for name, budget in budgets.items():
        lines, limit = lines_of(*budget["files"]), budget.get("limit", budget["goal"])
        verdict = "" if lines <= budget["goal"] else f" (limit {limit:,}: {budget.get('reason', 'no reason is given')})"
        if lines > limit:
            failed, verdict = True, f" EXCEEDS THE LIMIT of {limit:,}"
        elif "limit" in budget and limit > SLACK * max(lines, budget["goal"]):
            verdict += "; lower the limit"
        print(f"{name:14} {lines:6,} lines, goal {budget['goal']:,}{verdict}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
