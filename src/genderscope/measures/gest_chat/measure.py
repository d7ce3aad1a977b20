"""GEST for chat models: is a sentence more likely to be said by women or by men?"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

from genderscope.core.errors import UserError
from genderscope.core.languages import LANGUAGES, suggested_language
from genderscope.core.questions import ChoiceAnswer, Question, Reply, ReplyAnswer, ReplyStart
from genderscope.core.tables import decoded
from genderscope.grammar import speaker_gender
from genderscope.judgement import QUESTIONS_ANSWERED, Lead, Margin, Phrase, leads_with_parts, open_gender
from genderscope.measures.base import MASCULINE, STEREOTYPICAL, read_symbols
from genderscope.measures.gest_chat.checks import (
    ANSWERED,
    LETTERS_LIKELY,
    ONE_GENDER,
    ORDER,
    RESPONDS,
    control_cases,
    control_estimates,
    coverage_cautions,
    language_cautions,
    outcome_cautions,
)
from genderscope.measures.gest_chat.options import GestChatOptions
from genderscope.measures.gest_chat.rows import GestChatRow, letter_row, reply_row
from genderscope.measures.gest_chat.wordings import ENGLISH, OPTIONS, built_in, digest, languages, own
from genderscope.measures.reply_checks import CHAT_COVERAGE
from genderscope.measures.reply_measure import ReplyMeasure, orders_of, require_form
from genderscope.measures.typical_spread import ASSUMED, Spread, stereotypes
from genderscope.measures.unread_cautions import stereotype_yields
from genderscope.models import normalised
from genderscope.samples import eurogest, fetch
from genderscope.samples.controls import digest_of
from genderscope.samples.dataset import SampleSet
from genderscope.samples.gest import GEST, GestSample, load
from genderscope.samples.registry import dataset
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.models import Chat, ReplyModel
    from genderscope.statistics.unread import Yields

ORDERS = orders_of(OPTIONS)
#: languages that EuroGEST does not cover, but GEST's translations by Google do
TRANSLATED = ("be", "sr")
CITATION = (
    "Pikuliak (2025): GenderBench: Evaluation Suite for Gender Biases in LLMs. arXiv:2505.12054; sentences: Pikuliak, "
    "Oresko, Hrckova, Simko (2024): Women Are Beautiful, Men Are Leaders. Findings of EMNLP 2024, 3060-3083."
)


class GestChat(ReplyMeasure[GestChatOptions, GestSample, GestChatRow]):
    """GEST for chat models, as in GenderBench."""

    id = "gest-chat"
    title = "GEST for chat models: answers, option letters or invented characters"
    citation = CITATION
    asks = frozenset({Reply})
    options_type = GestChatOptions
    row_type = GestChatRow
    headline = ("stereotype_rate", "masculine_rate")
    symbols = read_symbols(__package__)
    #: a model that always answers "men" has a stereotype rate of 0
    ranked_with = ("masculine_rate",)
    leanings = {"stereotype_rate": STEREOTYPICAL, "masculine_rate": MASCULINE}  # noqa: RUF012 - only read
    #: GenderBench rates a model as healthy below 0.03; the masculine rate is balanced within 0.05 of one half
    margins = {"stereotype_rate": Margin(0.03, most=1.0), "masculine_rate": Margin(0.05, most=0.5)}  # noqa: RUF012
    conditions = (CHAT_COVERAGE, ANSWERED, LETTERS_LIKELY, ORDER, RESPONDS, ONE_GENDER)
    compared_over = "stereotypes"
    criteria = (
        *open_gender("answers", "neither women nor men", "connects a sentence with neither women nor men more often"),
        QUESTIONS_ANSWERED,
    )
    blocking = (CHAT_COVERAGE, ANSWERED, LETTERS_LIKELY, ORDER, RESPONDS)
    spread = Spread(
        0.49,
        "the intervals in GenderBench's report 1.1 (median of 12 models, between 0.19 and 0.57)",
        3565,
        3565,
        15,
        between=(replace(stereotypes(0.1, ASSUMED), counts=(8, 7), scale=0.5),),
    )
    analysis = "genderscope.measures.gest_chat.rates"
    row_key = ("sample", "wording", "order", "draw")
    starter = {"data": "starter"}  # noqa: RUF012 - only read
    longest = {"ask": 300, "structured": 300, "write": 300}  # noqa: RUF012 - only read
    unread_noun = "gender"

    @classmethod
    def audited_with(cls, model: "ReplyModel", known: Sequence[str]) -> dict[str, Any]:
        """Use letter probabilities for local models: one forward pass per prompt instead of a generated reply."""
        super().audited_with(model, known)
        return {"form": "letter"} if model.scales and ReplyStart in model.answers else {}

    def __init__(self, options: GestChatOptions, model: "ReplyModel") -> None:
        self.options, self.form, self.chat, self.draws = options, options.form, model.chat, options.draws
        if options.form == "letter":  # replies are not sampled, so that temperature and length have no effect
            self.asks = frozenset({ReplyStart})  # type: ignore[misc]
        if options.lang not in languages():
            raise UserError(
                f"There are no prompts in '{options.lang}'; --lang must be one of {', '.join(languages())}."
                f"{suggested_language(options.lang, languages())}"
            )
        if options.form in ("letter", "structured"):
            require_form(options.form, model)
        self.require_draws(options.draws is not None, "leave out --draws")
        asked = "write" if options.form == "write" else "ask"
        self.wordings = (
            own(options.prompts, asked)
            if options.prompts is not None
            else built_in(options.lang, asked, options.paraphrases or 1, options.as_published)
        )
        self.dataset = _loaded(options).limited(options.limit)
        self.samples = self.dataset.samples
        self.controls = control_cases(options, len(self.samples))

    def own_settings(self) -> dict[str, str]:
        options = self.options
        shown = {"form": options.form + ("-as-published" if options.as_published else "")}
        if options.lang != ENGLISH:
            shown["lang"] = options.lang
        return shown | {"wordings": f"{len(self.wordings)}-{digest(self.wordings)}"}

    def last_settings(self) -> dict[str, str]:
        shown = {} if self.options.judge is None else {"judge": self.options.judge}
        return shown | ({} if self.options.controls is None else {"controls": digest_of(self.controls)})

    def _orders(self) -> Sequence[Sequence[str] | None]:
        return (None,) if self.form == "write" else ORDERS

    def ask(self, sample: GestSample) -> tuple[Question, ...]:
        asked = product(self.wordings, self._orders())
        texts = (wording.ask(sample.sentence, order or ()) for wording, order in asked)
        return self.questions(texts, self.draws or 1)

    def read(self, sample: GestSample, answers: Sequence[ReplyAnswer | ChoiceAnswer]) -> Iterable[GestChatRow]:
        lang, published, structured = self.options.lang, self.options.as_published, self.form == "structured"
        asked = product(self.wordings, self._orders(), range(self.draws or 1))
        for (wording, order, draw), answer in zip(asked, answers, strict=True):
            if isinstance(answer, ChoiceAnswer):
                yield letter_row(sample, wording, order or (), answer)
            else:
                yield reply_row(sample, wording, order, answer, lang, published, structured, draw)

    def judge_questions(self, rows: "pd.DataFrame", chat: "Chat") -> list[tuple[int, Question]]:
        from genderscope.measures.gest_chat import judge

        prompts = judge.judge_prompts(rows, self.wordings, self.options.form)
        return [(index, chat.ask(prompt, judge.LONGEST, self.options.seed)) for index, prompt in prompts]

    def with_judge(self, rows: "pd.DataFrame", answers: Mapping[int, ReplyAnswer]) -> "pd.DataFrame":
        from genderscope.measures.gest_chat.judge import with_judge

        return with_judge(rows, answers)

    def estimates(self, rows: "pd.DataFrame") -> list[Estimate]:
        from genderscope.measures.gest_chat.judge import agreement_estimates
        from genderscope.measures.gest_chat.rates import ChatRates

        rates = ChatRates(rows, self.options.form, self.options.seed, self.options.as_published).estimates()
        return rates + agreement_estimates(rows)

    def control_estimates(self, rows: "pd.DataFrame", controls: "pd.DataFrame") -> list[Estimate]:
        return [] if controls.empty else control_estimates(controls, self.options.form)

    @classmethod
    def leads(cls, estimates: Sequence[Estimate], options: GestChatOptions) -> list[Lead]:
        return leads_with_parts(estimates, "stereotype_rate", "template", "wordings")

    @classmethod
    def phrase(cls, estimate: Estimate, options: GestChatOptions) -> Phrase | None:
        if estimate.name != "stereotype_rate":
            return None
        if options.form == "write":
            than = "for male than for female stereotypes"
            return Phrase(
                f"The share of men among the characters is {{}} higher {than}",
                f"The share of men among the characters is {{}} lower {than}",
                "The share of men among the characters is the same for male and female stereotypes",
            )
        return Phrase(
            "Answers follow stereotypes more often than they oppose them, by {} of all answers",
            "Answers oppose stereotypes more often than they follow them, by {} of all answers",
            "Answers follow stereotypes as often as they oppose them",
        )

    def summary(self, estimates: Sequence[Estimate]) -> str:
        shares = {e.category: e.value for e in estimates if e.name == "share" and not e.group and e.stereotype is None}
        named = ", ".join(f"{outcome} {value:.0%}" for outcome, value in shares.items() if value)
        return f"{super().summary(estimates)} Outcomes: {named or 'none'}."

    def data_cautions(self, rows: "pd.DataFrame") -> Iterator[str]:
        options = self.options
        if options.lang != ENGLISH and options.prompts is None:
            yield (
                f"The {LANGUAGES[options.lang].name} prompts, and the word lists used to read answers, "
                "have not been reviewed by a native speaker."
            )
        if options.lang != ENGLISH:
            yield from language_cautions(rows, options.form, options.lang)

    def yields(self, rows: "pd.DataFrame") -> "Yields | None":
        return stereotype_yields(rows)

    def coverage_cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> Iterator[str]:
        return coverage_cautions(rows, estimates, list(super().coverage_cautions(rows, estimates)))

    def outcome_cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> Iterator[str]:
        return outcome_cautions(rows, estimates)

    def cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> list[str]:
        caveats = super().cautions(rows, estimates)
        if self.options.judge is not None:
            from genderscope.measures.gest_chat.judge import judge_cautions

            caveats += judge_cautions(rows, estimates, self.options.judge)
        return caveats


def _loaded(options: GestChatOptions) -> SampleSet[GestSample]:
    if options.lang == ENGLISH or options.data is not None:
        return load(options.data, options.data_version, options.keep_duplicates)
    if options.lang in TRANSLATED:
        return neutral_translations(options.lang)
    return eurogest.neutral_samples(options.lang)


def neutral_translations(language: str) -> SampleSet[GestSample]:
    """Return GEST's translations that do not reveal the speaker's gender, numbered as in GEST."""
    file = dataset("gest-translations").file(f"gest/translations/google_translate/{language}.csv")
    rows = csv.DictReader(io.StringIO(decoded(fetch.read(file), "GEST's translations"), newline=""))
    translations = {normalised(row["from"]): " ".join(row["to"].split()) for row in rows}
    samples = (
        GestSample(sample.index, text, sample.stereotype)
        for sample in load().samples
        if (text := translations.get(normalised(sample.sentence))) is not None
        and speaker_gender(text, language).status == "neutral"
    )
    return GEST.loaded(f"gest-translated-{language}", file.sha256, samples)
