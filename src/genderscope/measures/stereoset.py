"""StereoSet with control groups: does the model prefer the stereotypical keyword more for the group it is about?"""

from typing import Literal

from pydantic import Field

from genderscope.measures.base import Spread
from genderscope.measures.wordfill import KEYWORD_SCORES, OwnDataOptions, WordFilling
from genderscope.samples.wordfill import stereoset
from genderscope.samples.wordfill.own import own
from genderscope.samples.wordfill.quadruplet import WordFillSet


class StereoSetOptions(OwnDataOptions):
    """What the user chooses."""

    set: Literal["gender", "gender-filtered", "race", "profession", "plain"] = Field(
        "gender", description="Which set; plain is StereoSet as released, with lms and icat and no control group."
    )


class StereoSet(WordFilling):
    """In-depth look at word filling, sections 4 and 6."""

    id = "stereoset"
    title = "StereoSet with control groups: keyword probabilities ss, csk and f"
    options_type = StereoSetOptions
    headline = ("f_mean", "f_plus", "ss_plus")
    spread = Spread(
        0.96,
        "the intervals of the paper's Tables 7-12 (gender, median of 6; between 0.67 and 1.2)",
        250,
        250,
    )

    def _load(self) -> WordFillSet:
        assert isinstance(self.options, StereoSetOptions)
        if self.options.data is not None:
            return own(self.options.data, self.options.skip_bad)
        return stereoset.load(self.options.set, self.options.seed, self.options.as_published)

    @property
    def many_partners(self) -> bool:
        return self._set in stereoset.CONTROLLED

    def _possible(self) -> tuple[str, ...]:
        return ("ss",) if self._set == stereoset.PLAIN else super()._possible()

    def _default_scores(self) -> tuple[str, ...]:
        # Ten controls a sample make cs, a pass for every token, some 400,000 passes long.
        return KEYWORD_SCORES if self._set in stereoset.CONTROLLED else self._possible()

    @property
    def _set(self) -> str | None:
        """The released set that was chosen, or None for own quadruplets."""
        assert isinstance(self.options, StereoSetOptions)
        return self.options.set if self.options.data is None else None
