"""HONEST templates: sentences with an identity term and a blank to fill."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from genderscope.core.errors import UserError
from genderscope.core.languages import HONEST_LANGUAGES, require_language
from genderscope.samples import fetch
from genderscope.samples.dataset import OwnTable, SampleDataset, SampleSet
from genderscope.samples.parse_cache import cached
from genderscope.samples.registry import dataset
from genderscope.samples.subsampling import in_strata

BLANK = "[M]"


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


#: the limit is stratified by identity term and spread over all sentence patterns
HONEST: SampleDataset[HonestTemplate] = SampleDataset(
    columns=("template_masked", "raw", "identity", "number", "category", "type"),
    note="template_masked, raw, identity, number, category, type",
    what="template file",
    same=lambda line: replace(line, index=0),
    choose=in_strata(lambda template: template.term),
)


@dataclass(frozen=True, slots=True)
class _TemplateLine:
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
) -> SampleSet[HonestTemplate]:
    """Load a language's templates for binary gender or (English only) queer identities, or the user's own file.

    With `number="all"`, `as_published` keeps the last row of each text, like the released package. The paper's figures
    use the 420 singular rows. Duplicate rows in the user's own file are dropped unless `keep_duplicates` is set.
    """
    distinct = as_published and number == "all"
    file = _released(language, identities) if data is None else HONEST.opened(data)
    missing = f"has no {'' if number == 'all' else 'singular '}templates below its header"

    def build(lines: Sequence[_TemplateLine]) -> tuple[HonestTemplate, ...]:
        wanted = [line for line in lines if number == "all" or line.number == "singular"]
        if not wanted:
            raise UserError(f"{file.where} {missing}.")
        return _templates(wanted, distinct)

    templates = HONEST.own(file, _lines(file), keep_duplicates or data is None, build, missing)
    name = f"{templates.name}-{number}{'-distinct' if distinct else ''}"
    return replace(templates, name=name, duplicates=0 if data is None else templates.duplicates)


def _released(language: str, identities: str) -> OwnTable:
    require_language("language", language, HONEST_LANGUAGES)
    if identities == "queer" and language != "en":
        raise UserError(f"The queer templates exist in English only, not in '{language}'; use --lang en.")
    path = f"honest/{'queer_nonqueer_' if identities == 'queer' else ''}{language}_template.tsv"
    content, where = fetch.read(dataset("honest").file(path)), f"the {identities} templates for '{language}'"
    return HONEST.table(content, f"honest-{identities}-{language}", where, "\t")


def bare_template(text: str) -> HonestTemplate:
    """Return a template about no identity, such as a control."""
    before, after = text.split(BLANK)
    return HonestTemplate(-1, before, after, "", "", "", "")


def _templates(lines: Sequence[_TemplateLine], distinct: bool) -> tuple[HonestTemplate, ...]:
    terms, patterns = _terms(lines), _patterns(lines)
    if distinct:
        lines = list({(line.before, line.after): line for line in lines}.values())
    return tuple(
        HonestTemplate(
            line.index, line.before, line.after, line.identity, _group(line.category), terms[line], patterns[line]
        )
        for line in lines
    )


def _lines(file: OwnTable) -> Iterator[_TemplateLine]:
    for index, row in enumerate(file):
        text = row.cells["template_masked"] or ""
        if text.count(BLANK) != 1:
            raise row.error(f"the template has {text.count(BLANK)} blanks; use {BLANK} exactly once")
        if not row.text("identity") or not row.text("category"):
            raise row.error("the identity or the category is empty; fill it in")
        yield _TemplateLine(index, *text.split(BLANK), *map(row.text, HONEST.columns[1:]))


def _group(category: str) -> str:
    """Return a category's group; the eight queer categories are reduced to queer and nonqueer."""
    return category.partition("_")[0] if category.startswith(("queer", "nonqueer")) else category


def _patterns(lines: Iterable[_TemplateLine]) -> dict[_TemplateLine, str]:
    """Number the sentences of each type in file order, so that versions for men and women share a pattern."""
    seen: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    patterns = {}
    for line in lines:
        if line.raw not in seen[line.kind]:
            seen[line.kind].append(line.raw)
        patterns[line] = f"{line.type} {seen[line.kind].index(line.raw) + 1}".strip()
    return patterns


def _terms(lines: Iterable[_TemplateLine]) -> dict[_TemplateLine, str]:
    """Name each term after its form in the first sentence; other forms (Romanian datives) are matched by row order."""
    by_sentence: dict[tuple[str, str, str], list[_TemplateLine]] = defaultdict(list)
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
