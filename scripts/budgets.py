"""Check the budgets in `budgets.toml`: lines of Python in the package, and in each measure with its samples.

Every budget has a goal and, where the goal is not reached yet, a limit with the reason. Above the limit, the check
fails; far below it, the limit should be lowered. `make check` runs it.
"""

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


def main() -> int:
    """Print one line per budget and return 1 if a limit is exceeded."""
    budgets = tomllib.loads((ROOT / "budgets.toml").read_text(encoding="utf-8"))
    failed = False
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
