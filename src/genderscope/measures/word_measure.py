"""Measures that ask a model for likelihoods or words: what they share around their own `ask`, `read` and `estimates`.

A measure loads its samples and controls, declares what its rows are called, and adds its own settings and caveats. The
checks of duplicates, controls and coverage are the same for all.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from genderscope.measures.base import Measure, RowT, SampleT
from genderscope.measures.competence import likelihood_gain
from genderscope.measures.control_options import ControlOptions
from genderscope.measures.controls import ControlCase, estimates_by_language
from genderscope.measures.own_data import OwnDataOptions, cautions_about, settings_of
from genderscope.measures.unread_cautions import coverage_caution
from genderscope.samples.dataset import data_identity
from genderscope.statistics.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from genderscope.models import WordModel

#: number of samples for which the words' probability mass is computed as well
MASS_SAMPLE = 100
#: index and stereotype of a control, which is no sample of the dataset
NO_SAMPLE, NO_STEREOTYPE = -1, 0
#: prefix for numbers on GEST's published scale, which look far too small if taken as ratios
PAPERS_SCALE = {
    "ratio": "on the paper's scale, where a ratio of 2 becomes 1.35,",
    "log": "on the paper's scale, which is log10,",
}


WordOptionsT = TypeVar("WordOptionsT", bound=ControlOptions)


class WordMeasure(Measure[WordOptionsT, SampleT, RowT]):
    """A measure of likelihoods or words."""

    #: what a row is called in caveats
    row_noun: ClassVar[str] = "samples"
    #: whether intervals treat all rows of a sentence as one unit
    sentences_are_units: ClassVar[bool] = False

    def __init__(self, options: WordOptionsT, model: "WordModel") -> None:
        self.options = options
        self.model = model
        self.check_model(model)
        self.set, self.samples = self.load()
        self.check_samples()
        if options.asks_controls:
            self.controls: Sequence[ControlCase[SampleT]] = list(self.control_cases())

    def check_model(self, model: "WordModel") -> None:
        """Raise a UserError if the options do not suit the model; set up what depends on it."""

    def load(self) -> tuple[Any, Sequence[SampleT]]:
        """Return the set selected by the options, and its samples."""
        raise NotImplementedError

    def check_samples(self) -> None:
        """Raise a UserError if the samples cannot be used."""

    def control_cases(self) -> Iterable[ControlCase[SampleT]]:
        """Yield the samples with a known answer."""
        return ()

    @cached_property
    def _mass(self) -> frozenset[SampleT]:
        return frozenset(random.Random(self.options.seed).sample(self.samples, min(MASS_SAMPLE, len(self.samples))))

    def wants_mass(self, sample: SampleT) -> bool:
        """Return whether the words' probability mass is computed for a sample."""
        return sample in self._mass

    @property
    def scale(self) -> str:
        """The scale of the numbers, for the signature."""
        return getattr(self.options, "scale", "ratio") + ("-as-published" if self.options.as_published else "")

    def data(self) -> dict[str, Any]:
        identity = data_identity(self.set.name, self.set.sha256, len(self.samples), self.set.duplicates)
        return identity | self.more_data()

    def more_data(self) -> dict[str, Any]:
        """Return further entries about the data."""
        return {}

    def settings(self) -> dict[str, str]:
        return self.own_settings() | self.common_settings()

    def own_settings(self) -> dict[str, str]:
        """Return the measure's own options for the signature."""
        return {}

    def common_settings(self) -> dict[str, str]:
        """Return the signature's entries for kept duplicates and left-out controls."""
        kept: dict[str, str] = settings_of(self.options) if isinstance(self.options, OwnDataOptions) else {}
        return kept | self.options.control_settings

    def control_estimates(self, rows: "pd.DataFrame", controls: "pd.DataFrame") -> list[Estimate]:
        """Put the controls in order by their values, in all languages together and in each."""
        if controls.empty:
            return []
        values = self.control_values(controls)
        return estimates_by_language(controls.loc[values.index], values)

    def control_values(self, controls: "pd.DataFrame") -> "pd.Series[float]":
        """Return the value of each control that is used; NaN where nothing could be read."""
        return controls["log_ratio"]

    def cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> list[str]:
        return [
            *self.data_cautions(rows),
            *coverage_caution(rows, self.row_noun),
            *self.own_cautions(rows, estimates),
        ]

    def data_cautions(self, rows: "pd.DataFrame") -> list[str]:
        """Return caveats about the data."""
        return self.duplicate_cautions(self.set)

    def duplicate_cautions(self, loaded: Any) -> list[str]:
        """Return a caveat about duplicates in a set of samples."""
        if not isinstance(self.options, OwnDataOptions):
            return []
        return cautions_about(loaded, self.options, self.sentences_are_units)

    def own_cautions(self, rows: "pd.DataFrame", estimates: Sequence[Estimate]) -> Iterable[str]:
        """Yield the measure's own caveats."""
        return ()

    def gains(self, log_probabilities: "Mapping[str | None, pd.Series[float]]") -> list[Estimate]:
        """Return the likelihood gain in each language."""
        return [
            estimate.with_keys(language=language)
            for language, values in log_probabilities.items()
            for estimate in likelihood_gain(values, self.model.vocabulary)
        ]
