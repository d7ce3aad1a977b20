"""A measure's questions, sample by sample, and the rows that their answers give."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any

from genderscope.engine import answers_in_memory, read_answers
from genderscope.measures import AnyMeasure
from genderscope.questions import Answer, Choice, ChoiceAnswer, Question, ReplyAnswer, TranslationAnswer
from genderscope.runs import Journal
from genderscope.written import CUT, CUT_TRANSLATION

OptionTokens = dict[str, set[tuple[int, ...]]]

#: at the end, answers are read in chunks of this many samples
_PORTION = 20_000


class SampleQuestions:
    """The questions of each sample: made once if there are few, else each time, so that memory stays bounded."""

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

    def all(self) -> Iterator[Question]:
        """Yield the questions of all samples."""
        return chain.from_iterable(self)


class RowBuilder:
    """Reads answers as rows, in sample order: some while others are still awaited, the rest at the end."""

    def __init__(self, measure: AnyMeasure, questions: SampleQuestions, fingerprint: str, journal: Journal) -> None:
        self._measure = measure
        self._questions = questions
        self._fingerprint = fingerprint
        self._journal = journal
        #: the options of choices with their token ids
        self._tokenized: dict[tuple[tuple[str, ...], tuple[tuple[int, ...], ...]], None] = {}
        #: what was removed around translations
        self.notes: Counter[str] = Counter()
        #: how many replies and translations were cut at the maximum length
        self.cut = 0
        self._read: list[Any] = []
        self._samples: Iterator[tuple[Any, Sequence[Question]]] = zip(
            self._measure.samples, self._questions, strict=True
        )
        #: the next sample, if not all of its answers were in memory
        self._waiting: list[tuple[Any, Sequence[Question]]] = []

    def read_available(self) -> None:
        """Read the next samples, as long as all their answers are in memory."""
        for sample, questions in chain(self._waiting, self._samples):
            answers = answers_in_memory(self._fingerprint, questions, self._journal)
            if answers is None:
                self._waiting = [(sample, questions)]
                return
            self._waiting = []
            self._read += self._rows_of(sample, questions, answers)

    def rows(self) -> Iterator[Any]:
        """Yield every row; read the answers that were not read before."""
        yield from self._read
        self._read = []
        left = chain(self._waiting, self._samples)
        while portion := list(islice(left, _PORTION)):
            questions = chain.from_iterable(questions for _, questions in portion)
            answers = read_answers(self._fingerprint, questions, self._journal)
            for sample, own in portion:
                yield from self._rows_of(sample, own, list(islice(answers, len(own))))

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
        """The token ids of each option."""
        ids_by_option: OptionTokens = defaultdict(set)
        for options, tokens in self._tokenized:
            for option, ids in zip(options, tokens, strict=False):
                ids_by_option[option].add(ids)
        return ids_by_option
