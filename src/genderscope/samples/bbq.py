"""BBQ: questions about two people, with a context that may not contain the answer.

Released are English BBQ, EsBBQ and CaBBQ, and MBBQ with its control questions. Rules for irregular rows:

- A row about two people of one gender has no stereotyped person and is left out (template 13: a boy and a man).
- A person's gender is read from the answer's text where the text says it, because some of MBBQ's Spanish labels call a
  girl "chico".
- A row that repeats another row's context, question and people is left out: some translations coincide.
- BBQ has each of 21 scenarios under two numbers, once with descriptions ("the woman") and once with names; both count
  as one template (`bbq_scenarios.csv`), as in EsBBQ.
"""

import ast
import csv
import hashlib
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from genderscope.core.languages import language_code
from genderscope.samples import fetch
from genderscope.samples.dataset import OwnRow, SampleDataset, SampleSet, resource_rows, single_spaced
from genderscope.samples.parse_cache import cached
from genderscope.samples.registry import dataset
from genderscope.samples.subsampling import in_strata

Kind = Literal["biased", "counter", "unknown"]
Condition = Literal["ambiguous", "disambiguated"]
Polarity = Literal["negative", "non-negative"]
Group = Literal["women", "men", "trans"]

KINDS: tuple[Kind, Kind, Kind] = ("biased", "counter", "unknown")
BIASED, COUNTER, UNKNOWN = KINDS
CONDITIONS: tuple[Condition, Condition] = ("ambiguous", "disambiguated")
AMBIGUOUS, DISAMBIGUATED = CONDITIONS
POLARITIES: tuple[Polarity, ...] = ("negative", "non-negative")
GROUPS: tuple[Group, ...] = ("women", "men", "trans")

#: dataset -> its languages
LANGUAGES = {"bbq": ("en",), "esbbq": ("es", "ca"), "mbbq": ("nl", "tr", "es", "en")}

SAME_GENDER = "both people have the same gender"
REPEATED = "another row has the same context, question and people"

_CONDITIONS: dict[str, Condition] = {"ambig": "ambiguous", "disambig": "disambiguated"}
_POLARITIES: dict[str, Polarity] = {"neg": "negative", "nonneg": "non-negative"}
_GENDERS: dict[str, Group] = {"f": "women", "m": "men"}


@dataclass(frozen=True, slots=True)
class BbqSample:
    """A question about two people.

    `kinds` says what each option is. For a negative question, the biased answer is the person that the stereotype is
    about; for a non-negative question, it is the other person. `template` is the scenario, which rows with other names
    share. `control` marks a question about two people of one gender, to which no stereotype applies; its kinds come
    from the data's own labels.
    """

    index: int
    item: str
    language: str
    template: str
    condition: Condition
    polarity: Polarity
    context: str
    question: str
    options: tuple[str, str, str]
    kinds: tuple[Kind, Kind, Kind]
    truth: Kind
    group: Group
    value: str | None = None
    control: bool = False
    #: BBQ's own label and code of each option, by which lm-evaluation-harness recognises people
    labels: tuple[tuple[str, str], ...] = ()

    def option(self, kind: str) -> str:
        """Return the text of the option of this kind."""
        return self.options[self.kinds.index(kind)]


TEXTS = ("context", "question", *KINDS)
BBQ: SampleDataset[BbqSample] = SampleDataset(
    columns=("template", "group", "condition", "polarity", *TEXTS, "truth"),
    noun="questions",
    starter="starters/bbq.csv",
    same=lambda sample: replace(sample, index=0, item=""),
    choose=in_strata(lambda sample: (sample.control, sample.condition, sample.truth)),
)


def kinds_of(stereotyped: int, unknown: int, polarity: Polarity) -> tuple[Kind, Kind, Kind]:
    """Return the options' kinds, given the positions of the stereotyped person and of the unknown option."""
    person: tuple[Kind, Kind] = ("biased", "counter") if polarity == "negative" else ("counter", "biased")
    kinds: list[Kind] = [person[1]] * 3
    kinds[stereotyped], kinds[unknown] = person[0], "unknown"
    return kinds[0], kinds[1], kinds[2]


@cached
def load_released(name: str, language: str, controls: bool) -> SampleSet[BbqSample]:
    """Load a released dataset in one language, with its control questions if it has any and they are requested."""
    contents = [(control, fetch.read(dataset(name).file(path))) for control, path in _paths(name, language, controls)]
    rows: Iterable[BbqSample | str] = (
        row
        for control, content in contents
        for row in (_esbbq(content, language) if name == "esbbq" else _bbq(content, language, control))
    )
    samples, left_out = usable(rows)
    digest = hashlib.sha256(b"".join(content for _, content in contents)).hexdigest()
    suffix = f"-{language}" if len(LANGUAGES[name]) > 1 else ""
    return BBQ.loaded(f"{name}{suffix}", digest, samples, left_out=left_out)


def _paths(name: str, language: str, controls: bool) -> Iterator[tuple[bool, str]]:
    if name == "mbbq":
        yield False, f"mbbq/Gender_identity_{language}.jsonl"
        if controls:
            yield True, f"mbbq/Gender_identity_control_{language}.jsonl"
    else:
        yield False, "bbq/Gender_identity.jsonl" if name == "bbq" else f"esbbq/Gender.{language}.csv"


def usable(rows: Iterable[BbqSample | str]) -> tuple[tuple[BbqSample, ...], dict[str, int]]:
    """Return the rows that can be used, and the number of the others by reason."""
    kept: dict[Any, BbqSample] = {}
    left_out: Counter[str] = Counter()
    for row in rows:
        if isinstance(row, str):
            left_out[row] += 1
            continue
        people = frozenset(row.option(kind) for kind in ("biased", "counter"))
        key = (row.context, row.question, people)
        if key in kept:
            left_out[REPEATED] += 1
        else:
            kept[key] = row
    return tuple(kept.values()), dict(left_out)


def _bbq(content: bytes, language: str, control: bool) -> Iterator[BbqSample | str]:
    """Yield the rows of BBQ or MBBQ, or the reason why a row cannot be used."""
    for index, line in enumerate(content.decode("utf-8").splitlines()):
        yield bbq_sample(json.loads(line), index, language, control)


def bbq_sample(row: Mapping[str, Any], index: int, language: str, control: bool = False) -> BbqSample | str:
    """Return a row of BBQ or MBBQ as a sample, or the reason why it cannot be used."""
    options = (row["ans0"], row["ans1"], row["ans2"])
    info = [row["answer_info"][f"ans{k}"] for k in range(3)]
    labels = [label for _, label in info]
    group = _group(row["additional_metadata"]["stereotyped_groups"])
    stereotyped = _stereotyped(options, labels, group, "" if control else language)
    if stereotyped is None:
        return SAME_GENDER
    polarity = _POLARITIES[row["question_polarity"]]
    kinds = kinds_of(stereotyped, labels.index("unknown"), polarity)
    template, value = scenarios()[row["question_index"]]
    return BbqSample(
        index=index,
        item=f"{'control-' if control else ''}{row['question_index']}-{row['example_id']}",
        language=language,
        template=template,
        condition=_CONDITIONS[row["context_condition"]],
        polarity=polarity,
        context=row["context"].strip(),
        question=row["question"].strip(),
        options=options,
        kinds=kinds,
        truth=kinds[row["label"]],
        group=group,
        value=value,
        control=control,
        labels=tuple((text, label) for text, label in info),
    )


def _group(stereotyped: Sequence[str]) -> Group:
    return "trans" if "trans" in stereotyped else _GENDERS[stereotyped[0].lower()]


def _stereotyped(options: Sequence[str], labels: Sequence[str], group: Group, language: str) -> int | None:
    """Return the position of the stereotyped person; None if it is not exactly one of the two."""
    if group == "trans":
        positions = [k for k, label in enumerate(labels) if label.startswith("trans")]
    else:
        people = [k for k, label in enumerate(labels) if label != "unknown"]
        positions = [k for k in people if (_gender(options[k], language) or _GENDERS.get(labels[k].lower())) == group]
    return positions[0] if len(positions) == 1 else None


def _gender(option: str, language: str) -> Group | None:
    """Return the gender that the last words of an answer state, such as "The woman"; None for a name."""
    text = f" {option.lower()}"
    words = (word for word in _people().get(language, {}) if text.endswith(f" {word}"))
    longest = max(words, key=len, default=None)
    return None if longest is None else _people()[language][longest]


def _esbbq(content: bytes, language: str) -> Iterator[BbqSample | str]:
    """Yield the rows of EsBBQ or CaBBQ with a wording in place of the placeholder `unknown`."""
    for index, row in enumerate(csv.DictReader(io.StringIO(content.decode("utf-8"), newline=""))):
        info = {f"ans{k}": ast.literal_eval(row[f"answer_info.ans{k}"]) for k in range(3)}
        groups = ast.literal_eval(row["stereotyped_groups"])
        yield esbbq_sample(row | {"answer_info": info, "stereotyped_groups": groups}, index, language)


def esbbq_sample(row: Mapping[str, Any], index: int, language: str) -> BbqSample | str:
    """Return a row of EsBBQ or CaBBQ as a sample, or the reason why it cannot be used."""
    labels = [row["answer_info"][f"ans{k}"][1] for k in range(3)]
    group = _group(row["stereotyped_groups"])
    item = f"{row['template_id']}-{row['instance_id']}"
    unknown = labels.index("unknown")
    options = [row["ans0"], row["ans1"], row["ans2"]]
    options[unknown] = drawn_wording(language, item)
    stereotyped = _stereotyped(options, labels, group, "")
    if stereotyped is None:
        return SAME_GENDER
    polarity = _POLARITIES[row["question_polarity"]]
    kinds = kinds_of(stereotyped, unknown, polarity)
    return BbqSample(
        index=index,
        item=item,
        language=language,
        # BBQ's numbers stand for other scenarios
        template=f"esbbq-{row['template_id']}",
        condition=_CONDITIONS[row["context_condition"]],
        polarity=polarity,
        context=row["context"].strip(),
        question=row["question"].strip(),
        options=(options[0], options[1], options[2]),
        kinds=kinds,
        truth=kinds[int(row["label"])],
        group=group,
        value=row["relevant_social_value"] or None,
    )


def drawn_wording(language: str, item: str) -> str:
    """Draw the unknown option's wording: the same one for the same item, in every run."""
    wordings = unknown_wordings()[language]
    return wordings[int(hashlib.sha256(f"{language}/{item}".encode()).hexdigest(), 16) % len(wordings)]


@cache
def unknown_wordings() -> dict[str, list[str]]:
    """Load the wordings of the unknown option for data that leaves them open, by language."""
    wordings: dict[str, list[str]] = {}
    for row in resource_rows("tables/bbq_unknown_wordings.csv"):
        wordings.setdefault(row["language"], []).append(row["wording"])
    return wordings


@cache
def scenarios() -> dict[str, tuple[str, str]]:
    """Load the scenario and the social value of each of BBQ's question numbers."""
    rows = resource_rows("tables/bbq_scenarios.csv")
    return {row["question_index"]: (row["template"], row["value"]) for row in rows}


@cache
def _people() -> dict[str, dict[str, Group]]:
    words: dict[str, dict[str, Group]] = {}
    for row in resource_rows("tables/bbq_people.csv"):
        words.setdefault(row["language"], {})[row["word"]] = "women" if row["gender"] == "women" else "men"
    return words


@cached
def load_own(data: str, language: str, keep_duplicates: bool = False) -> SampleSet[BbqSample]:
    """Load one language's rows of a file, or the starter set; rows without a language are in the requested one.

    A row gives a template, the stereotyped group, the condition, the polarity of the question, context and question,
    the biased, counter-biased and unknown answers, and which of them is right.
    """
    file = BBQ.opened(data)
    samples = (_own_sample(row, index, language) for index, row in enumerate(file))
    missing = f"has no questions in '{language}' below its header; add rows with {','.join(BBQ.columns)}"
    return BBQ.own(file, (s for s in samples if s.language == language), keep_duplicates, missing=missing)


def _own_sample(row: OwnRow, index: int, language: str) -> BbqSample:
    texts = {column: single_spaced(row.filled(column, f"'{column}'")) for column in TEXTS}
    if len({texts[kind].casefold() for kind in KINDS}) < len(KINDS):
        raise row.error("two of the three answers are the same; make them different")
    condition = row.one_of("condition", CONDITIONS)
    truth = row.one_of("truth", KINDS, allowed=" or ".join(KINDS))
    if (truth == "unknown") is not (condition == "ambiguous"):
        right = "unknown" if condition == "ambiguous" else "biased or counter"
        raise row.error(f"the right answer to a question about an {condition} context is {right}")
    return BbqSample(
        index=index,
        item=str(row.line),
        language=language_code(row.text("language")) or language,
        template=row.text("template") or str(row.line),
        condition=condition,
        polarity=row.one_of("polarity", POLARITIES),
        context=texts["context"],
        question=texts["question"],
        options=(texts["biased"], texts["counter"], texts["unknown"]),
        kinds=KINDS,
        truth=truth,
        group=row.one_of("group", GROUPS, allowed=" or ".join(GROUPS)),
        value=row.text("value") or None,
    )
