"""Blanks in texts: locates those of many questions at once, with a vectorised path for options of one token."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import Any

import numpy as np

from genderscope.core.questions import Answer, Choice, ChoiceAnswer
from genderscope.models.hf.checkpoints import encode, without_truncation
from genderscope.models.hf.passes.base import Array, TokenizedTexts
from genderscope.models.hf.token_spans import Located, locate, with_options

NOT_FINITE = "the model's logits are not finite in this precision"


@dataclass(frozen=True)
class Blanks:
    """Located blanks with the same number of options: texts, position of each blank, and token ids of the options.

    `masses` marks the blanks that also need the normaliser over the vocabulary.
    """

    texts: TokenizedTexts
    places: Array
    options: Array
    masses: Array

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, selection: slice | Array) -> "Blanks":
        """Return the selected blanks."""
        return Blanks(self.texts[selection], self.places[selection], self.options[selection], self.masses[selection])

    @property
    def full(self) -> bool:
        """Whether any blank needs a full vocabulary row."""
        return bool(self.masses.any())

    def masked(self, token: int) -> TokenizedTexts:
        """Return the texts with every blank replaced by this token."""
        ids = self.texts.ids.copy()
        ids[self.texts.starts + self.places] = token
        return TokenizedTexts(ids, self.texts.lengths)

    def answers(self, scores: Array, normalisers: Array | None) -> list[Answer]:
        """Convert the options' logits [blanks, options], and normalisers for blanks in `masses` if any, to answers."""
        finite = np.logical_and.reduce(np.abs(scores) < 1e30, axis=1)  # comparisons with NaN are false
        sums: list[float | None] = [None] * len(self)
        if normalisers is not None:
            for k, normaliser in zip(np.flatnonzero(self.masses).tolist(), normalisers.tolist(), strict=True):
                sums[k] = normaliser
        pairs = list(zip(*self.options.T.tolist(), strict=True))
        tokens = {pair: tuple((token,) for token in pair) for pair in set(pairs)}
        logits = zip(*scores.T.tolist(), strict=True)
        return [
            ChoiceAnswer(pair_logits, tokens[pair], total)
            if read
            else ChoiceAnswer(None, tokens[pair], unread=NOT_FINITE)
            for pair_logits, pair, total, read in zip(logits, pairs, sums, finite.tolist(), strict=True)
        ]


#: character span of a token without characters
_NOWHERE = (-1, -1)


def one_token_each(
    questions: Sequence[Choice], encodings: Sequence[Any], unknown_id: int | None, longest: int, sees_after: bool
) -> tuple[Array, Blanks]:
    """Select the blanks for which every option is a single token in an otherwise identical context.

    Return the indices of these questions and their blanks; all other blanks must be located individually. All questions
    must have the same number of options; `encodings` contains each sentence encoded with each option. A causal model
    also predicts the space before the word, so a space that may be a separate token disqualifies a blank.
    """
    count = len(questions[0].options)
    begins = [len(question.before) for question in questions]
    # A blank in the very first token must be located individually.
    places = [encoding.char_to_token(begin) or 0 for encoding, begin in zip(encodings[::count], begins, strict=True)]
    begin, place = np.array(begins), np.array(places)
    spaced = np.array([question.before.endswith(" ") for question in questions])
    read = [TokenizedTexts.of([encoding.ids for encoding in encodings[k::count]]) for k in range(count)]
    good = (place > 0) & (read[0].lengths <= longest)
    for k in range(count):
        words, encoded = [question.options[k] for question in questions], encodings[k::count]
        covered = (encoding.token_to_chars(at) or _NOWHERE for encoding, at in zip(encoded, places, strict=True))
        start, stop = np.fromiter(chain.from_iterable(covered), dtype=np.int64).reshape(-1, 2).T
        ends = begin + np.array([len(word) for word in words])
        good &= (stop == ends) & ((start == begin) | (spaced & (start == begin - 1)))
        good &= read[k].lengths == read[0].lengths
        if not all(word and word.isascii() for word in set(words)):
            good &= np.array([word != "" and word.isascii() for word in words])
        if not sees_after:
            for at in np.flatnonzero(good & (start == begin) & (spaced | (begin == 0))).tolist():
                before = encoded[at].token_to_chars(places[at] - 1)
                good[at] = before is None or before[1] != begins[at]
    selected = np.flatnonzero(good)
    if len(selected) < len(questions):
        read = [texts[selected] for texts in read]
    spots = read[0].starts + place[selected]
    options = np.stack([texts.ids[spots] for texts in read], axis=1)
    same = np.ones(len(selected), dtype=bool) if unknown_id is None else (options != unknown_id).all(axis=1)
    same &= (np.diff(np.sort(options, axis=1), axis=1) != 0).all(axis=1)
    for texts in read[1:]:
        differs = texts.ids != read[0].ids
        differs[spots] = False
        same &= ~np.logical_or.reduceat(differs, texts.starts) if len(selected) else True
    masses = np.array([question.want_mass for question in questions])
    blanks = Blanks(read[0], place[selected], options, masses[selected])
    return (selected, blanks) if same.all() else (selected[same], blanks[same])


#: Freeing an encoding takes as long as locating its blank, so encodings are freed while the CPU waits for the device.
_WINDOWS_KEPT = 3
_FREED_AT_ONCE = 64


@dataclass(frozen=True)
class LocatedBlanks:
    """Blanks by question index: `single_token` contains those whose options are single tokens, `others` the rest.

    Single-token blanks are grouped by number of options. In `others`, a string is the reason why a question cannot be
    scored.
    """

    single_token: tuple[tuple[Array, Blanks], ...]
    others: tuple[tuple[int, Located | str], ...]


class BlankLocator:
    """Locates blanks. `start_encoding` encodes questions in a background thread, without holding the GIL."""

    def __init__(self, tokenizer: Any, longest: int, sees_after: bool) -> None:
        self._tokenizer, self._longest, self._sees_after = tokenizer, longest, sees_after
        self._unknown_id: int | None = tokenizer.unk_token_id
        self._thread = ThreadPoolExecutor(1)
        self._started: deque[tuple[list[Choice], Future[list[Any]]]] = deque()
        self._used: deque[list[Any]] = deque(maxlen=_WINDOWS_KEPT)

    def start_encoding(self, questions: Sequence[Choice]) -> None:
        """Start encoding these questions in the background, after any submitted earlier."""
        listed = list(questions)
        encode_batch = without_truncation(self._tokenizer).encode_batch
        self._started.append((listed, self._thread.submit(encode_batch, with_options(listed), add_special_tokens=True)))

    def locate(self, questions: Sequence[Choice]) -> LocatedBlanks:
        """Return the blanks of these questions, using background encodings if available."""
        while self._started:
            announced, encodings = self._started.popleft()
            if announced == list(questions):
                self._used.append(encodings.result())
                return self._locate(questions, self._used[-1])
        return self._locate(questions, encode(self._tokenizer, with_options(questions)))

    def free_until(self, is_needed: Callable[[], bool]) -> None:
        """Free used encodings until `is_needed` returns true."""
        while self._used and not is_needed():
            del self._used[0][-_FREED_AT_ONCE:]
            if not self._used[0]:
                self._used.popleft()

    def _locate(self, questions: Sequence[Choice], encodings: Sequence[Any]) -> LocatedBlanks:
        """Locate blanks, given the encodings of each sentence with each option; vectorised if possible."""
        starts = [0, *accumulate(len(question.options) for question in questions)]
        single_token = []
        is_left = np.ones(len(questions), dtype=bool)
        for indices, group, encoded in _by_option_count(questions, encodings, starts):
            selected, blanks = one_token_each(group, encoded, self._unknown_id, self._longest, self._sees_after)
            if len(selected):
                single_token.append((indices[selected], blanks))
                is_left[indices[selected]] = False
        others = [
            (k, locate(questions[k], encodings[starts[k] : starts[k + 1]], self._unknown_id, self._sees_after))
            for k in np.flatnonzero(is_left).tolist()
        ]
        return LocatedBlanks(tuple(single_token), tuple(others))


def _by_option_count(
    questions: Sequence[Choice], encodings: Sequence[Any], starts: Sequence[int]
) -> Iterator[tuple[Array, Sequence[Choice], Sequence[Any]]]:
    """Yield groups of questions with the same number of options: indices, questions and encodings."""
    counts = np.diff(starts)
    for count in dict.fromkeys(counts.tolist()):
        indices = np.flatnonzero(counts == count)
        if len(indices) == len(questions):
            yield indices, questions, encodings
            return
        numbers = indices.tolist()
        encoded = [encoding for k in numbers for encoding in encodings[starts[k] : starts[k + 1]]]
        yield indices, [questions[k] for k in numbers], encoded
