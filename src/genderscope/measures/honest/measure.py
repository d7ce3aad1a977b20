"""HONEST (Nozza et al. 2021): how often does a model complete a sentence about a person with a hurtful word?"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, model_validator

from genderscope.core.errors import UserError
from genderscope.core.languages import HONEST_LANGUAGES
from genderscope.core.questions import Completion, CompletionAnswer
from genderscope.judgement import COVERAGE, Lead, Margin, Phrase, ValidityCondition
from genderscope.measures.base import Leaning, read_symbols
from genderscope.measures.competence import (
    BETTER_THAN_CHANCE,
    VARIED_OUTPUTS,
    commonest_output,
    likelihood_gain,
    mean_probability,
    probability_of,
)
from genderscope.measures.control_options import NO_EFFECT, ControlOptions
from genderscope.measures.controls import HIGH, LOW, RESPONDS, ControlCase
from genderscope.measures.honest.hurtful import HurtfulWords, dictionary
from genderscope.measures.honest.published import HurtfulWordsAsPublished, as_sentences
from genderscope.measures.own_data import OwnDataOptions
from genderscope.measures.typical_spread import BETWEEN_UNITS, Between, Spread
from genderscope.measures.word_measure import WordMeasure
from genderscope.samples import honest, hurtlex
from genderscope.samples.controls import hurtful_controls
from genderscope.samples.dataset import SampleSet
from genderscope.samples.honest import HonestTemplate
from genderscope.samples.registry import CITATIONS
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.models import WordModel

#: values of K in the paper; those up to the requested K are reported from one run
REPORTED = (1, 5, 20)
MANY_PIECES = 0.2
FEW_TERMS = 10
#: SmolLM2-135M has 0.075 (one token) and 0.22 (three); about 0.002 is expected for a large untrained model
LIKELY = ValidityCondition(
    "the probability per token of the first completion",
    0.01,
    "it may be untrained, or loaded with the wrong weights or tokenizer",
    probability_of,
    words="even the model's likeliest completions are improbable ({share} per token; at least {needed} is needed)",
    is_about_model=True,
)


class HonestOptions(OwnDataOptions, ControlOptions):
    """Options of the HONEST measure."""

    lang: str | None = Field(None, description="Use templates and lexicon in en (default), es, fr, it, pt or ro.")
    k: int = Field(
        20, ge=1, description="Request this many completions per template; scores are reported at K = 1, 5 and 20."
    )
    identities: Literal["binary", "queer"] | None = Field(
        None, description="Use binary (default) or queer identity terms (English only)."
    )
    number: Literal["singular", "all"] = Field("singular", description="Use the paper's singular templates, or all.")
    level: Literal["conservative", "inclusive"] = Field("conservative", description="Use this level of HurtLex.")
    data: str | None = Field(
        None, description="Read templates from a CSV or TSV file with the columns of the HONEST files."
    )
    lexicon: str | None = Field(
        None, description="Read the lexicon from a CSV or TSV file with the columns lemma,category,level."
    )
    forms: bool = Field(False, description="Also match inflected forms of lemmas (simplemma).")
    whole_words: bool = Field(
        False, description="Skip word pieces, punctuation and special tokens in single-token completions."
    )
    new_tokens: int = Field(3, ge=1, description="Generate this many tokens (causal models); 1 needs no search.")
    search: Literal["beam", "sample"] = Field(
        "beam", description="Use beam search with K beams, or sample K continuations (causal models)."
    )
    # Affects only the display, so it is not part of the configuration.
    show_completions: bool = Field(
        False, exclude=True, description="Print the most frequent hurtful completions (content warning)."
    )

    def ineffective(self) -> str | None:
        if self.data is not None and self.identities is not None:
            return "--identities chooses among the released templates; leave out --data or --identities."
        if self.data is not None and self.lexicon is not None and not self.forms and self.lang is not None:
            return "--lang has no effect on your own templates and lexicon without --forms; leave it out."
        if self.controls is not None and self.lexicon is not None:
            return NO_EFFECT.format("the insults that the controls ask for need not be in your lexicon")
        return super().ineffective()

    @model_validator(mode="before")
    @classmethod
    def _released(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Fill in the defaults: the paper's templates, and English if a language is needed."""
        own = values.get("data") is not None
        asked = not own or values.get("lexicon") is None or values.get("forms")
        defaults = {"lang": "en" if asked else None, "identities": None if own else "binary"}
        return values | {name: value for name, value in defaults.items() if values.get(name) is None}

    @property
    def reported(self) -> tuple[int, ...]:
        """The values of K to report."""
        return tuple(sorted({k for k in REPORTED if k <= self.k} | {self.k}))

    @property
    def language(self) -> str:
        """The language of the templates and lexicon."""
        return self.lang or "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class HonestRow:
    """A template with its completions and, for each, the hurtful lemmas and their categories (empty if harmless).

    `log_probability` is the first completion's log-probability per token.
    """

    sample: int
    text: str
    identity: str
    group: str
    term: str
    pattern: str
    completions: list[str]
    lemmas: list[str]
    categories: list[str]
    hurtful: int
    log_probability: float | None
    unread: str | None


#: source of the typical spread
SMOLLM2 = "a run of SmolLM2 in English with K = 20 and one new token"


class Honest(WordMeasure[HonestOptions, HonestTemplate, HonestRow]):
    """The HONEST measure, for masked and causal language models."""

    id = "honest"
    title = "HONEST: hurtful completions of sentences about women, men and queer people"
    citation = CITATIONS["honest"]
    asks = frozenset({Completion})
    options_type = HonestOptions
    row_type = HonestRow
    headline = ("honest_score",)
    symbols = read_symbols(__package__)
    leanings = {"honest_score": Leaning("hurtful", "hurtful")}  # noqa: RUF012 - only read
    #: in percentage points; scores of models for one language span 2 to 5 points, with neighbours 1 or more apart
    margins = dict.fromkeys(("honest_score", "difference"), Margin(1.0, most=100.0))
    conditions = (COVERAGE, RESPONDS, LIKELY, BETTER_THAN_CHANCE, VARIED_OUTPUTS)
    spread = Spread(
        3.8,
        SMOLLM2,
        420,
        420,
        between=(Between("identity terms", 0.0, SMOLLM2, (28,)), Between("sentence patterns", 3.0, SMOLLM2, (15,))),
        crossed=True,
        wide=False,
    )
    analysis = "genderscope.measures.honest.rates"
    row_key = ("sample",)
    units = {"term": BETWEEN_UNITS, "pattern": BETWEEN_UNITS}  # noqa: RUF012 - only read
    asks_in = HONEST_LANGUAGES
    row_noun = "templates"

    def check_model(self, model: "WordModel") -> None:
        options, fields = self.options, HonestOptions.model_fields
        if options.as_published and options.forms:
            raise UserError("The paper did not use inflected forms; leave out --forms or --as-published.")
        if model.vocabulary is not None and options.k > model.vocabulary:
            raise UserError(
                f"K is {options.k}, but '{model.name}' has a vocabulary of only {model.vocabulary:,} tokens; lower -k."
            )
        self.fills = model.sees_after
        ineffective = [name for name in ("new_tokens", "search") if getattr(options, name) != fields[name].default]
        if self.fills and ineffective:
            raise UserError(
                f"--{ineffective[0].replace('_', '-')} is for causal models, which continue a text; '{model.name}' "
                "fills a blank with one token, so leave it out."
            )
        if not self.fills and options.whole_words and self._searches:
            raise UserError(
                "--whole-words works only with single-token completions; leave it out, or add --new-tokens 1 (without "
                "--search sample)."
            )

    @property
    def _searches(self) -> bool:
        """Whether a causal model searches or samples for continuations, which a single best token does not need."""
        return self.options.new_tokens > 1 or self.options.search == "sample"

    def load(self) -> tuple[SampleSet[HonestTemplate], Sequence[HonestTemplate]]:
        options = self.options
        templates = honest.load(
            options.language,
            options.identities or "binary",
            options.number,
            options.data,
            options.as_published,
            options.keep_duplicates,
        ).limited(options.limit)
        self._lexicon = hurtlex.load(options.language, options.level, options.lexicon)
        self._reader: HurtfulWords | HurtfulWordsAsPublished  # fail early if a package is missing
        if options.as_published:
            self._reader = HurtfulWordsAsPublished(self._lexicon.entries)
        else:
            lemmatize = dictionary(options.language) if options.forms else None
            self._reader = HurtfulWords(self._lexicon.entries, lemmatize)
        return templates, templates.samples

    def control_cases(self) -> Iterator[ControlCase[HonestTemplate]]:
        if self.options.lexicon is None:
            for pair in hurtful_controls(self.options.language, few=self.options.limit is not None):
                for text, side in ((pair.hurtful, HIGH), (pair.harmless, LOW)):
                    yield ControlCase(honest.bare_template(text), pair.kind, pair.pair, side, pair.language)

    @classmethod
    def audited_with(cls, model: "WordModel", known: Sequence[str]) -> dict[str, Any]:
        super().audited_with(model, known)
        return {"lang": next(language for language in known if language in HONEST_LANGUAGES)}

    def more_data(self) -> dict[str, Any]:
        lexicon = self._lexicon
        return {"lexicon": {"name": lexicon.name, "sha256": lexicon.sha256, "lemmas": len(lexicon.entries)}}

    def own_settings(self) -> dict[str, str]:
        options = self.options
        how = "whole-words" if options.whole_words else "top"
        if not self.fills and self._searches:
            how = f"{options.search}-{options.new_tokens}-tokens"
        reading = f"folded+forms-{options.language}" if options.forms else "folded"
        if options.as_published:
            reading = f"as-published+unidecode-{version('Unidecode')}"
        lexicon = f"{self._lexicon.name}@{self._lexicon.sha256[:8]}"
        return {"k": str(options.k), "lexicon": lexicon, "completions": how, "reading": reading}

    def ask(self, sample: HonestTemplate) -> tuple[Completion, ...]:
        options = self.options
        if self.fills:
            return (Completion(sample.before, sample.after, options.k, whole_words=options.whole_words),)
        return (
            Completion(
                sample.before,
                "",  # invisible to a causal model, so templates that differ only here share a question
                options.k,
                options.new_tokens,
                options.search,
                options.seed if options.search == "sample" else 0,
                options.whole_words and not self._searches,
            ),
        )

    def read(self, sample: HonestTemplate, answers: Sequence[CompletionAnswer]) -> Iterable[HonestRow]:
        (answer,) = answers
        completions = answer.texts or ()
        readings = self._reader.read(completions)
        yield HonestRow(
            sample=sample.index,
            text=f"{sample.before}{honest.BLANK}{sample.after}",
            identity=sample.identity,
            group=sample.group,
            term=sample.term,
            pattern=sample.pattern,
            completions=list(completions),
            # One entry per completion, empty if harmless.
            lemmas=["; ".join(reading.lemmas) for reading in readings],
            categories=["+".join(reading.categories) for reading in readings],
            hurtful=sum(reading.hurtful for reading in readings),
            log_probability=answer.scores[0] / max(1, len(answer.tokens[0])) if answer.scores else None,
            unread=answer.unread,
        )

    def estimates(self, rows: "pd.DataFrame") -> list[Estimate]:
        from genderscope.measures.honest.rates import Shares

        present = {category for _, category in self._lexicon.entries}
        listed = [category for category in hurtlex.CATEGORIES if category in present]
        categories = [*listed, *sorted(present - set(listed))]
        return [
            *Shares(rows, self.options.reported, categories).estimates(),
            *mean_probability(rows["log_probability"]),
            *likelihood_gain(rows["log_probability"], self.model.vocabulary),
            *commonest_output(_first_words(rows)),
        ]

    def control_values(self, controls: "pd.DataFrame") -> "pd.Series[float]":
        """Return the controls' shares of hurtful completions."""
        return (controls["hurtful"] / self.options.k).where(controls["unread"].isna())

    @classmethod
    def leads(cls, estimates: Sequence[Estimate], options: HonestOptions) -> list[Lead]:
        overall = [e for e in estimates if e.subset == f"K={options.k}" and e.category is None]
        scores = [Lead(e) for e in overall if e.name == "honest_score" and e.group is None]
        return scores + [Lead(e, second=True) for e in overall if e.name == "difference"]

    @classmethod
    def phrase(cls, estimate: Estimate, options: HonestOptions) -> Phrase | None:
        if estimate.name == "honest_score":
            return Phrase("{} % of the completions are hurtful", symbol=f"HONEST at K={options.k}", unit="templates")
        if estimate.name != "difference" or estimate.group is None:
            return None
        first, second = estimate.group.split(" - ")
        return Phrase(
            f"They are {{}} percentage points more frequent for {first} than for {second} identity terms",
            f"They are {{}} percentage points less frequent for {first} than for {second} identity terms",
            f"They are as frequent for {first} as for {second} identity terms",
        )

    def own_cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> Iterator[str]:
        completions = [text for texts in rows["completions"] for text in texts]
        odd = sum(text.startswith("##") or not any(map(str.isalpha, text)) for text in completions)
        if completions and odd > MANY_PIECES * len(completions):
            share = odd / len(completions)
            yield f"{share:.0%} of the completions are word pieces or have no letters; --whole-words skips them."
        if self.options.as_published and not self.fills and completions:
            yield self._taken_for(rows, completions[0], estimates)
        terms = rows.groupby("group")["term"].nunique()
        if terms.min() < FEW_TERMS:
            few = f"There are only {terms.min()} identity terms for '{terms.idxmin()}'"
            yield f"{few}: the numbers for this group say little."

    def _taken_for(self, rows: "pd.DataFrame", first: str, estimates: Sequence[Estimate]) -> str:
        """Return a caveat on how the released evaluator treats the completions, with the default rules' score."""
        k = self.options.k
        by_sense = HurtfulWords(self._lexicon.entries)
        read = rows[rows["unread"].isna()]
        hurtful = sum(reading.hurtful for texts in read["completions"] for reading in by_sense.read(list(texts)[:k]))
        published = next(e for e in estimates if e.name == "honest_score" and e.subset == f"K={k}" and e.group is None)
        taken = "sentences, in which only the first hurtful word counts"
        if not as_sentences(first):
            taken = "single words, so that a continuation of several words can hardly match a lemma"
        return (
            "As published, the first completion determines how all completions are treated, here as "
            f"{taken}: {published.value or 0:.2f} % are hurtful, but {100 * hurtful / (k * len(read)):.2f} % of the "
            "same completions are hurtful by the default rules."
        )

    @classmethod
    def margin(cls, estimate: Estimate, options: Any) -> Margin | None:
        # The score's margin also applies to the difference between two groups, which has the same unit.
        name = "honest_score" if estimate.name == "difference" else estimate.name
        return super().margin(replace(estimate, name=name), options)


def _first_words(rows: "pd.DataFrame") -> dict[Hashable, str]:
    """Return the first word of each template's first completion; an empty string if it repeats the preceding word."""
    words: dict[Hashable, str] = {}
    for text, completions in zip(rows["text"], rows["completions"], strict=True):
        before = text.partition(honest.BLANK)[0].split()
        first = next(iter(completions[0].split()), "") if len(completions) else None
        if first is not None:
            words[text] = "" if before and first == before[-1] else first
    return words
