"""The questions put to a system under test, and its answers.

Questions and answers are frozen value objects: they can be compared, and written into a journal (`written.py`).
Models know nothing of measures nor measures of models; these types are all they share.
"""

import math
from dataclasses import dataclass, field
from typing import Literal

#: characters of a reply, a thought, a translation or a completion that are kept; nothing is read that is not kept
LONGEST_TEXT = 65_536


@dataclass(frozen=True, slots=True)
class Choice:
    """Which of the options fills the blank between `before` and `after`?

    `want_mass` also asks for the log-normaliser, which gives the options' joint probability mass.
    """

    before: str
    after: str
    options: tuple[str, ...]
    want_mass: bool = False


@dataclass(frozen=True, slots=True)
class ChoiceAnswer:
    """The options' log-probabilities, up to a shared constant.

    Differences of `scores` are log-ratios. Where `log_normaliser` is known, `score - log_normaliser` is the
    log-probability itself. `unread` is the reason why there are no scores.
    """

    scores: tuple[float, ...] | None
    tokens: tuple[tuple[int, ...], ...] = ()
    log_normaliser: float | None = None
    note: str | None = None
    unread: str | None = None

    @property
    def mass(self) -> float | None:
        """The probability that the model fills the blank with one of the options, if it was computed."""
        if self.scores is None or self.log_normaliser is None:
            return None
        return sum(math.exp(score - self.log_normaliser) for score in self.scores)


@dataclass(frozen=True, slots=True)
class Translation:
    """Translate the text from one language to another (two-letter codes)."""

    text: str
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class TranslationAnswer:
    """The system's translation, or the reason why there is none; `note` says what was cut from around it."""

    text: str | None
    unread: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """What are the `k` likeliest fillers of the blank between `before` and `after`?

    A model that does not see the text after the blank continues `before` by up to `new_tokens` tokens: the `k` best
    of a beam search with `k` beams, or `k` random continuations drawn with `seed`. With one token no search is needed:
    they are the `k` likeliest tokens. `whole_words` skips word pieces, punctuation and special tokens, if a filler is
    one token.
    """

    before: str
    after: str
    k: int
    new_tokens: int = 1
    search: Literal["beam", "sample"] = "beam"
    seed: int = 0
    whole_words: bool = False


@dataclass(frozen=True, slots=True)
class CompletionAnswer:
    """The completions, best first (or as drawn, if sampled), with the log-probability of each one's tokens.

    `unread` is the reason why there are none.
    """

    texts: tuple[str, ...] | None
    scores: tuple[float, ...] = ()
    tokens: tuple[tuple[int, ...], ...] = ()
    unread: str | None = None


@dataclass(frozen=True, slots=True)
class TokenLikelihood:
    """How probable are the tokens of a text within these character spans?

    No spans means the whole text. A masked model masks the tokens all at once if `together` is set, else one at a
    time; a causal model conditions each token on the text before it, either way. `shared_with` leaves out the tokens
    that do not occur in that other text. `piecewise` asks as StereoSet's authors do: a masked model for the one word in
    the spans, token by token, with earlier tokens filled in and later ones left out; a causal model for the whole text
    after the tokenizer's beginning-of-text token, whether or not the tokenizer adds one itself.
    """

    text: str
    spans: tuple[tuple[int, int], ...]
    together: bool
    shared_with: str | None = None
    piecewise: bool = False


@dataclass(frozen=True, slots=True)
class LikelihoodAnswer:
    """The tokens in the spans, in the order of the text, each with its natural log-probability.

    A log-probability is None if no text precedes the token, so that a causal model cannot predict it, or if the
    token was left out because it is not shared.
    `unread` is the reason why there are none at all.
    """

    log_probabilities: tuple[float | None, ...] | None
    tokens: tuple[str, ...] = ()
    ids: tuple[int, ...] = ()
    unread: str | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What does a chat model reply to these messages, in at most `max_tokens` tokens?

    A temperature of 0 takes the likeliest token at every step. Otherwise tokens are drawn, from the smallest set that
    holds `top_p` of the probability, by `seed` and the messages alone: what else is asked changes nothing.
    """

    messages: tuple[Message, ...]
    max_tokens: int = 300
    temperature: float = 1.0
    top_p: float = 1.0
    seed: int = 0
    reasoning_effort: str | None = None
    #: the messages in the model's chat template, if it is known: all that the model reads
    prompt: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class ReplyAnswer:
    """What the model replied; its thoughts, where it shows any, are kept apart and are no part of the reply.

    `ended` says how the reply ended where it did not end by itself: `length`, `filter`, `refusal`, or `cut` if only its
    beginning is kept (`LONGEST_TEXT`). `served_by` is the model that a server names where that is another than
    was asked for. `unread` is the reason why there is no text.
    """

    text: str | None
    thought: str | None = None
    ended: str | None = None
    served_by: str | None = None
    unread: str | None = None


@dataclass(frozen=True, slots=True)
class ReplyStart:
    """How probable is it that a chat model's reply to these messages begins with each of these texts?

    The answer is that to a choice, with the normaliser: the rest of the probability is on other replies.
    """

    messages: tuple[Message, ...]
    starts: tuple[str, ...]
    reasoning_effort: str | None = None
    #: as in Reply
    prompt: str | None = field(default=None, repr=False)


Question = Choice | Translation | Completion | TokenLikelihood | Reply | ReplyStart
Answer = ChoiceAnswer | TranslationAnswer | CompletionAnswer | LikelihoodAnswer | ReplyAnswer

ANSWER_TO: dict[type[Question], type[Answer]] = {
    Choice: ChoiceAnswer,
    Translation: TranslationAnswer,
    Completion: CompletionAnswer,
    TokenLikelihood: LikelihoodAnswer,
    Reply: ReplyAnswer,
    ReplyStart: ChoiceAnswer,
}


#: what a model must be able to do to answer a kind of question
ABILITY: dict[type[Question], str] = {
    Choice: "fill blanks",
    Translation: "translate",
    Completion: "complete sentences",
    TokenLikelihood: "give likelihoods of tokens",
    Reply: "chat",
    ReplyStart: "give likelihoods of replies",
}
