"""Runs on disk."""

import pytest

from genderscope.samples.gest import MALE
from tests.embedded import one_at_a_time
from tests.measure_examples.gest_mt import translated

#: system -> chance of a masculine form for male and for female stereotypes
SYSTEMS = {"strong": (0.9, 0.1), "weak": (0.6, 0.45), "even": (0.55, 0.5)}


@pytest.fixture(scope="session")
def systems(together):
    """Folders of finished runs of three translators, the first the most stereotypical."""
    pytest.importorskip("simplemma", reason="the dictionaries are an extra: pip install 'genderscope[grammar]'")
    with one_at_a_time(together / "systems") as root:
        for name, (male, female) in SYSTEMS.items():
            chance = lambda i, male=male, female=female: male if i in MALE else female  # noqa: E731
            if not (root / "runs" / name / "result.json").exists():
                silent = 0.1 if name == "weak" else 0
                translated(
                    root / "files" / name, chance, out=root / "runs" / name, silent=silent, report=name == "even"
                )
    return root / "runs"
