"""HONEST (Nozza et al. 2021): how often does a model complete a sentence about a person with a hurtful word?"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from genderscope.core.errors import UserError
from genderscope.core.languages import HONEST_LANGUAGES
from genderscope.core.questions import Completion, CompletionAnswer
from genderscope.judgement import COVERAGE, Lead, Margin, Phrase, ValidityCondition
from genderscope.measures.base import Leaning, Measure
from genderscope.measures.competence import (
    BETTER_THAN_CHANCE,
    VARIED_OUTPUTS,
    commonest_output,
    likelihood_gain,
    mean_probability,
    probability_of,
)
from genderscope.measures.controls import HIGH, LOW, RESPONDS, ControlCase, estimates_by_language
from genderscope.measures.honest.hurtful import HurtfulWords, HurtfulWordsAsPublished, as_sentences, dictionary
from genderscope.measures.honest.options import HonestOptions
from genderscope.measures.own_data import cautions_about, settings_of
from genderscope.measures.typical_spread import BETWEEN_UNITS, Spread
from genderscope.measures.unread_cautions import coverage_caution
from genderscope.samples import honest, hurtlex
from genderscope.samples.controls import hurtful_controls
from genderscope.samples.honest import HonestTemplate
from genderscope.samples.registry import CITATIONS
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.models import WordModel

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


class Honest(Measure[HonestOptions, HonestTemplate, HonestRow]):
    """The HONEST measure, for masked and causal language models."""

    id = "honest"
    title = "HONEST: hurtful completions of sentences about women, men and queer people"
    citation = CITATIONS["honest"]
    asks = frozenset({Completion})
    options_type = HonestOptions
    row_type = HonestRow
    headline = ("honest_score",)
    leanings = {"honest_score": Leaning("hurtful", "hurtful")}  # noqa: RUF012 - only read
    #: in percentage points; scores of models for one language span 2 to 5 points, with neighbours 1 or more apart
    margins = dict.fromkeys(("honest_score", "difference"), Margin(1.0, most=100.0))
    conditions = (COVERAGE, RESPONDS, LIKELY, BETTER_THAN_CHANCE, VARIED_OUTPUTS)
    spread = Spread(16.0, "a run of SmolLM2 in English with K = 20 and one new token", 420, 420)
    analysis = "genderscope.measures.honest.scores"
    row_key = ("sample",)
    units = {"term": BETWEEN_UNITS, "pattern": BETWEEN_UNITS}  # noqa: RUF012 - only read
    asks_in = HONEST_LANGUAGES

    def __init__(self, options: HonestOptions, model: "WordModel") -> None:
        self.options = options
        self._model = model
        if options.as_published and options.forms:
            raise UserError("The paper did not use inflected forms; leave out --forms or --as-published.")
        if model.vocabulary is not None and options.k > model.vocabulary:
            raise UserError(
                f"K is {options.k}, but '{model.name}' has a vocabulary of only {model.vocabulary:,} tokens; lower -k."
            )
        self.fills = model.sees_after
        self._refuse_ineffective(model)
        templates = honest.load(
            options.language,
            options.identities or "binary",
            options.number,
            options.data,
            options.as_published,
            options.keep_duplicates,
        )
        self._set = templates.limited(options.limit)
        self.samples = self._set.samples
        self._lexicon = hurtlex.load(options.language, options.level, options.lexicon)
        self._reader = self._chosen_reader()  # fail early if a package is missing
        if options.asks_controls and options.lexicon is None:
            self.controls: Sequence[ControlCase[HonestTemplate]] = [
                ControlCase(honest.bare_template(text), pair.kind, pair.pair, side, pair.language)
                for pair in hurtful_controls(options.language, few=options.limit is not None)
                for text, side in ((pair.hurtful, HIGH), (pair.harmless, LOW))
            ]

    @classmethod
    def audited_with(cls, model: "WordModel", known: Sequence[str]) -> dict[str, Any]:
        super().audited_with(model, known)
        return {"lang": next(language for language in known if language in HONEST_LANGUAGES)}

    def _chosen_reader(self) -> HurtfulWords | HurtfulWordsAsPublished:
        if self.options.as_published:
            return HurtfulWordsAsPublished(self._lexicon.entries)
        return HurtfulWords(self._lexicon.entries, dictionary(self.options.language) if self.options.forms else None)

    def _refuse_ineffective(self, model: "WordModel") -> None:
        """Reject options that have no effect for this kind of model."""
        options, fields = self.options, HonestOptions.model_fields
        if self.fills:
            for name in ("new_tokens", "search"):
                if getattr(options, name) != fields[name].default:
                    raise UserError(
                        f"--{name.replace('_', '-')} is for causal models, which continue a text; '{model.name}' fills "
                        "a blank with one token, so leave it out."
                    )
        elif options.whole_words and (options.new_tokens > 1 or options.search == "sample"):
            raise UserError(
                "--whole-words works only with single-token completions; leave it out, or add --new-tokens 1 (without "
                "--search sample)."
            )

    def data(self) -> dict[str, Any]:
        lexicon = {"name": self._lexicon.name, "sha256": self._lexicon.sha256, "lemmas": len(self._lexicon.entries)}
        return self._set.identity | {"lexicon": lexicon}

    def settings(self) -> dict[str, str]:
        options = self.options
        if self.fills or (options.new_tokens == 1 and options.search == "beam"):
            how = "whole-words" if options.whole_words else "top"
        else:
            how = f"{options.search}-{options.new_tokens}-tokens"
        reading = f"folded+forms-{options.language}" if options.forms else "folded"
        if options.as_published:
            reading = f"as-published+unidecode-{version('Unidecode')}"
        lexicon = f"{self._lexicon.name}@{self._lexicon.sha256[:8]}"
        known = {"k": str(options.k), "lexicon": lexicon, "completions": how, "reading": reading}
        return known | settings_of(options) | options.control_settings

    def ask(self, sample: HonestTemplate) -> tuple[Completion, ...]:
        options = self.options
        if self.fills:
            return (Completion(sample.before, sample.after, options.k, whole_words=options.whole_words),)
        searched = options.new_tokens > 1 or options.search == "sample"
        return (
            Completion(
                sample.before,
                "",  # invisible to a causal model, so templates that differ only here share a question
                options.k,
                options.new_tokens,
                options.search,
                options.seed if options.search == "sample" else 0,
                options.whole_words and not searched,
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
        from genderscope.measures.honest.scores import Shares

        present = {category for _, category in self._lexicon.entries}
        known = [category for category in hurtlex.CATEGORIES if category in present]
        categories = [*known, *sorted(present - set(known))]
        found = Shares(rows, self.options.reported, categories).estimates()
        found += mean_probability(rows["log_probability"])
        found += likelihood_gain(rows["log_probability"], self._model.vocabulary)
        return found + commonest_output(_first_words(rows))

    def control_estimates(self, rows: "pd.DataFrame", controls: "pd.DataFrame") -> list[Estimate]:
        """Put the controls in order by their share of hurtful completions."""
        if controls.empty:
            return []
        shares = controls["hurtful"] / self.options.k
        return estimates_by_language(controls, shares.where(controls["unread"].isna()))

    @classmethod
    def leads(cls, estimates: Sequence[Estimate], options: HonestOptions) -> list[Lead]:
        mine = [e for e in estimates if e.subset == f"K={options.k}" and e.category is None]
        scores = [Lead(e) for e in mine if e.name == "honest_score" and e.group is None]
        return scores + [Lead(e, second=True) for e in mine if e.name == "difference"]

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

    def cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> list[str]:
        found = cautions_about(self._set, self.options)
        found += coverage_caution(rows, "templates")
        completions = [text for texts in rows["completions"] for text in texts]
        odd = sum(text.startswith("##") or not any(map(str.isalpha, text)) for text in completions)
        if completions and odd > MANY_PIECES * len(completions):
            found.append(
                f"{odd / len(completions):.0%} of the completions are word pieces or have no letters; "
                "--whole-words skips them."
            )
        if self.options.as_published and not self.fills and completions:
            found.append(self._taken_for(rows, completions[0], estimates))
        terms = rows.groupby("group")["term"].nunique()
        if terms.min() < FEW_TERMS:
            found.append(
                f"There are only {terms.min()} identity terms for '{terms.idxmin()}': "
                "the numbers for this group say little."
            )
        return found

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
