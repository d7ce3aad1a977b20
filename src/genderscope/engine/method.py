"""Records how the questions of a run were put to the model."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from genderscope.models import Batch, Plan


class Method:
    """Counts the questions asked each way, and records why a faster way was not used."""

    def __init__(self) -> None:
        self._asked: Counter[str] = Counter()
        self._remarks: dict[str, None] = {}

    def add(self, plan: Plan, batches: Iterable[Batch]) -> None:
        """Record a plan and the batches of it that are asked."""
        self._remarks.update(dict.fromkeys(plan.remarks))
        for batch in batches:
            if batch.strategy is not None:
                self._asked[str(batch.strategy)] += len(batch.indices)

    def described(self) -> dict[str, Any]:
        """Return the entries for run.json; empty if the model has only one way to answer."""
        ways = self._asked.most_common()
        if not ways:
            return {}
        method = ways[0][0] if len(ways) == 1 else "; ".join(f"{way} ({count:,} questions)" for way, count in ways)
        return {"method": method, **({"not_exact": list(self._remarks)} if self._remarks else {})}
