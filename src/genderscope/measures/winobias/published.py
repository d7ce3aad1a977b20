"""WinoBias as published in GEST's appendix B: exp of mean log10 ratios, with normal intervals from a bootstrap."""

import math
from collections.abc import Mapping

import numpy as np

from genderscope.measures.winobias.rates import GENDERS, Array, Bounds, Flags, OccupationRates
from genderscope.statistics.bootstrap import NORMAL, normal_interval, resampled_means
from genderscope.statistics.cluster_variance import clustered
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.paired_comparison import Resampled
from genderscope.statistics.proportions import agresti_coull
from genderscope.statistics.strata import Stratum, stratified

RESAMPLES = 1000


class PublishedOccupationRates(OccupationRates):
    """The rates on the paper's scale, with sentences as units."""

    unit = 1 / math.log(10)
    method = occupation_method = NORMAL
    share_method = "Agresti-Coull"

    def counted(self, rows: Flags) -> int:
        return int(rows.sum())

    def finish(self, blank: Estimate, parts: Mapping[str, Flags], read: Flags) -> Resampled:
        value, drawn, strata = 0.0, np.zeros(RESAMPLES), []
        for k, (gender, part) in enumerate(parts.items()):
            side, values = (1.0, -1.0)[k], self.values[part][:, None]
            value += side * float(values.mean())
            generator = np.random.default_rng([self.seed, GENDERS.index(gender)])
            drawn += side * resampled_means(values, generator, RESAMPLES)[:, 0]
            strata.append(Stratum(k, side, values))
        bounds = normal_interval(drawn)
        rate = blank.with_value(math.exp(value), map(math.exp, bounds) if bounds else None)
        return Resampled(rate, value, given_influence=stratified(strata))

    def variance_shares(self) -> list[Estimate]:
        return []

    def finish_share(self, blank: Estimate, values: Array, read: Flags) -> Resampled:
        share = float(values.mean())
        influence = clustered((values - share) / len(values), np.ones(len(values)), np.flatnonzero(read), reach=1.0)
        bounds = agresti_coull(round(share * blank.n), blank.n)[1:]
        return Resampled(blank.with_value(share, bounds), share, given_influence=influence)

    def occupation_interval(self, read: Array, occupation: str) -> tuple[Bounds, str | None]:
        if not len(read):
            return None, None
        generator = np.random.default_rng([self.seed, *occupation.encode()])
        return normal_interval(resampled_means(read[:, None], generator)[:, 0]), None
