"""Slovak gender quadruplets: all word-filling scores in a language with grammatical gender."""

from collections.abc import Iterable

from genderscope.measures.controls import ControlCase
from genderscope.measures.typical_spread import Spread
from genderscope.measures.wordfill.measure import OwnQuadrupletOptions, WordFilling, forms
from genderscope.samples.dataset import SampleSet
from genderscope.samples.quadruplets import Quadruplet, load_own, load_slovak


class SlovakGenderOptions(OwnQuadrupletOptions):
    """Options of the Slovak gender measure."""


class SlovakGender(WordFilling[SlovakGenderOptions]):
    """The Slovak gender set from "In-depth look at word filling"."""

    id = "slovak-gender"
    title = "Slovak gender quadruplets: ss, csk, f and cs"
    options_type = SlovakGenderOptions
    headline = ("stereotype_contrast", "stereotype_contrast_share", "keyword_preference_share")
    spread = Spread(0.90, "the intervals in the paper's Tables 7-12 (median of 3, between 0.55 and 0.97)", 135, 142)
    language = "sk"
    asks_in = (language,)

    def load_set(self) -> SampleSet[Quadruplet]:
        if self.options.data is not None:
            return load_own(self.options.data, self.options.skip_bad, self.options.keep_duplicates)
        return load_slovak(self.options.as_published)

    def control_cases(self) -> Iterable[ControlCase[Quadruplet]]:
        return forms(self.language, self.options.limit) if self._keywords else ()
