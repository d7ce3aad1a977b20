"""A criterion's finding before and after its test."""

from dataclasses import dataclass, replace

from genderscope.comparison.difference import in_family, p_nearer
from genderscope.comparison.neutral_distance import further, further_interval
from genderscope.judgement import Aim, Finding
from genderscope.statistics.influence import Influence
from genderscope.statistics.paired_comparison import Contrast
from genderscope.statistics.simultaneous import Family

TOO_FEW = "the runs share too few texts to test a difference; measure more of them"


@dataclass(frozen=True)
class Untested:
    """A finding whose p-value and interval are not yet corrected; the contrasts are None if it does not take part."""

    finding: Finding
    aim: Aim
    apart: Contrast | None = None
    joint: Contrast | None = None

    @property
    def influences(self) -> list[Influence]:
        """The influences of the contrasts that are tested."""
        tested = (self.apart, self.joint) if self.aim is Aim.EVEN else (self.apart,)
        return [each.influence for each in tested if each is not None]

    def tested(self, family: Family, pairs: int = 1) -> Finding:
        """Return the finding with its gain, and with a p-value and interval corrected for the family.

        If several pairs of runs are compared, both are also corrected for their number (Bonferroni).
        """
        if self.apart is None or self.joint is None:
            return self.finding
        ends, p = in_family(self.apart, family, pairs)
        if ends is None:
            return replace(self.finding, left_out=TOO_FEW)
        if self.aim is not Aim.EVEN:
            sign = 1.0 if self.aim is Aim.MORE else -1.0
            low, high = sorted(sign * end for end in ends)
            return replace(self.finding, gain=sign * self.apart.value, low=low, high=high, p=p)
        alone, (both, _) = p_nearer(self.apart, self.joint), in_family(self.joint, family, pairs)
        gain = -further(self.apart.value, self.joint.value)
        if both is None or alone is None:
            return replace(self.finding, left_out=TOO_FEW)
        low, high = (-float(end) for end in reversed(further_interval(ends, both)))
        p = min(1.0, pairs * family.adjusted(alone))
        return replace(self.finding, gain=gain, low=low, high=high, p=max(p, 0.05) if low <= 0 <= high else p)
