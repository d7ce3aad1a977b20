"""Record of the strategies used to answer a run's questions."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from genderscope.models import Batch, Plan


class Method:
    """Counts the questions per strategy, and records why faster strategies were rejected."""

    def __init__(self) -> None:
        self._asked: Counter[str] = Counter()
        self._remarks: dict[str, None] = {}

    def add(self, plan: Plan, batches: Iterable[Batch]) -> None:
        """Record a plan's remarks, and count the questions per strategy in the batches to be answered."""
        self._remarks.update(dict.fromkeys(plan.remarks))
        for batch in batches:
            if batch.strategy is not None:
                self._asked[str(batch.strategy)] += len(batch.indices)

    def described(self) -> dict[str, Any]:
        """Return the entries for run.json; empty if no batch has a strategy."""
        ways = self._asked.most_common()
        if not ways:
            return {}
        method = ways[0][0] if len(ways) == 1 else "; ".join(f"{way} ({count:,} questions)" for way, count in ways)
        return {"method": method, **({"not_exact": list(self._remarks)} if self._remarks else {})}
