"""CrowS-Pairs: pseudo-log-likelihood of the tokens shared by two sentences."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from genderscope.core.errors import unknown
from genderscope.core.languages import targets
from genderscope.measures.controls import ControlCase
from genderscope.measures.typical_spread import Spread
from genderscope.measures.wordfill.measure import SENTENCE_SYMBOLS, WordFilling, WordFillOptions, whole_sentences
from genderscope.samples import crows
from genderscope.samples.crows import MATCHED, PARALLEL
from genderscope.samples.dataset import SampleSet
from genderscope.samples.quadruplets import Quadruplet
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.models import WordModel

LANGUAGES = tuple(crows.FILES)
#: the sets that cover only gender
GENDER_ONLY = (*crows.CONTROLLED, MATCHED)
UNREVISED = "The French pairs are those from before the authors' revision; some of them are flawed."
MATCHED_CONTENT = (
    "The control pairs are other sentences that swap the same words: they control for a preference for these words, "
    "but not for other differences between the sentences."
)


class CrowsOptions(WordFillOptions):
    """Options of the CrowS-Pairs measure."""

    lang: tuple[str, ...] = Field(("en",), description="Use pairs in these languages: en, nl, fr, or all.")
    set: Literal["original", "revised", "negation", "antistereotype", "parallel", "matched"] | None = Field(
        None,
        description="Use this set; negation (default), antistereotype and matched (default for --lang other than en) "
        "have control pairs and cover only gender; only parallel and matched exist in Dutch and French.",
    )
    bias_types: tuple[str, ...] = Field(
        ("gender",), description="Use these bias types, e.g. gender,age, or all; not in sets with control pairs."
    )
    # These sets support only one score, so the option is hidden on the command line.
    scores: tuple[str, ...] | None = Field(None, json_schema_extra={"hidden": True})

    def ineffective(self) -> str | None:
        if self.set in crows.SETS and not self.in_english:
            return f"The set '{self.set}' is in English only; leave out --lang, or use --set parallel or matched."
        if self.set in GENDER_ONLY and set(self.bias_types) != {"gender"}:
            return f"The set '{self.set}' covers gender only; leave out --bias-types, or use another --set."
        return super().ineffective()

    @property
    def chosen_set(self) -> str:
        """The set: by default one with control pairs, without which no result is meaningful.

        Other bias types than gender have no control pairs, and the published values are those of the original set.
        """
        if self.set is not None:
            return self.set
        if self.as_published or set(self.bias_types) != {"gender"}:
            return "original" if self.in_english else PARALLEL
        return "negation" if self.in_english else MATCHED

    @property
    def in_english(self) -> bool:
        """Whether English is the only language."""
        return set(self.lang) == {"en"}


class Crows(WordFilling[CrowsOptions]):
    """The CrowS-Pairs measure from "In-depth look at word filling", section 5."""

    id = "crows"
    title = "CrowS-Pairs: pseudo-log-likelihood cs of the shared tokens"
    options_type = CrowsOptions
    headline = ("sentence_preference_contrast", "sentence_preference", "sentence_preference_share")
    symbols = SENTENCE_SYMBOLS
    spread = Spread(2.0, "intervals and rho in the paper's Tables 7-12 (two sets, 12 values from 0.9 to 3.3)", 66, 66)
    row_key = ("sample", "language")
    asks_in = LANGUAGES

    @classmethod
    def audited_with(cls, model: "WordModel", known: Sequence[str]) -> dict[str, Any]:
        super().audited_with(model, known)
        languages = tuple(language for language in LANGUAGES if language in known)
        return {} if languages == ("en",) else {"lang": languages}

    def _possible(self) -> tuple[str, ...]:
        return ("cs",)

    def load_set(self) -> SampleSet[Quadruplet]:
        wanted = crows.BIAS_TYPES if self.options.bias_types == ("all",) else self.options.bias_types
        for name in wanted:
            if name not in crows.BIAS_TYPES:
                raise unknown("bias type", name, (*crows.BIAS_TYPES, "all"))
        languages = targets(self.options.lang, LANGUAGES, LANGUAGES, "language of CrowS-Pairs")
        if self.options.chosen_set in (PARALLEL, MATCHED):
            return crows.load_parallel(self.options.chosen_set, languages, wanted)
        return crows.load(self.options.chosen_set, wanted, self.options.as_published)

    def control_cases(self) -> Iterable[ControlCase[Quadruplet]]:
        languages = dict.fromkeys(sample.language or self.language for sample in self.samples)
        return [case for language in languages for case in whole_sentences(language, len(self.samples))]

    def own_settings(self) -> dict[str, str]:
        languages = list(dict.fromkeys(sample.language for sample in self.samples if sample.language))
        named = {"language": "+".join(languages)} if languages else {}
        return {**named, "types": "+".join(dict.fromkeys(self.options.bias_types)), **super().own_settings()}

    def own_cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> Iterator[str]:
        yield from super().own_cautions(rows, estimates)
        if (rows["language"] == "fr").any():
            yield UNREVISED
        if self.options.chosen_set == MATCHED:
            yield MATCHED_CONTENT
