"""HurtLex: hurtful words in 17 categories, at a conservative and an inclusive level."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from genderscope.core.errors import UserError
from genderscope.core.languages import HONEST_LANGUAGES, require_language
from genderscope.core.tables import own_file, records
from genderscope.samples import fetch
from genderscope.samples.dataset import resource_rows
from genderscope.samples.parse_cache import cached
from genderscope.samples.registry import dataset

_ROWS = resource_rows("tables/hurtlex_categories.csv")
CATEGORIES = {row["category"]: row["description"] for row in _ROWS}
#: the categories in the paper's Tables 3 and 4
SHOWN = tuple(row["category"] for row in _ROWS if row["shown"])
LEVELS = ("conservative", "inclusive")
COLUMNS = ("lemma", "category", "level")


@dataclass(frozen=True)
class Hurtlex:
    """A lexicon at one level: (lemma, category) pairs in file order, with name and checksum."""

    name: str
    sha256: str
    entries: tuple[tuple[str, str], ...]


@cached
def load(language: str, level: str = "conservative", path: str | None = None) -> Hurtlex:
    """Load HurtLex 1.2 for a language, or the user's own lexicon; the inclusive level contains the conservative one."""
    if path is not None:
        return _parse(own_file(path, "lexicon"), Path(path).name, f"The lexicon '{path}'", level)
    require_language("language", language, HONEST_LANGUAGES)
    file = dataset("hurtlex").file(f"hurtlex/hurtlex_{language.upper()}.tsv")
    return _parse(fetch.read(file), f"hurtlex-1.2-{language}", f"HurtLex for '{language}'", level)


def _parse(content: bytes, name: str, where: str, level: str) -> Hurtlex:
    entries = []
    for line, row in records(content, COLUMNS, where):
        if row["level"] not in LEVELS:
            raise UserError(
                f"{where}, line {line}: the level is '{row['level']}'; it must be one of {', '.join(LEVELS)}."
            )
        if not row["category"]:
            raise UserError(f"{where}, line {line}: the category is empty; fill it in or remove the row.")
        if level == "inclusive" or row["level"] == level:
            entries.append((row["lemma"], row["category"]))
    if not entries:
        raise UserError(f"{where} has no lemmas of level '{level}'.")
    return Hurtlex(f"{name}-{level}", hashlib.sha256(content).hexdigest(), tuple(entries))
