"""Word lists that a language file may contain for each reader, and the traits they assign (`word_lists.tsv`)."""

from pathlib import Path

from genderscope.grammar import traits as t


def _read() -> dict[str, dict[str, int]]:
    lists: dict[str, dict[str, int]] = {"agreement": {}, "clause": {}, "auxiliary": {}, "subject": {}}
    lines = Path(__file__).with_name("word_lists.tsv").read_text(encoding="utf-8").splitlines()
    _, *rows = (line.split("\t") for line in lines if not line.startswith("#"))
    for reader, name, traits, _ in rows:
        lists[reader][name] = sum(t.BY_NAME[trait] for trait in traits.split())
    clause = lists.pop("clause")
    return {reader: own if reader == "agreement" else clause | own for reader, own in lists.items()}


#: reader → word list → traits; a word in several lists gets their combined traits
WORD_LISTS = _read()
