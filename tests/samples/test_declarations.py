"""What every dataset declares: columns of an own file, a starter set, duplicates, and how a limit chooses samples."""

import importlib
import pkgutil

import pytest

from genderscope import samples
from genderscope.core.errors import UserError
from genderscope.samples.dataset import STARTER, SampleDataset
from genderscope.samples.gest import GEST, load

MODULES = [
    importlib.import_module(f"genderscope.samples.{module.name}") for module in pkgutil.iter_modules(samples.__path__)
]
DECLARED = {
    name: value for module in MODULES for name, value in vars(module).items() if isinstance(value, SampleDataset)
}
WITH_COLUMNS = [name for name, declared in DECLARED.items() if declared.columns]


def test_all_datasets_are_declared():
    assert {"GEST", "PAIRS", "HONEST", "WINOMT", "GATE", "BBQ", "DECISIONS", "QUADRUPLETS", "DIALOGUE"} <= set(DECLARED)


@pytest.mark.parametrize("name", WITH_COLUMNS)
def test_a_file_without_the_columns_is_told_which_ones_it_needs(name, tmp_path):
    declared = DECLARED[name]
    (tmp_path / "own.csv").write_text("other\n1\n", encoding="utf-8")
    with pytest.raises(
        UserError, match=f"has no column {' or '.join(declared.columns)} .its columns: other.; it needs"
    ):
        declared.opened(str(tmp_path / "own.csv"))


@pytest.mark.parametrize("name", WITH_COLUMNS)
def test_a_file_without_rows_is_told_what_it_lacks(name, tmp_path):
    declared = DECLARED[name]
    (tmp_path / "own.csv").write_text(f"{','.join(declared.columns)}\n", encoding="utf-8")
    file = declared.opened(str(tmp_path / "own.csv"))
    with pytest.raises(UserError, match=f"own.csv' has no {declared.noun} below its header; add rows with"):
        declared.own(file, file)


@pytest.mark.parametrize("name", [name for name, declared in DECLARED.items() if declared.starter])
def test_every_starter_set_has_the_columns_of_an_own_file(name):
    file = DECLARED[name].opened(STARTER)
    assert (file.name, file.where) == (STARTER, "the starter set")
    assert len(list(file)) > 50


@pytest.mark.parametrize("where", ["own.csv", "own.tsv"])
def test_a_wrong_cell_is_told_with_its_line_and_what_is_allowed(where, tmp_path):
    mark = "\t" if where.endswith("tsv") else ","
    (tmp_path / where).write_text(f"sentence{mark}stereotype\nI cried.{mark}Sad\n", encoding="utf-8")
    [row] = GEST.opened(str(tmp_path / where))
    with pytest.raises(UserError, match="line 2: the stereotype is 'Sad'; it must be glad, mad or empty"):
        row.one_of("stereotype", ("glad", "mad"), otherwise="glad")
    with pytest.raises(UserError, match="line 2: the stereotype is 'Sad'; it must be glad or mad"):
        row.one_of("stereotype", ("glad", "mad"))
    assert row.one_of("missing", ("glad", "mad"), otherwise="mad") == "mad"


def test_a_limit_that_drops_nothing_leaves_the_name():
    whole = load(STARTER)
    assert whole.limited(None) is whole
    assert whole.limited(10_000) is whole
    assert whole.limited(5).name == f"{STARTER}:5"
