"""BBQ: who did it, if the text does not say? Questions about two people, with and without the answer in the text."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from genderscope.core.errors import UserError
from genderscope.core.languages import language_name
from genderscope.core.questions import ChoiceAnswer, Question, Reply, ReplyStart, TokenLikelihood
from genderscope.judgement import Lead, leads_by_language
from genderscope.measures.base import read_estimates, read_symbols
from genderscope.measures.bbq.checks import ANSWERED, CONDITIONS, CRITERIA, ORDER, context_cautions, outcome_cautions
from genderscope.measures.bbq.options import (
    CAUTIONS,
    DIFFERENCES,
    FORMS,
    GENDERBENCH,
    LEADS,
    LM_EVAL,
    LONGEST,
    BbqOptions,
)
from genderscope.measures.bbq.prompts import (
    LETTERS,
    ORDERS,
    Order,
    balanced_orders,
    chat_prompt,
    digest,
    harness_questions,
    likelihood_questions,
)
from genderscope.measures.bbq.rows import BbqRow, answer_probabilities, choice_row, harness_row, letter_row, reply_row
from genderscope.measures.bbq.selection import selected
from genderscope.measures.competence import BETTER_THAN_CHANCE, likelihood_gain
from genderscope.measures.published import unknown_wordings
from genderscope.measures.reply_checks import CHAT_COVERAGE
from genderscope.measures.reply_measure import QUESTIONS, ReplyMeasure, require_form
from genderscope.measures.typical_spread import ASSUMED, BETWEEN_UNITS, Between, Spread
from genderscope.models import Chat
from genderscope.samples.bbq import CONDITIONS as CONTEXTS
from genderscope.samples.bbq import BbqSample
from genderscope.samples.registry import CITATIONS
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.models import Model


def chats(model: "Model") -> bool:
    """Return whether a model replies to messages; a base model has no chat template."""
    try:
        return not model.unanswerable(frozenset({Reply}))
    except UserError:
        return False


def usual_form(model: "Model") -> str:
    """Return the default form: letters for local chat models, replies for other chat models, else likelihoods."""
    if not chats(model):
        return "choice"
    return "letter" if model.scales and ReplyStart in model.answers else "ask"


class Bbq(ReplyMeasure[BbqOptions, BbqSample, BbqRow]):
    """BBQ's questions about gender, for base and chat models."""

    id = "bbq"
    title = "BBQ: stereotypes in answers to questions about two people, in five languages"
    citation = CITATIONS["bbq"]
    asks = frozenset({TokenLikelihood, Reply})
    options_type = BbqOptions
    row_type = BbqRow
    headline = DIFFERENCES
    symbols = read_symbols(__package__)
    leanings, margins, phrases = read_estimates(__package__)
    conditions = (*CONDITIONS, BETTER_THAN_CHANCE)
    criteria = CRITERIA
    blocking = (CHAT_COVERAGE, ORDER, ANSWERED, BETTER_THAN_CHANCE)
    spread = Spread(
        0.88,
        "300 English questions of a run of SmolLM2, form choice, half of them ambiguous",
        150,
        2828,
        between=(Between("templates", 0.37, ASSUMED, (27,), "template"),),
        wide=False,
    )
    analysis = "genderscope.measures.bbq.rates"
    row_key = ("language", "item", "wording", "order")
    units = {"template": BETWEEN_UNITS}  # noqa: RUF012 - only read
    #: audits leave out Dutch and Turkish, whose data states no licence and is fetched only on request
    asks_in = ("en", "es", "ca")
    starter = {"data": "starter"}  # noqa: RUF012 - only read
    #: the letter, the answer and a short reason
    longest = dict.fromkeys(("ask", "structured"), 100)
    letters = LETTERS

    _model: "Model | None" = None

    @classmethod
    def needs(cls, model: "Model") -> frozenset[type[Question]]:
        return frozenset({Reply}) if chats(model) else frozenset({TokenLikelihood})

    @classmethod
    def audited_with(cls, model: "Model", model_languages: Sequence[str]) -> dict[str, Any]:
        super().audited_with(model, model_languages)
        languages = tuple(language for language in cls.asks_in if language in model_languages)
        return {} if languages == ("en",) else {"lang": languages}

    def __init__(self, options: BbqOptions, model: "Model") -> None:
        self.options = options
        tool = options.as_published
        self.form = options.form or (FORMS[tool][0] if tool in FORMS else usual_form(model))
        require_form(self.form, model, f"--form {self.form} needs a chat model: ")
        # A resolved form can still contradict the other options.
        if reason := options.model_copy(update={"form": self.form}).ineffective():
            raise UserError(reason)
        self._model = model
        self.asks = frozenset({QUESTIONS[self.form]})  # type: ignore[misc]
        self.chat = getattr(model, "chat", Chat())
        self.scoring = "raw" if tool == LM_EVAL else options.scoring or "calibrated"
        self.dataset = selected(options)
        self.samples: Sequence[BbqSample] = self.dataset.samples
        self._drawn = balanced_orders(self.samples) if self._orders == "one" else {}
        if tool == GENDERBENCH:
            from genderscope.measures.published.genderbench import bbq_orders

            self._drawn = {sample.index: bbq_orders()[sample.item] for sample in self.samples}

    @property
    def _orders(self) -> str:
        return self.options.orders or ("all" if self.form == "letter" else "one")

    @property
    def most_tokens(self) -> int:
        return LONGEST.get(self.options.as_published or "") or super().most_tokens

    def data(self) -> dict[str, Any]:
        left_out = dict(self.dataset.left_out)
        return super().data() | ({"left_out": left_out} if left_out else {})

    def own_settings(self) -> dict[str, str]:
        options, tool = self.options, self.options.as_published
        prompts = (
            "choice" if self.form == "choice" or tool == LM_EVAL else GENDERBENCH if tool == GENDERBENCH else "chat"
        )
        shown = {"form": self.form, "lang": "+".join(options.languages), "prompts": digest(options.languages, prompts)}
        if self.form == "choice":
            shown["scoring"] = self.scoring
        elif tool not in FORMS:
            shown["orders"] = self._orders
        shown |= {
            name: value for name in ("groups", "contexts") if (value := getattr(options, name)) not in ("all", "both")
        }
        if options.skip_controls:
            shown["controls"] = "skipped"
        return shown | ({} if tool is None else {"as-published": tool})

    def _orders_of(self, sample: BbqSample) -> tuple[Order, ...]:
        return (self._drawn[sample.index],) if self._drawn else ORDERS

    def ask(self, sample: BbqSample) -> tuple[Question, ...]:
        tool = self.options.as_published
        if self.form == "choice":
            return harness_questions(sample) if tool == LM_EVAL else likelihood_questions(sample)
        return self.questions(chat_prompt(sample, order, tool) for order in self._orders_of(sample))

    def read(self, sample: BbqSample, answers: Sequence[Any]) -> Iterable[BbqRow]:
        tool = self.options.as_published
        if self.form == "choice":
            by_tool = tool == LM_EVAL
            offered = unknown_wordings(offered=True)
            yield harness_row(sample, answers, offered) if by_tool else choice_row(sample, answers, self.scoring)
            return
        for order, answer in zip(self._orders_of(sample), answers, strict=True):
            if isinstance(answer, ChoiceAnswer):
                yield letter_row(sample, order, answer)
            else:
                shown = None if tool == LM_EVAL else order
                yield reply_row(sample, shown, answer, self.form == "structured", tool)

    def estimates(self, rows: "pd.DataFrame") -> list[Estimate]:
        if self.options.as_published is not None:
            return published_estimates(rows, self.options.as_published, self.options.seed)
        from genderscope.measures.bbq.rates import estimates

        return [*estimates(rows, self.options), *self._gains(rows)]

    def control_estimates(self, rows: "pd.DataFrame", controls: "pd.DataFrame") -> list[Estimate]:
        """Return how often the model is right where the context gives the answer; published scores have no controls."""
        if self.options.as_published is not None:
            return []
        from genderscope.measures.bbq.rates import told_estimates

        return told_estimates(rows)

    def _gains(self, rows: "pd.DataFrame") -> list[Estimate]:
        """Return how much better than a uniform guess a base model predicts the answers, by language."""
        vocabulary = getattr(self._model, "vocabulary", None)
        if self.form != "choice" or not vocabulary:
            return []
        several = rows["language"].nunique() > 1
        return [
            e.with_keys(language=str(language) if several else None)
            for language, logs in answer_probabilities(rows).groupby(rows["language"])
            for e in likelihood_gain(logs, vocabulary)
        ]

    @classmethod
    def leads(cls, estimates: Sequence[Estimate], options: BbqOptions) -> list[Lead]:
        """Return the difference in ambiguous contexts, then the one in disambiguated contexts, which qualifies it.

        A publication or tool has leading estimates of its own.
        """
        if options.as_published is not None:
            names = LEADS[options.as_published]
            leading = [e for name in names for e in estimates if e.name == name and not e.keys]
            return [Lead(e, second=k > 0) for k, e in enumerate(leading)]
        leads: list[Lead] = []
        for name in DIFFERENCES:
            rates = [e for e in estimates if e.name == name and not e.group]
            leads += leads_by_language(rates, second=bool(leads))
        return leads

    def summary(self, estimates: Sequence[Estimate]) -> str:
        """Add the accuracy in each kind of context."""
        overall = {e.name: e.value for e in reversed(estimates) if not e.number_of_keys}
        accuracies = {context: overall.get(f"accuracy_{context}") for context in CONTEXTS}
        named = [f"{value:.0%} in {context} contexts" for context, value in accuracies.items() if value is not None]
        return super().summary(estimates) + (f" Accuracy: {', '.join(named)}." if named else "")

    def data_cautions(self, rows: "pd.DataFrame") -> Iterator[str]:
        options = self.options
        if options.as_published is not None:
            yield CAUTIONS[options.as_published]
        if any(options.dataset_for(language) == "mbbq" for language in options.languages):
            yield "MBBQ states no licence: use it for your own evaluation only, and do not redistribute it."
        others = [language_name(language) for language in options.languages if language != "en"]
        if others and self._model is not None:  # a log has the prompts of another tool
            yield f"The prompts in {', '.join(others)} have not been reviewed by a native speaker."
        yield from context_cautions(rows)

    def outcome_cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> Iterator[str]:
        return outcome_cautions(rows, estimates)


def published_estimates(rows: "pd.DataFrame", variant: str, seed: int) -> list[Estimate]:
    """Return the numbers that a publication or tool would report for these answers."""
    from genderscope.measures.published import bbq_scores, genderbench

    asked = rows[~rows["control"].astype(bool)]
    if variant == GENDERBENCH:
        return genderbench.bbq_metrics(asked, seed)
    return list(bbq_scores.harness_scores(asked) if variant == LM_EVAL else bbq_scores.parrish_scores(asked))
