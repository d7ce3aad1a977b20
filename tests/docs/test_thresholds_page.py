"""The page of thresholds lists exactly those that the measures declare."""

import re
from pathlib import Path

from genderscope.measures import MEASURES, measure_type

PAGE = Path(__file__).parents[2] / "docs" / "thresholds.md"


def test_the_page_lists_every_declared_threshold_with_a_reason():
    declared = {
        (measure, name, str(margin)) for measure in MEASURES for name, margin in measure_type(measure).margins.items()
    }
    rows = [line.strip("| ").split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines() if "| `" in line]
    listed = [(m, row[1].strip("`"), row[2]) for row in rows for m in re.findall(r"`([^`]+)`", row[0])]
    assert sorted(declared - set(listed)) == [], f"{PAGE.name} needs a line for each of these"
    assert sorted(listed) == sorted(declared)
    assert all("of 100" in row[3].casefold() or "As `masculine_rate`" in row[3] for row in rows)
