"""A measure's questions per sample, the rows built from their answers, and the Result built from the rows."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from genderscope.core.errors import most_frequent, once_each
from genderscope.core.journal_codec import CUT, CUT_TRANSLATION
from genderscope.core.questions import (
    LONGEST_TEXT,
    Answer,
    Choice,
    ChoiceAnswer,
    Question,
    ReplyAnswer,
    TranslationAnswer,
)
from genderscope.engine import answers_in_memory, read_answers
from genderscope.evaluation.run_config import PreparedRun
from genderscope.judgement import with_symbols
from genderscope.measures import AnyMeasure, control_frame
from genderscope.models import Model, ReplyModel
from genderscope.runs import Journal, Result, RunFolder, asked_part, days_of, estimates_to_frame, in_words, read_config

if TYPE_CHECKING:
    import pandas as pd


OptionTokens = dict[str, set[tuple[int, ...]]]

_PORTION = 20_000  # samples per chunk when the remaining answers are read at the end


class SampleQuestions:
    """The questions of each sample; cached for small sets, regenerated for large ones to bound memory."""

    few = 10_000

    def __init__(self, measure: AnyMeasure) -> None:
        self._measure = measure
        self._kept: list[Sequence[Question]] = []

    def __iter__(self) -> Iterator[Sequence[Question]]:
        ask, samples, kept = self._measure.ask, self._measure.samples, self._kept
        if len(samples) > self.few:
            yield from map(ask, samples)
            return
        for k, sample in enumerate(samples):
            if k == len(kept):
                kept.append(ask(sample))
            yield kept[k]

    @cached_property
    def controls(self) -> list[Sequence[Question]]:
        """The questions of each control, which come after those of the samples."""
        return [self._measure.ask(case.sample) for case in self._measure.controls]

    def all(self) -> Iterator[Question]:
        """Yield the questions of all samples and controls."""
        return chain.from_iterable(chain(self, self.controls))

    def count(self) -> int:
        """Return the number of all questions."""
        return sum(map(len, chain(self, self.controls)))


class RowBuilder:
    """Builds rows from answers, in sample order, while further answers are still pending."""

    def __init__(self, measure: AnyMeasure, questions: SampleQuestions, fingerprint: str, journal: Journal) -> None:
        self._measure = measure
        self._questions = questions
        self._fingerprint = fingerprint
        self._journal = journal
        #: the options of each choice with their token ids
        self._tokenized: dict[tuple[tuple[str, ...], tuple[tuple[int, ...], ...]], None] = {}
        self.notes: Counter[str] = Counter()  # how often each kind of text around a translation was stripped
        #: number of replies and translations truncated at the maximum length
        self.cut = 0
        self._read: list[Any] = []
        self._samples: Iterator[tuple[Any, Sequence[Question]]] = zip(measure.samples, questions, strict=True)
        #: the next sample, if some of its answers were not yet in memory
        self._waiting: list[tuple[Any, Sequence[Question]]] = []

    def read_available(self) -> None:
        """Build the rows of the next samples, stopping at the first whose answers are not all in memory."""
        for sample, questions in chain(self._waiting, self._samples):
            answers = answers_in_memory(self._fingerprint, questions, self._journal)
            if answers is None:
                self._waiting = [(sample, questions)]
                return
            self._waiting = []
            self._read += self._rows_of(sample, questions, answers)

    def rows(self) -> Iterator[Any]:
        """Yield all rows, reading the remaining answers from the journal."""
        yield from self._read
        self._read = []
        left = chain(self._waiting, self._samples)
        while portion := list(islice(left, _PORTION)):
            questions = chain.from_iterable(questions for _, questions in portion)
            answers = read_answers(self._fingerprint, questions, self._journal)
            for sample, own in portion:
                yield from self._rows_of(sample, own, list(islice(answers, len(own))))

    def controls(self) -> "pd.DataFrame":
        """Return the rows of the controls."""
        cases, asked = self._measure.controls, self._questions.controls
        answers = read_answers(self._fingerprint, chain.from_iterable(asked), self._journal)
        rows = [
            list(self._measure.read(case.sample, list(islice(answers, len(own)))))
            for case, own in zip(cases, asked, strict=True)
        ]
        return control_frame(cases, rows)

    def _rows_of(self, sample: Any, questions: Sequence[Question], answers: Sequence[Answer]) -> Iterator[Any]:
        self._note(questions, answers)
        return iter(self._measure.read(sample, answers))

    def _note(self, questions: Sequence[Question], answers: Sequence[Answer]) -> None:
        for question, answer in zip(questions, answers, strict=True):
            if isinstance(question, Choice) and isinstance(answer, ChoiceAnswer):
                self._tokenized[tuple(question.options), tuple(answer.tokens)] = None
            elif isinstance(answer, TranslationAnswer) and answer.note is not None:
                self._note_translation(answer.note)
            elif isinstance(answer, ReplyAnswer):
                self.cut += answer.ended == CUT

    def _note_translation(self, note: str) -> None:
        rest = note.removesuffix(CUT_TRANSLATION)
        self.cut += rest != note
        if removed := rest.rstrip(", "):
            self.notes[removed] += 1

    @property
    def tokens(self) -> OptionTokens:
        """The tokenizations (token ids) of each option."""
        ids_by_option: OptionTokens = defaultdict(set)
        for options, tokens in self._tokenized:
            for option, ids in zip(options, tokens, strict=False):
                ids_by_option[option].add(ids)
        return ids_by_option


def build_result(
    run: PreparedRun,
    folder: RunFolder,
    rows: "pd.DataFrame",
    builder: RowBuilder,
    described: dict[str, Any],
    judge: Model | None = None,
) -> Result:
    """Compute the estimates, record their provenance in run.json, and return the result."""
    measure, model = run.measure, run.model
    # The model's size is recorded even if all answers were in the journal and the weights were never loaded.
    described |= {"parameters": size} if (size := model.parameter_count()) else {}
    # In that case the query method comes from the run that asked the questions.
    recorded = read_config(folder.path)["model"]
    described = {key: recorded[key] for key in ("method", "not_exact", "served_by") if key in recorded} | described
    reached = measure.covered_options(rows)
    controls = builder.controls()
    dates = _dates(model, folder, read_config(folder.path))
    signature = "|".join([run.config["signature"], *(f"{key}_read:{part}" for key, part in reached.items()), *dates])
    option_tokens = {option: sorted(map(list, ids)) for option, ids in builder.tokens.items()}
    folder.record(model=described, option_tokens=option_tokens, reached=reached, signature=signature)
    computed = [*measure.estimates(rows), *measure.control_estimates(rows, controls)]
    estimates = with_symbols(measure.symbols, computed)
    cautions = [
        *model.cautions(),
        *_several_days(model, folder.path),
        *_cut_or_extracted(builder),
        *measure.control_cautions(controls),
        *measure.cautions(rows, estimates),
        *(f"The judge: {caution}" for caution in (judge.cautions() if judge is not None else ())),
    ]
    return Result(
        measure.id,
        estimates_to_frame(estimates),
        rows,
        signature,
        measure.summary(estimates),
        once_each(cautions),
        read_config(folder.path),
        folder.path,
        controls=None if controls.empty else controls,
    )


def _dates(model: Model, folder: RunFolder, config: dict[str, Any]) -> Iterator[str]:
    """Yield the signature's dates: the date in the prompts and, for models that may change, the date of the answers."""
    if isinstance(model, ReplyModel) and model.prompts_are_dated:
        yield f"template_date:{folder.started:%Y-%m-%d}"
    if model.may_change and (part := asked_part(config)) is not None:
        yield part


def _several_days(model: Model, folder: Path) -> list[str]:
    days = days_of(read_config(folder))
    if not model.may_change or len(days) < 2:
        return []
    return [f"The answers were given on several days ({in_words(days)}), between which the model may have changed."]


def _cut_or_extracted(builder: RowBuilder) -> Iterator[str]:
    """Yield cautions about truncated answers and about replies that contained more than the translation."""
    if builder.cut:
        yield f"{builder.cut:,} answers were longer than {LONGEST_TEXT:,} characters; the rest was not read."
    if builder.notes:
        notes = most_frequent(builder.notes)
        yield f"{builder.notes.total():,} replies contained more than the translation, which was extracted: {notes}."
