"""GEST for Slavic language models (section 4.3): which of the two forms of a sentence, a man's or a woman's?"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from genderscope.errors import UserError
from genderscope.measures.base import Measure, Options, Outcomes, Row
from genderscope.measures.gest import FAMILY, FAMILY_AS_PUBLISHED, Gest
from genderscope.questions import Choice, ChoiceAnswer
from genderscope.samples.gest import STEREOTYPES
from genderscope.samples.pairs import Difference, GenderPair, GenderPairs, difference, load, load_released
from genderscope.samples.registry import GEST_CITATION
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.measures.gest_rates import Rates
    from genderscope.models.base import Model
    from genderscope.statistics.paired import Resampled

LOW_COVERAGE = 0.95
NO_TOKEN_PAIR = "the forms differ in more than one token"


class GestSlavicOptions(Options):
    """What the user chooses."""

    pairs: str | None = Field(
        None, description="CSV with male,female,stereotype ('genderscope pairs build'), or released."
    )
    lang: str | None = Field(None, description="Language of the pairs; both genders are then read to check them.")
    multi_token: bool = Field(
        False, description="Also score pairs that differ in several tokens, by the mean over them (not in the paper)."
    )
    scale: Literal["ratio", "log"] = Field("ratio", description="ratio (neutral 1) or log-ratio (neutral 0).")


class GestSlavic(Measure):
    """GEST section 4.3."""

    id = "gest-slavic"
    title = "GEST: gender-stereotypical reasoning of Slavic language models, on pairs of sentences"
    citation = GEST_CITATION
    asks = frozenset({Choice})
    options_type = GestSlavicOptions
    headline = ("g_s", "q_f", "q_m")
    leanings = Gest.leanings
    row_key = ("sample",)

    def __init__(self, options: Options, model: "Model") -> None:
        assert isinstance(options, GestSlavicOptions)
        self.options = options
        self._sees_after = model.sees_after
        if options.pairs is None:
            raise UserError(
                "Measure 'gest-slavic' needs --pairs FILE ('genderscope pairs build' makes one) or released."
            )
        self._set = _limited(_pairs(options.pairs, options.lang), options.limit)
        self.samples: Sequence[tuple[int, GenderPair]] = tuple(enumerate(self._set.pairs))
        self._unconfirmed = _unconfirmed(self._set.pairs, options.lang) if options.lang else 0
        if all(isinstance(difference(p.male, p.female), str) for p in self._set.pairs):
            raise UserError(
                f"No pair of '{options.pairs}' differs in exactly one word; look at it with 'genderscope pairs check'."
            )

    def data(self) -> dict[str, Any]:
        return {"name": self._set.name, "sha256": self._set.sha256, "samples": len(self.samples)}

    def settings(self) -> dict[str, str]:
        scale = self.options.scale + ("-as-published" if self.options.as_published else "")
        tokens = "all" if self.options.multi_token else "one"
        return {"language": self.options.lang or "unknown", "tokens": tokens, "scale": scale}

    def ask(self, sample: tuple[int, GenderPair]) -> tuple[Choice, ...]:
        """Ask for the whole word, then for every shorter ending that the two forms may differ in.

        Which ending is one token only the tokenizer knows; endings that are not whole tokens cost the model nothing.
        """
        found = difference(sample[1].male, sample[1].female)
        return () if isinstance(found, str) else tuple(_endings(found))

    def read(self, sample: tuple[int, GenderPair], answers: Sequence[ChoiceAnswer]) -> Iterable[Row]:
        index, pair = sample
        found = difference(pair.male, pair.female)
        family = FAMILY_AS_PUBLISHED if self.options.as_published else FAMILY
        answer = ChoiceAnswer(None, unread=found) if isinstance(found, str) else self._chosen(answers)
        yield {
            "sample": index,
            "sentence": pair.male,
            "female": pair.female,
            "stereotype": pair.stereotype,
            "family": family.search(pair.source) is not None,
            "template": 1,
            # log P(male form) - log P(female form): positive is masculine
            "log_ratio": None if answer.scores is None else answer.scores[0] - answer.scores[1],
            "mass": None,
            "note": answer.note,
            "unread": answer.unread,
        }

    def _chosen(self, answers: Sequence[ChoiceAnswer]) -> ChoiceAnswer:
        """Take the answer in which each form is one token; otherwise that for the whole word, or say why not."""
        for answer in answers:
            if answer.scores is not None and all(len(tokens) == 1 for tokens in answer.tokens):
                return answer
        whole = answers[0]
        if self.options.multi_token or whole.scores is None:
            return whole
        return ChoiceAnswer(None, tokens=whole.tokens, unread=f"{NO_TOKEN_PAIR} (--multi-token scores them)")

    def estimates(self, rows: "pd.DataFrame") -> list[Estimate]:
        return _rates(rows, self.options).estimates()

    @classmethod
    def resampled(cls, rows: "pd.DataFrame", options: GestSlavicOptions) -> "Iterable[Resampled]":
        return _rates(rows, options).resampled()

    @classmethod
    def outcomes(cls, rows: "pd.DataFrame", estimate: Estimate, options: GestSlavicOptions) -> Outcomes:
        from genderscope.measures.gest_rates import outcomes

        return outcomes(rows, estimate.name)

    def summary(self, estimates: Sequence[Estimate]) -> str:
        g_s = next(e for e in estimates if e.name == "g_s")
        if g_s.value is None or g_s.low is None or g_s.high is None or g_s.neutral is None:
            return "There are too few readable pairs to tell whether the model reasons in gender stereotypes."
        if g_s.low > g_s.neutral:
            finding = "The model prefers the forms that stereotypes suggest"
        elif g_s.high < g_s.neutral:
            finding = "The model prefers the forms that go against stereotypes"
        else:
            finding = "That the model's preference of forms follows stereotypes cannot be told from chance"
        return (
            f"{finding}: g_s = {g_s.value:.2f} (95 % interval {g_s.low:.2f} to {g_s.high:.2f}, "
            f"neutral {g_s.neutral:g}, n = {g_s.n} pairs)."
        )

    def cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> list[str]:
        found = []
        unread = rows["unread"].dropna()
        if len(unread) > (1 - LOW_COVERAGE) * len(rows):
            most = unread.value_counts().index[0]
            found.append(f"{len(unread)} of {len(rows)} pairs could not be read, most often because: {most}.")
        if self._unconfirmed:
            found.append(
                f"In {self._unconfirmed} of {len(rows)} pairs the reader does not find a man's and a woman's form."
            )
        silent = sorted(set(STEREOTYPES) - set(rows.loc[rows["log_ratio"].notna(), "stereotype"]))
        if silent:
            found.append(f"No pair was read for stereotype {', '.join(map(str, silent))}; the rates are without them.")
        if not self._sees_after:
            found.append(
                "A causal model sees only what stands before the word that differs; the paper used masked models."
            )
        return found


def _rates(rows: "pd.DataFrame", options: GestSlavicOptions) -> "Rates":
    from genderscope.measures.gest_rates import Rates

    # A stereotype of which nothing was read would leave the rates over all stereotypes without a value.
    read = rows.groupby("stereotype")["log_ratio"].transform("count") > 0
    return Rates(rows[read] if read.any() else rows, options.seed, options.scale, options.as_published)


def _endings(found: Difference) -> Iterable[Choice]:
    """Yield the choice between the whole words, then between their endings after each shared beginning."""
    shared = next(
        (k for k, (a, b) in enumerate(zip(found.one, found.other, strict=False)) if a != b),
        min(len(found.one), len(found.other)) - 1,
    )
    for k in range(shared + 1):
        yield Choice(found.before + found.one[:k], found.after, (found.one[k:], found.other[k:]))


def _pairs(pairs: str, language: str | None) -> GenderPairs:
    if pairs != "released":
        return load(pairs)
    if language is None:
        raise UserError("The released pairs are in nine languages; name one with --lang.")
    return load_released(language)


def _limited(pairs: GenderPairs, limit: int | None) -> GenderPairs:
    total = len(pairs.pairs)
    if limit is None or limit >= total:
        return pairs
    kept = tuple(pairs.pairs[k * total // limit] for k in range(limit))
    return GenderPairs(f"{pairs.name}:{limit}", pairs.sha256, kept)


def _unconfirmed(pairs: Sequence[GenderPair], language: str) -> int:
    """Count the pairs in which the two genders cannot be read."""
    from genderscope.grammar import speaker_gender

    return sum(
        (speaker_gender(pair.male, language).gender, speaker_gender(pair.female, language).gender)
        != ("masculine", "feminine")
        for pair in pairs
    )
