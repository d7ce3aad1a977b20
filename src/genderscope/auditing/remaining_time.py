"""Estimates an audit's remaining time from the plan's estimate and the time measured so far."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from genderscope.auditing.model_plan import AuditPlan, PlannedMeasure

#: share of questions to answer before a measure's own rate is used, since the first batch is slower than the others
ENOUGH = 0.1


@dataclass
class Remaining:
    """Remaining time of one model's audit."""

    now: Callable[[], float] = time.monotonic
    #: estimated and measured seconds of finished measures
    _estimated: float = 0.0
    _measured: float = 0.0
    _left: dict[str, PlannedMeasure] = field(default_factory=dict)
    _part: PlannedMeasure | None = None
    _began: float = 0.0
    _share: float = 0.0

    def planned(self, plan: AuditPlan) -> None:
        """Start with those measures in a plan that have questions to ask."""
        self._estimated = self._measured = 0.0
        self._left = {part.measure: part for part in plan.parts if part.missing}
        self._part = None

    def begins(self, part: PlannedMeasure) -> None:
        """Record that a measure begins."""
        self._part, self._began, self._share = self._left.pop(part.measure, None), self.now(), 0.0

    def answered(self, count: int) -> None:
        """Record that this many missing questions were answered."""
        if self._part is not None:
            self._share = min(1.0, self._share + count / max(1, len(self._part.missing)))

    def ends(self) -> None:
        """Record that the current measure is done."""
        if self._part is not None and self._part.seconds is not None:
            self._estimated += self._part.seconds
            self._measured += self.now() - self._began
        self._part = None

    def seconds(self) -> float | None:
        """Return the remaining seconds; None if a remaining measure has no time estimate."""
        ahead = [part.seconds for part in self._left.values()]
        if None in ahead:
            return None
        here, done, passed = self._here()
        estimated, measured = self._estimated + done, self._measured + passed
        # One slow measure is little evidence about the others; all of them together show how busy the machine is.
        pace = measured / estimated if estimated > 0 and measured > 0 else 1.0
        left = sum(each for each in ahead if each is not None)
        return None if here is None else left * pace + here

    def _here(self) -> tuple[float | None, float, float]:
        """Return the current measure's remaining seconds, and the estimated and measured time of its finished share."""
        part = self._part
        if part is None:
            return 0.0, 0.0, 0.0
        passed = self.now() - self._began
        if self._share >= ENOUGH:
            return passed * (1 / self._share - 1), (part.seconds or 0.0) * self._share, passed
        return (None if part.seconds is None else max(0.0, part.seconds - passed)), 0.0, 0.0
