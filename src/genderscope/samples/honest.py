"""HONEST templates: sentences with an identity term and a blank to fill."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from genderscope.core.errors import UserError
from genderscope.core.languages import HONEST_LANGUAGES, require_language
from genderscope.core.tables import own_file, records, without_repetitions
from genderscope.samples import fetch
from genderscope.samples.parse_cache import cached
from genderscope.samples.registry import dataset
from genderscope.samples.subsampling import by_stratum, limits

BLANK = "[M]"
COLUMNS = ("template_masked", "raw", "identity", "number", "category", "type")


@dataclass(frozen=True, slots=True)
class HonestTemplate:
    """One row of a template file.

    `group` is the identity's gender, or queer/nonqueer. `term` and `pattern` identify the identity term and the
    sentence regardless of grammatical form; intervals are computed by resampling terms and patterns.
    """

    index: int
    before: str
    after: str
    identity: str
    group: str
    term: str
    pattern: str


@dataclass(frozen=True)
class HonestTemplates:
    """A set of templates with its name and checksum."""

    name: str
    sha256: str
    templates: tuple[HonestTemplate, ...]
    duplicates: int = 0  # number of duplicate rows in the user's own file


@dataclass(frozen=True, slots=True)
class _Line:
    index: int
    before: str
    after: str
    raw: str
    identity: str
    number: str
    category: str
    type: str

    @property
    def kind(self) -> tuple[str, str, str]:
        return self.category, self.number, self.type


@cached
def load(
    language: str,
    identities: str = "binary",
    number: str = "singular",
    data: str | None = None,
    as_published: bool = False,
    keep_duplicates: bool = False,
) -> HonestTemplates:
    """Load a language's templates for binary gender or (English only) queer identities, or the user's own file.

    With `number="all"`, `as_published` keeps the last row of each text, like the released package. The paper's figures
    use the 420 singular rows. Duplicate rows in the user's own file are dropped unless `keep_duplicates` is set.
    """
    distinct = as_published and number == "all"
    if data is not None:
        content = own_file(data, "template file")
        lines = list(_lines(content, f"'{data}'"))
        once, duplicates = without_repetitions(lines, lambda line: replace(line, index=0))
        kept, sha256 = lines if keep_duplicates else once, hashlib.sha256(content).hexdigest()
        return _parse(kept, duplicates, sha256, Path(data).name, f"'{data}'", number, distinct)
    require_language("language", language, HONEST_LANGUAGES)
    if identities == "queer" and language != "en":
        raise UserError(f"The queer templates exist in English only, not in '{language}'; use --lang en.")
    path = f"honest/{'queer_nonqueer_' if identities == 'queer' else ''}{language}_template.tsv"
    content = fetch.read(dataset("honest").file(path))
    where = f"the {identities} templates for '{language}'"
    name = f"honest-{identities}-{language}"
    return _parse(list(_lines(content, where)), 0, hashlib.sha256(content).hexdigest(), name, where, number, distinct)


def bare_template(text: str) -> HonestTemplate:
    """Return a template about no identity, such as a control."""
    before, after = text.split(BLANK)
    return HonestTemplate(-1, before, after, "", "", "", "")


def limited(templates: HonestTemplates, limit: int | None) -> HonestTemplates:
    """Subsample `limit` templates, stratified by identity term and spread over all sentence patterns."""
    if not limits(templates.templates, limit):
        return templates
    kept = by_stratum(templates.templates, limit, lambda template: template.term)
    return replace(templates, name=f"{templates.name}:{limit}", templates=kept)


def _parse(
    every: list[_Line], duplicates: int, sha256: str, name: str, where: str, number: str, distinct: bool
) -> HonestTemplates:
    lines = [line for line in every if number == "all" or line.number == "singular"]
    if not lines:
        raise UserError(f"{where} has no {'' if number == 'all' else 'singular '}templates below its header.")
    terms, patterns = _terms(lines), _patterns(lines)
    if distinct:
        lines = list({(line.before, line.after): line for line in lines}.values())
        number = f"{number}-distinct"
    templates = tuple(
        HonestTemplate(
            line.index, line.before, line.after, line.identity, _group(line.category), terms[line], patterns[line]
        )
        for line in lines
    )
    return HonestTemplates(f"{name}-{number}", sha256, templates, duplicates)


def _lines(content: bytes, where: str) -> Iterable[_Line]:
    for index, (number, row) in enumerate(records(content, COLUMNS, where)):
        text = row["template_masked"]
        if text.count(BLANK) != 1:
            raise UserError(
                f"{where}, line {number}: the template has {text.count(BLANK)} blanks; use {BLANK} exactly once."
            )
        if not row["identity"].strip() or not row["category"].strip():
            raise UserError(f"{where}, line {number}: the identity or the category is empty; fill it in.")
        before, after = text.split(BLANK)
        rest = (row[column].strip() for column in COLUMNS[1:])
        yield _Line(index, before, after, *rest)


def _group(category: str) -> str:
    """Return a category's group; the eight queer categories are reduced to queer and nonqueer."""
    return category.partition("_")[0] if category.startswith(("queer", "nonqueer")) else category


def _patterns(lines: Iterable[_Line]) -> dict[_Line, str]:
    """Number the sentences of each type in file order, so that versions for men and women share a pattern."""
    seen: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    patterns = {}
    for line in lines:
        if line.raw not in seen[line.kind]:
            seen[line.kind].append(line.raw)
        patterns[line] = f"{line.type} {seen[line.kind].index(line.raw) + 1}".strip()
    return patterns


def _terms(lines: Iterable[_Line]) -> dict[_Line, str]:
    """Name each term after its form in the first sentence; other forms (Romanian datives) are matched by row order."""
    by_sentence: dict[tuple[str, str, str], list[_Line]] = defaultdict(list)
    for line in lines:
        by_sentence[line.category, line.number, line.raw].append(line)
    first: dict[tuple[str, str], list[str]] = {}
    for (category, number, _), group in by_sentence.items():
        first.setdefault((category, number), [line.identity for line in group])
    terms = {}
    for (category, number, _), group in by_sentence.items():
        names = first[category, number]
        for k, line in enumerate(group):
            form = line.identity if line.identity in names or len(group) != len(names) else names[k]
            terms[line] = f"{category}: {form}"
    return terms
