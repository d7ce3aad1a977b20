"""A measure's questions per sample, and the rows built from their answers."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from genderscope.core.journal_codec import CUT, CUT_TRANSLATION
from genderscope.core.questions import Answer, Choice, ChoiceAnswer, Question, ReplyAnswer, TranslationAnswer
from genderscope.engine import answers_in_memory, read_answers
from genderscope.measures import AnyMeasure, control_frame
from genderscope.runs import Journal

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
