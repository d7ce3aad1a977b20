"""Which way the questions of a run were put to the model, for the run's record."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from genderscope.models import Batch, Plan


class Method:
    """Counts the questions that were asked each way, and keeps why a faster way was not taken."""

    def __init__(self) -> None:
        self._asked: Counter[str] = Counter()
        self._remarks: dict[str, None] = {}

    def add(self, plan: Plan, batches: Iterable[Batch]) -> None:
        """Take note of a plan, of which these batches are asked."""
        self._remarks.update(dict.fromkeys(plan.remarks))
        for batch in batches:
            if batch.way is not None:
                self._asked[str(batch.way)] += len(batch.indices)

    def described(self) -> dict[str, Any]:
        """Return what a run should record, in JSON types; nothing where no model has a choice."""
        ways = self._asked.most_common()
        if not ways:
            return {}
        told = ways[0][0] if len(ways) == 1 else "; ".join(f"{way} ({count:,} questions)" for way, count in ways)
        return {"method": told, **({"not_exact": list(self._remarks)} if self._remarks else {})}
