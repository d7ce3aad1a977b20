"""The smallest effect of interest: the distance from neutral at which a value matters."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Margin:
    """The threshold for an estimate: a distance from its neutral point, or a factor above 1 for a ratio."""

    size: float
    factor: bool = False
    #: the largest possible distance; None if unbounded
    most: float | None = None

    @property
    def distance(self) -> float:
        """The distance from neutral, on the log scale for a ratio."""
        return math.log(self.size) if self.factor else self.size

    def times(self, scale: float) -> "Margin":
        """Return the threshold with its distance multiplied by `scale`."""
        distance = scale * self.distance
        return Margin(math.exp(distance) if self.factor else distance, self.factor, self.most)

    def __str__(self) -> str:
        return f"a factor of {self.size:.4g}" if self.factor else f"{self.size:.4g}"
