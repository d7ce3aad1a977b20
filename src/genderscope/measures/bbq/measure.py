"""BBQ: who did it, if the text does not say? Questions about two people, with and without the answer in the text."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Self

from genderscope.core.errors import UserError
from genderscope.core.languages import language_name
from genderscope.core.questions import ChoiceAnswer, Question, Reply, TokenLikelihood
from genderscope.judgement import Lead
from genderscope.measures.base import Measure
from genderscope.measures.bbq.cautions import cautions
from genderscope.measures.bbq.conditions import ANSWERED, CONDITIONS, ORDER
from genderscope.measures.bbq.criteria import CRITERIA
from genderscope.measures.bbq.forms import QUESTIONS, chats, require_form, usual_form
from genderscope.measures.bbq.lm_eval_reader import unknown_wordings
from genderscope.measures.bbq.options import BbqOptions
from genderscope.measures.bbq.phrasing import LEANINGS, MARGINS, PHRASES, accuracy_sentence, leads, published_leads
from genderscope.measures.bbq.prompts import (
    CHOICES,
    ORDERS,
    STARTS,
    Order,
    balanced_orders,
    chat_prompt,
    digest,
    likelihood_questions,
)
from genderscope.measures.bbq.published_options import CAUTIONS, FORMS, GENDERBENCH, LM_EVAL
from genderscope.measures.bbq.published_options import LONGEST as PUBLISHED_LONGEST
from genderscope.measures.bbq.published_prompts import harness_questions, probe_orders, published_prompt
from genderscope.measures.bbq.rows import (
    BbqRow,
    answer_probabilities,
    choice_row,
    harness_row,
    letter_row,
    reply_row,
)
from genderscope.measures.bbq.selection import Selected, selected
from genderscope.measures.competence import BETTER_THAN_CHANCE, likelihood_gain
from genderscope.measures.gest_chat.conditions import CHAT_COVERAGE
from genderscope.measures.own_data import cautions_about, settings_of
from genderscope.measures.typical_spread import BETWEEN_UNITS, Spread
from genderscope.models import Chat
from genderscope.samples.bbq import BbqSample
from genderscope.samples.dataset import data_identity
from genderscope.samples.registry import CITATIONS
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.models import Model

#: default maximum reply length in tokens: the letter, the answer and a short reason
LONGEST = 100
SCORING = "calibrated"


class Bbq(Measure[BbqOptions, BbqSample, BbqRow]):
    """BBQ's questions about gender, for base and chat models."""

    id = "bbq"
    title = "BBQ: stereotypes in answers to questions about two people, in five languages"
    citation = CITATIONS["bbq"]
    asks = frozenset({TokenLikelihood, Reply})
    options_type = BbqOptions
    row_type = BbqRow
    headline = ("bias_ambiguous", "bias_disambiguated")
    leanings = LEANINGS
    margins = MARGINS
    phrases = PHRASES
    conditions = (*CONDITIONS, BETTER_THAN_CHANCE)
    criteria = CRITERIA
    outcomes_module = "genderscope.measures.bbq.outcome_table"
    blocking = (CHAT_COVERAGE, ORDER, ANSWERED, BETTER_THAN_CHANCE)
    spread = Spread(0.90, "300 English questions of a run of SmolLM2, form choice, half of them ambiguous", 150, 2828)
    analysis = "genderscope.measures.bbq.rates"
    row_key = ("language", "item", "wording", "order")
    units = {"template": BETWEEN_UNITS}  # noqa: RUF012 - only read
    #: audits leave out Dutch and Turkish, whose data states no licence and is fetched only on request
    asks_in = ("en", "es", "ca")
    starter = {"data": "starter"}  # noqa: RUF012 - only read

    @classmethod
    def needs(cls, model: "Model") -> frozenset[type[Question]]:
        return frozenset({Reply}) if chats(model) else frozenset({TokenLikelihood})

    @classmethod
    def audited_with(cls, model: "Model", known: Sequence[str]) -> dict[str, Any]:
        super().audited_with(model, known)
        languages = tuple(language for language in cls.asks_in if language in known)
        return {} if languages == ("en",) else {"lang": languages}

    def __init__(self, options: BbqOptions, model: "Model") -> None:
        self.options = options
        self.published = options.as_published
        self.form = options.form or (FORMS[self.published][0] if self.published in FORMS else usual_form(model))
        require_form(self.form, model)
        # A resolved form can still contradict the other options.
        if reason := options.model_copy(update={"form": self.form}).ineffective():
            raise UserError(reason)
        self._model: Model | None = model
        self.asks = frozenset({QUESTIONS[self.form]})  # type: ignore[misc]
        self.chat: Chat = getattr(model, "chat", Chat())
        self.scoring = "raw" if self.published == LM_EVAL else options.scoring or SCORING
        self._chosen: Selected = selected(options)
        self.samples: Sequence[BbqSample] = self._chosen.samples
        self._drawn = balanced_orders(self.samples) if self._orders == "one" else {}
        if self.published == GENDERBENCH:
            self._drawn = {sample.index: probe_orders()[sample.item] for sample in self.samples}

    @classmethod
    def for_rows(cls, options: BbqOptions) -> Self:
        found = cls.__new__(cls)
        assert options.form is not None
        found.options, found.form, found.published = options, options.form, options.as_published
        found._model, found._chosen = None, Selected((), ())
        return found

    @property
    def _orders(self) -> str:
        return self.options.orders or ("all" if self.form == "letter" else "one")

    def data(self) -> dict[str, Any]:
        found = self._chosen
        digests = hashlib.sha256("".join(each.sha256 for each in found.sets).encode()).hexdigest()
        sha256 = found.sets[0].sha256 if len(found.sets) == 1 else digests
        identity = data_identity(found.name, sha256, len(self.samples), found.duplicates)
        return identity | ({"left_out": dict(found.left_out)} if found.left_out else {})

    def settings(self) -> dict[str, str]:
        chosen, chat = self.options, self.chat
        kind = "choice" if self.form == "choice" or self.published == LM_EVAL else "chat"
        kind = GENDERBENCH if self.published == GENDERBENCH else kind
        shown = {"form": self.form, "lang": "+".join(chosen.languages), "prompts": digest(chosen.languages, kind)}
        if self.form == "choice":
            shown["scoring"] = self.scoring
        elif self.published not in FORMS:
            shown["orders"] = self._orders
        shown |= {
            name: value for name in ("groups", "contexts") if (value := getattr(chosen, name)) not in ("all", "both")
        }
        if chosen.skip_controls:
            shown["controls"] = "skipped"
        if chosen.as_published:
            shown["as-published"] = chosen.as_published
        if self.form in ("ask", "structured"):
            shown |= {"temperature": f"{chat.temperature:g}", "top_p": f"{chat.top_p:g}"}
            shown["max_tokens"] = str(chat.max_tokens or self._longest)
        if self.form != "choice" and chat.system is not None:
            shown["system"] = hashlib.sha256(chat.system.encode()).hexdigest()[:8]
        if self.form != "choice" and chat.reasoning_effort is not None:
            shown["effort"] = chat.reasoning_effort
        return shown | settings_of(chosen)

    @property
    def _longest(self) -> int:
        return PUBLISHED_LONGEST.get(self.published or "", LONGEST)

    def _orders_of(self, sample: BbqSample) -> tuple[Order, ...]:
        return (self._drawn[sample.index],) if self._drawn else ORDERS

    def ask(self, sample: BbqSample) -> tuple[Question, ...]:
        if self.form == "choice":
            return harness_questions(sample) if self.published == LM_EVAL else likelihood_questions(sample)
        if self.published in FORMS:
            text = published_prompt(sample, self._drawn[sample.index], self.published)
            return (self.chat.ask(text, self._longest, self.options.seed),)
        texts = [chat_prompt(sample, order) for order in self._orders_of(sample)]
        if self.form == "letter":
            return tuple(self.chat.ask_start(text, STARTS) for text in texts)
        if self.form == "structured":
            return tuple(self.chat.ask_structured(text, LONGEST, self.options.seed, CHOICES) for text in texts)
        return tuple(self.chat.ask(text, LONGEST, self.options.seed) for text in texts)

    def read(self, sample: BbqSample, answers: Sequence[Any]) -> Iterable[BbqRow]:
        if self.form == "choice" and self.published == LM_EVAL:
            yield harness_row(sample, answers, unknown_wordings(offered=True))
            return
        if self.form == "choice":
            yield choice_row(sample, answers, self.scoring)
            return
        if self.published == LM_EVAL:
            yield reply_row(sample, None, answers[0], published=LM_EVAL)
            return
        for order, answer in zip(self._orders_of(sample), answers, strict=True):
            if isinstance(answer, ChoiceAnswer):
                yield letter_row(sample, order, answer)
            else:
                yield reply_row(sample, order, answer, self.form == "structured", self.published)

    def estimates(self, rows: "pd.DataFrame") -> list[Estimate]:
        from genderscope.measures.bbq.published import published_estimates
        from genderscope.measures.bbq.rates import estimates

        if self.published is not None:
            return published_estimates(rows, self.published, self.options.seed)
        return [*estimates(rows, self.options), *self._gains(rows)]

    def control_estimates(self, rows: "pd.DataFrame", controls: "pd.DataFrame") -> list[Estimate]:
        """Return how often the model is right where the context gives the answer; published scores have no controls."""
        if self.published is not None:
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
            e.at(language=str(language) if several else None)
            for language, mine in answer_probabilities(rows).groupby(rows["language"])
            for e in likelihood_gain(mine, vocabulary)
        ]

    @classmethod
    def leads(cls, estimates: Sequence[Estimate], options: BbqOptions) -> list[Lead]:
        return published_leads(estimates, options.as_published) if options.as_published else leads(estimates)

    def summary(self, estimates: Sequence[Estimate]) -> str:
        return f"{super().summary(estimates)} {accuracy_sentence(estimates)}".rstrip()

    def cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> list[str]:
        found = cautions_about(self._chosen, self.options, clustered=True)
        if self.published is not None:
            found.append(CAUTIONS[self.published])
        if any(self.options.dataset_for(language) == "mbbq" for language in self.options.languages):
            found.append("MBBQ states no licence: use it for your own evaluation only, and do not redistribute it.")
        others = [language_name(language) for language in self.options.languages if language != "en"]
        if others and self._model is not None:  # a log has the prompts of another tool
            found.append(f"The prompts in {', '.join(others)} have not been reviewed by a native speaker.")
        return found + cautions(rows, estimates, self.form, lambda e: self.margin(e, self.options))
