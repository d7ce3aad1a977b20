"""The questions put to a system under test, and its answers.

Questions and answers are frozen value objects that can be compared and written to a journal (`journal_codec.py`).
Models and measures do not depend on each other; these types are the only interface between them.
"""

import math
from dataclasses import dataclass, field
from typing import Literal

#: maximum length in characters of a stored reply, thought, translation or completion; only stored text is scored
LONGEST_TEXT = 65_536


@dataclass(frozen=True, slots=True)
class Choice:
    """Which of the options fills the blank between `before` and `after`?

    `want_mass` also asks for the log-normaliser, which gives the options' combined probability mass.
    """

    before: str
    after: str
    options: tuple[str, ...]
    want_mass: bool = False


@dataclass(frozen=True, slots=True)
class ChoiceAnswer:
    """The options' log-probabilities, up to a shared constant.

    Differences of `scores` are log-ratios. If `log_normaliser` is given, `score - log_normaliser` is the
    log-probability itself. `unread` is the reason for missing scores.
    """

    scores: tuple[float, ...] | None
    tokens: tuple[tuple[int, ...], ...] = ()
    log_normaliser: float | None = None
    note: str | None = None
    unread: str | None = None

    @property
    def log_ratio(self) -> float | None:
        """The log-ratio of the first option's probability to the second's; None without scores."""
        return None if self.scores is None else self.scores[0] - self.scores[1]

    @property
    def mass(self) -> float | None:
        """The options' combined probability mass; None if it was not computed."""
        if self.scores is None or self.log_normaliser is None:
            return None
        return sum(math.exp(score - self.log_normaliser) for score in self.scores)


@dataclass(frozen=True, slots=True)
class Translation:
    """Translate the text from `source` to `target` (two-letter codes)."""

    text: str
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class TranslationAnswer:
    """The system's translation, or the reason why it is missing.

    `note` lists what was stripped from the output. `reply` is a chat model's whole reply, if the translation is only a
    part of it or missing.
    """

    text: str | None
    unread: str | None = None
    note: str | None = None
    reply: str | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """What are the `k` most probable fillers for the blank between `before` and `after`?

    A causal model continues `before` by up to `new_tokens` tokens and returns either the `k` best hypotheses of a beam
    search with `k` beams, or `k` continuations sampled with `seed`. A single token needs no search: the `k` most
    probable tokens are returned. `whole_words` skips word pieces, punctuation and special tokens for single-token
    fillers.
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
    """The completions, best first (or in sampling order), each with the log-probability of its tokens.

    `unread` is the reason for missing completions.
    """

    texts: tuple[str, ...] | None
    scores: tuple[float, ...] = ()
    tokens: tuple[tuple[int, ...], ...] = ()
    unread: str | None = None


@dataclass(frozen=True, slots=True)
class TokenLikelihood:
    """How probable are the tokens of a text within these character spans?

    Without spans, the whole text is scored. A masked model masks all tokens at once if `together` is set, else one at
    a time; a causal model always conditions each token on the preceding text. `shared_with` is another text; tokens
    that do not occur in it are excluded. `piecewise` follows StereoSet's authors: a masked model scores the single word
    in the spans token by token, with earlier tokens filled in and later ones omitted; a causal model scores the text
    after the beginning-of-text token, even if the tokenizer does not add that token.
    """

    text: str
    spans: tuple[tuple[int, int], ...]
    together: bool
    shared_with: str | None = None
    piecewise: bool = False


@dataclass(frozen=True, slots=True)
class LikelihoodAnswer:
    """The tokens in the spans, in text order, each with its natural log-probability.

    A log-probability is None if the token was excluded because it is not shared, or if nothing precedes it, so that a
    causal model cannot predict it. `unread` is the reason for a missing answer.
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

    A temperature of 0 decodes greedily. Otherwise tokens are sampled from the `top_p` nucleus; the sample depends only
    on `seed` and the messages, not on other questions in the run.
    """

    messages: tuple[Message, ...]
    max_tokens: int = 300
    temperature: float = 1.0
    top_p: float = 1.0
    seed: int = 0
    reasoning_effort: str | None = None
    #: the messages rendered with the model's chat template, if available: the model's entire input
    prompt: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class StructuredReply(Reply):
    """Which of the options does a chat model name, if the server constrains its reply to a JSON object?

    The object has one field, `FIELD`, whose value is one of `options`. The reply's text is the JSON as received, which
    the measure parses: a server may ignore the constraint.
    """

    options: tuple[str, ...] = ()


#: the field of a structured reply that contains the chosen option
FIELD = "answer"


@dataclass(frozen=True, slots=True)
class ReplyAnswer:
    """The model's reply; reasoning text, if returned, is stored separately in `thought`.

    `ended` is the reason for an early end: `length`, `filter`, `refusal`, or `cut` if the text was truncated to
    `LONGEST_TEXT`. `served_by` is the model name reported by the server, if it differs from the requested one.
    `unread` is the reason for a missing text.
    """

    text: str | None
    thought: str | None = None
    ended: str | None = None
    served_by: str | None = None
    unread: str | None = None


@dataclass(frozen=True, slots=True)
class ReplyStart:
    """How probable is it that a chat model's reply to these messages begins with each of these texts?

    The answer is a ChoiceAnswer with its normaliser; the remaining probability mass belongs to other replies.
    """

    messages: tuple[Message, ...]
    starts: tuple[str, ...]
    reasoning_effort: str | None = None
    prompt: str | None = field(default=None, repr=False)  # see `Reply.prompt`


Question = Choice | Translation | Completion | TokenLikelihood | Reply | StructuredReply | ReplyStart
Answer = ChoiceAnswer | TranslationAnswer | CompletionAnswer | LikelihoodAnswer | ReplyAnswer

ANSWER_TO: dict[type[Question], type[Answer]] = {
    Choice: ChoiceAnswer,
    Translation: TranslationAnswer,
    Completion: CompletionAnswer,
    TokenLikelihood: LikelihoodAnswer,
    Reply: ReplyAnswer,
    StructuredReply: ReplyAnswer,
    ReplyStart: ChoiceAnswer,
}


#: the ability that a kind of question requires, as worded in messages
ABILITY: dict[type[Question], str] = {
    Choice: "fill blanks",
    Translation: "translate",
    Completion: "complete sentences",
    TokenLikelihood: "return token likelihoods",
    Reply: "chat",
    StructuredReply: "return structured replies",
    ReplyStart: "return reply likelihoods",
}
