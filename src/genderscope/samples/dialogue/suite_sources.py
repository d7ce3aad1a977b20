"""Loading of the released suite, the starter suite, or the user's own file, and of released translations."""

import hashlib
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

from genderscope.core.errors import UserError
from genderscope.samples import fetch
from genderscope.samples.dialogue.annotation import Source, derive
from genderscope.samples.dialogue.suite_files import DialogueSuite, FileDifferences, load_dialogue, parse_suite
from genderscope.samples.dialogue.suite_vocabulary import FILES, Vocabulary, parse_vocabulary
from genderscope.samples.parse_cache import cached
from genderscope.samples.registry import dataset
from genderscope.samples.subsampling import by_stratum, limits

RELEASED = "wmt24-dialogue"


@dataclass(frozen=True, slots=True)
class DialogueSet:
    """A suite with its name and checksum."""

    name: str
    sha256: str
    suite: DialogueSuite


def load(data: str | None) -> DialogueSet:
    """Load the released suite (None), the starter suite ('starter'), or a suite from a CSV file."""
    if data is None:
        return released()
    if data == "starter":
        return _identified("dialogue-starter", starter())
    return _identified(Path(data).name, load_dialogue(Path(data).expanduser()))


@cached
def released() -> DialogueSet:
    """Load the suite released with the WMT24 paper."""
    chosen = dataset(RELEASED)
    texts = {name: fetch.read(chosen.file(f"wmt24/{name}.csv")).decode("utf-8-sig") for name in FILES}
    content = fetch.read(chosen.file("wmt24/full_test_suite.csv"))
    suite = parse_suite(content.decode("utf-8-sig"), parse_vocabulary(texts), "full_test_suite.csv")
    return DialogueSet(RELEASED, hashlib.sha256(content).hexdigest(), suite)


def excerpt(outputs: bytes, sources: bytes) -> bytes:
    """Return the output lines for the suite's passages, in the suite's order."""
    lines = outputs.decode("utf-8").removesuffix("\n").split("\n")
    asked = sources.decode("utf-8").removesuffix("\n").split("\n")
    if len(lines) != len(asked):
        raise UserError(
            f"The outputs have {len(lines):,} lines, but their sources have {len(asked):,}; they must be parallel."
        )
    place: dict[str, int] = {}
    for number, text in enumerate(asked):
        place.setdefault(text, number)
    wanted = [source.text for source in released().suite.sources]
    if missing := sum(text not in place for text in wanted):
        raise UserError(f"The sources contain only {len(wanted) - missing:,} of the suite's {len(wanted):,} passages.")
    return "".join(f"{lines[place[text]]}\n" for text in wanted).encode()


def starter() -> DialogueSuite:
    """Load the small suite written with the project's own vocabulary, following the released suite's templates."""
    words = starter_vocabulary()
    passages = _starter_text("passages.txt").splitlines()
    sources = tuple(derive(text, words) for text in passages)
    count = sum(len(source.instances) for source in sources)
    return DialogueSuite(sources, FileDifferences(rows=count, instances=count))


def starter_vocabulary() -> Vocabulary:
    """Load the project's own vocabulary."""
    return parse_vocabulary({name: _starter_text(f"{name}.csv") for name in FILES})


def _starter_text(name: str) -> str:
    return (files("genderscope.samples.dialogue") / "starter" / name).read_text(encoding="utf-8")


def limited(chosen: DialogueSet, limit: int | None) -> DialogueSet:
    """Subsample `limit` sources, stratified by subset, template and adverb stereotype."""
    if not limits(chosen.suite.sources, limit):
        return chosen

    def stratum(source: Source) -> tuple[object, ...]:
        return tuple((i.subset, i.template, i.adverb_stereotype) for i in source.instances[:1])

    suite = replace(chosen.suite, sources=by_stratum(chosen.suite.sources, limit, stratum))
    return replace(chosen, name=f"{chosen.name}:{limit}", suite=suite)


def _identified(name: str, suite: DialogueSuite) -> DialogueSet:
    """Wrap a suite with its checksum, computed from its texts, traits and stereotypes."""
    digest = hashlib.sha256()
    for source in suite.sources:
        digest.update(repr((source.text, [i.traits for i in source.instances])).encode())
        digest.update(repr([i.stereotype for i in source.instances]).encode())
    return DialogueSet(name, digest.hexdigest(), suite)
