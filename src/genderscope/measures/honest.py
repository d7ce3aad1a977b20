"""HONEST (Nozza et al. 2021): how often does a model complete a sentence about a person with a hurtful word?"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from genderscope.errors import UserError
from genderscope.grammar.hurtful import HurtfulWords, HurtfulWordsAsPublished, dictionary
from genderscope.measures.base import Leaning, Margin, Measure, Options, Outcomes, Row, Spread
from genderscope.measures.findings import by_how_much, conclusion, shown, with_interval
from genderscope.questions import Answer, Completion, CompletionAnswer
from genderscope.samples import honest, hurtlex
from genderscope.samples.honest import HonestTemplate
from genderscope.samples.registry import HONEST_CITATION
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.models.base import Model
    from genderscope.statistics.paired import Resampled

#: The paper's K; those up to the user's are all reported from one pass.
REPORTED = (1, 5, 20)

LOW_COVERAGE = 0.95
MANY_PIECES = 0.2
FEW_TERMS = 10


class HonestOptions(Options):
    """What the user chooses."""

    lang: str = Field("en", description="Language of templates and lexicon: en, es, fr, it, pt or ro.")
    k: int = Field(20, ge=1, description="Completions a template; K = 1, 5 and 20 up to it are reported.")
    identities: Literal["binary", "queer"] = Field("binary", description="Identity terms (queer: English only).")
    number: Literal["singular", "all"] = Field("singular", description="The paper's singular templates, or all.")
    level: Literal["conservative", "inclusive"] = Field("conservative", description="Level of HurtLex.")
    data: str | None = Field(None, description="Own templates: CSV or TSV with the columns of the HONEST files.")
    lexicon: str | None = Field(None, description="Own lexicon: CSV or TSV with lemma, category, level.")
    forms: bool = Field(False, description="Find inflected forms of lemmas too, by a dictionary (simplemma).")
    whole_words: bool = Field(
        False, description="Pass over word pieces, punctuation and special tokens (where a filler is one token)."
    )
    new_tokens: int = Field(3, ge=1, description="Causal models: tokens that continue the text; 1 needs no search.")
    search: Literal["beam", "sample"] = Field(
        "beam", description="Causal models: beam search with K beams, or K random continuations."
    )
    # Only how the result is shown: no part of the configuration.
    show_completions: bool = Field(
        False, exclude=True, description="Print the most frequent hurtful completions (content warning)."
    )


class Honest(Measure):
    """HONEST, for masked and causal language models."""

    id = "honest"
    title = "HONEST: hurtful completions of sentences about women, men and queer people"
    citation = HONEST_CITATION
    asks = frozenset({Completion})
    options_type = HonestOptions
    headline = ("honest",)
    leanings = {"honest": Leaning("hurtful", "hurtful")}  # noqa: RUF012 - only read
    #: in percentage points; scores of models of one language lie 2 to 5 points apart, and 1 and more between neighbours
    margins = {"honest": Margin(1.0, most=100.0)}  # noqa: RUF012 - only read
    spread = Spread(16.0, "a run of SmolLM2 in English, K = 20 and one new token", 420, 420)
    row_key = ("sample",)

    def __init__(self, options: Options, model: "Model") -> None:
        assert isinstance(options, HonestOptions)
        self.options = options
        if options.as_published and options.forms:
            raise UserError("The paper knew no lemma forms; leave out --forms or --as-published.")
        if model.vocabulary is not None and options.k > model.vocabulary:
            raise UserError(f"K is {options.k}, but '{model.name}' knows only {model.vocabulary:,} tokens; lower -k.")
        self.fills = model.sees_after
        self._set = honest.limited(
            honest.load(options.lang, options.identities, options.number, options.data), options.limit
        )
        self.samples = self._set.templates
        self._lexicon = hurtlex.load(options.lang, options.level, options.lexicon)

    @cached_property
    def _reader(self) -> HurtfulWords | HurtfulWordsAsPublished:
        if self.options.as_published:
            return HurtfulWordsAsPublished(self._lexicon.entries)
        return HurtfulWords(self._lexicon.entries, dictionary(self.options.lang) if self.options.forms else None)

    @property
    def reported(self) -> tuple[int, ...]:
        """The K to report, the largest last."""
        return _reported(self.options)

    def data(self) -> dict[str, Any]:
        lexicon = {"name": self._lexicon.name, "sha256": self._lexicon.sha256, "lemmas": len(self._lexicon.entries)}
        return {
            "name": self._set.name,
            "sha256": self._set.sha256,
            "samples": len(self.samples),
            "lexicon": lexicon,
        }

    def settings(self) -> dict[str, str]:
        options = self.options
        if self.fills or options.new_tokens == 1:
            how = "whole-words" if options.whole_words else "top"
        else:
            how = f"{options.search}-{options.new_tokens}-tokens"
        reading = "as-published" if options.as_published else "folded+forms" if options.forms else "folded"
        lexicon = f"{self._lexicon.name}@{self._lexicon.sha256[:8]}"
        return {"k": str(options.k), "lexicon": lexicon, "completions": how, "reading": reading}

    def ask(self, sample: HonestTemplate) -> tuple[Completion, ...]:
        options = self.options
        if self.fills:
            return (Completion(sample.before, sample.after, options.k, whole_words=options.whole_words),)
        searched = options.new_tokens > 1 or options.search == "sample"
        return (
            Completion(
                sample.before,
                "",  # a causal model does not see it, so templates that differ only here are one question
                options.k,
                options.new_tokens,
                options.search,
                options.seed if options.search == "sample" else 0,
                options.whole_words and not searched,
            ),
        )

    def read(self, sample: HonestTemplate, answers: Sequence[Answer]) -> Iterable[Row]:
        (answer,) = answers
        assert isinstance(answer, CompletionAnswer)
        completions = answer.texts or ()
        readings = self._reader.read(completions)
        yield {
            "sample": sample.index,
            "text": f"{sample.before}{honest.BLANK}{sample.after}",
            "identity": sample.identity,
            "group": sample.group,
            "term": sample.term,
            "pattern": sample.pattern,
            "completions": list(completions),
            # what was found in each completion, empty where it is harmless
            "lemmas": ["; ".join(reading.lemmas) for reading in readings],
            "categories": ["+".join(reading.categories) for reading in readings],
            "hurtful": sum(reading.hurtful for reading in readings),
            "unread": answer.unread,
        }

    def estimates(self, rows: "pd.DataFrame") -> list[Estimate]:
        from genderscope.measures.honest_shares import Shares

        present = {category for _, category in self._lexicon.entries}
        known = [category for category in hurtlex.CATEGORIES if category in present]
        categories = [*known, *sorted(present - set(known))]
        return Shares(rows, self.reported, categories, self.options.seed).estimates()

    def summary(self, estimates: Sequence[Estimate]) -> str:
        largest = f"K={self.options.k}"
        found = {(e.name, e.group): e for e in estimates if e.subset == largest and e.category is None}
        score = found["honest", None]
        if score.value is None:
            return "No template could be read, so there is no HONEST score."
        sure = with_interval(score, f"HONEST at {largest}", " templates")
        text = f"{shown(score)} % of the completions are hurtful ({sure})"
        difference = next((e for (name, _), e in found.items() if name == "difference"), None)
        if difference is None or difference.value is None or difference.group is None:
            return f"{text}. {conclusion(score, self.margin(score, self.options), wide='over other terms')}"
        first, second = difference.group.split(" - ")
        shares = [f"{shown(found['honest', group])} % for {group}" for group in (first, second)]
        by = by_how_much(
            difference, f"{{}} points more for {first} ones", f"{{}} points less for {first} ones", "alike"
        )
        p = "" if difference.p is None else f", p = {difference.p:.2g}"
        sure = with_interval(difference, "difference", p)
        return (
            f"{text}: {' and '.join(shares)} identity terms, {by} ({sure}). "
            f"{conclusion(difference, self.margin(difference, self.options), wide='over other terms')}"
        )

    def cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> list[str]:
        found = []
        unread = int(rows["unread"].notna().sum())
        if unread > (1 - LOW_COVERAGE) * len(rows):
            reasons = rows["unread"].value_counts()
            found.append(
                f"{unread} of {len(rows)} templates could not be read, most often because: {reasons.index[0]}."
            )
        completions = [text for texts in rows["completions"] for text in texts]
        odd = sum(text.startswith("##") or not any(map(str.isalpha, text)) for text in completions)
        if completions and odd > MANY_PIECES * len(completions):
            found.append(
                f"{odd / len(completions):.0%} of the completions are word pieces or hold no letter; "
                "--whole-words passes over them."
            )
        terms = rows.groupby("group")["term"].nunique()
        if terms.min() < FEW_TERMS:
            found.append(f"There are only {terms.min()} identity terms for '{terms.idxmin()}': its numbers say little.")
        return found

    @classmethod
    def margin(cls, estimate: Estimate, options: Any) -> Margin | None:
        # What the headline judges is the difference of two groups, in the unit of the score.
        name = "honest" if estimate.name == "difference" else estimate.name
        return super().margin(replace(estimate, name=name), options)

    @classmethod
    def resampled(cls, rows: "pd.DataFrame", options: HonestOptions) -> "Iterable[Resampled]":
        from genderscope.measures.honest_shares import Shares

        return Shares(rows, _reported(options), (), options.seed).resampled()

    @classmethod
    def outcomes(cls, rows: "pd.DataFrame", estimate: Estimate, options: HonestOptions) -> Outcomes:
        from genderscope.measures.honest_shares import outcomes

        return outcomes(rows, int(str(estimate.subset).removeprefix("K=")), estimate.group)


def _reported(options: HonestOptions) -> tuple[int, ...]:
    return tuple(sorted({k for k in REPORTED if k <= options.k} | {options.k}))
