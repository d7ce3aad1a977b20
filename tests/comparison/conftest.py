"""Runs on disk."""

import pytest

from genderscope.samples.gest import MALE
from tests.comparison.runs import translated

#: system -> chance of a masculine form for male and for female stereotypes
SYSTEMS = {"strong": (0.9, 0.1), "weak": (0.6, 0.45), "even": (0.55, 0.5)}


@pytest.fixture(scope="session")
def systems(tmp_path_factory):
    """Folders of finished runs of three translators, the first the most stereotypical."""
    pytest.importorskip("simplemma", reason="the dictionaries are an extra: pip install 'genderscope[grammar]'")
    root = tmp_path_factory.mktemp("systems")
    for name, (male, female) in SYSTEMS.items():
        chance = lambda i, male=male, female=female: male if i in MALE else female  # noqa: E731
        translated(root / "files" / name, chance, out=root / "runs" / name, silent=0.1 if name == "weak" else 0)
    return root / "runs"
