"""The starter suite has the design of the released one; outputs are cut out of the released test set."""

from collections import Counter
from pathlib import Path

import pytest

from genderscope.core.errors import UserError
from genderscope.samples import fetch
from genderscope.samples.dialogue import DialogueSuite, excerpt, starter
from genderscope.samples.registry import dataset


def by_template(suite: DialogueSuite) -> list[int]:
    counts = Counter(source.instances[0].template for source in suite.samples)
    return [counts[template] for template in range(1, 10)]


def test_the_starter_has_all_nine_templates() -> None:
    assert by_template(starter()) == [28, 168, 288, 128, 128, 128, 128, 64, 64]


def test_every_cell_of_the_starter_is_filled() -> None:
    instances = starter().instances
    cells = Counter(
        (i.subset, i.traits.kind, i.traits.sentiment) for i in instances if i.traits.stereotype == "neither"
    )
    assert len(cells) == 12
    assert min(cells.values()) > 20
    for equality in ("one", "same", "opposite"):
        found = [i for i in instances if i.equality == equality and i.determined]
        genders = Counter(i.gender for i in found)
        assert genders["M"] == genders["F"] > 0


def test_outputs_are_cut_out_of_the_whole_test_set(mirror: Path) -> None:
    if not (mirror / "wmt24").is_dir():
        pytest.skip("the mirror has no WMT24 suite")
    file = dataset("wmt24-dialogue-outputs").file("wmt24/outputs/es/Aya23.txt")
    assert file.parallel is not None
    assert file.parallel.endswith("txt-ts/sources/en-es.txt")
    translated = fetch.read(file).decode().removesuffix("\n").split("\n")
    sources = (mirror / "wmt24" / "sources.txt.gz", mirror / "wmt24" / "sources.txt")
    from genderscope.samples.dialogue import read_text

    asked = read_text(next(path for path in sources if path.exists())).removesuffix("\n").split("\n")
    whole = list(reversed([*zip(asked, translated, strict=True), ("News.", "Noticias.")]))
    cut = excerpt(
        "".join(f"{line}\n" for _, line in whole).encode(), "".join(f"{text}\n" for text, _ in whole).encode()
    )
    assert cut == fetch.read(file)
    with pytest.raises(UserError, match="must be parallel"):
        excerpt(b"one\n", b"one\ntwo\n")
    with pytest.raises(UserError, match=r"contain only 0 of the suite's 6,686 passages"):
        excerpt(b"one\n", b"one\n")
