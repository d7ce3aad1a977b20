"""Suites written from any vocabulary have the counts of the design."""

from collections import Counter
from pathlib import Path

import pytest

from genderscope.core.errors import UserError
from genderscope.samples import fetch
from genderscope.samples.dialogue import DialogueSuite, Vocabulary, excerpt, load_vocabulary, starter_vocabulary
from genderscope.samples.dialogue.generate import Design, generate
from genderscope.samples.dialogue.suite_sources import starter, suite_of
from genderscope.samples.registry import dataset


def by_template(suite: DialogueSuite) -> list[int]:
    counts = Counter(source.instances[0].template for source in suite.sources)
    return [counts[template] for template in range(1, 10)]


def counts_of(design: Design, pairs: int) -> list[int]:
    """The formulas of the paper's appendix."""
    a, k, n = design.adjectives, design.adverbs, design.draws
    told, answered = 6 * design.scenes_told * pairs, 4 * design.scenes_answered * pairs
    return [a, 2 * k * a, told, answered, *[4 * 2 * 2 * n] * 3, 4 * 2 * n, 4 * 2 * n]


def test_the_starter_has_the_counts_of_its_design() -> None:
    design = Design(adjectives=28, adverbs=3, scenes_told=6, scenes_answered=4, draws=8)
    assert by_template(starter()) == counts_of(design, pairs=8)


def test_the_released_vocabulary_gives_the_released_counts(mirror: Path) -> None:
    if not (mirror / "wmt24").is_dir():
        pytest.skip("the mirror has no WMT24 suite")
    words = load_vocabulary(mirror / "wmt24")
    suite = suite_of(generate(words), words)
    assert by_template(suite) == counts_of(Design(), pairs=44) == [130, 780, 1056, 880, 960, 960, 960, 480, 480]
    assert len(suite.instances) == 17966


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


def test_seeds_decide_the_passages() -> None:
    words = starter_vocabulary()
    small = Design(adjectives=5, adverbs=1, scenes_told=1, scenes_answered=1, draws=2)
    assert generate(words, small, 1) == generate(words, small, 1) != generate(words, small, 2)


def test_a_vocabulary_of_one_stereotype_is_refused() -> None:
    words = starter_vocabulary()
    with pytest.raises(UserError, match="adverbs must include words for both stereotypes"):
        generate(Vocabulary(words.adjectives, {"shyly": "F"}, words.occupations))


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
