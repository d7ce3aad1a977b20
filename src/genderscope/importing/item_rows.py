"""Item scores from a log: their data's identity, and the run's options."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from genderscope.importing.log import ImportedRows, ToolNumber
from genderscope.measures.item_scores import ItemScoreRow

MEASURE = "item-scores"


def item_scores(
    task: str,
    rows: Sequence[ItemScoreRow],
    options: Mapping[str, Any],
    numbers: Sequence[ToolNumber] = (),
    left_out: Mapping[str, int] | None = None,
    lacks: Sequence[str] = (),
) -> ImportedRows:
    """Return the rows of a log as a run of `item-scores`."""
    reasons = "; ".join(f"{count:,}: {reason}" for reason, count in (left_out or {}).items())
    return ImportedRows(
        measure=MEASURE,
        options=options,
        rows=rows,
        data={
            "name": f"{task}-log",
            "sha256": _checksum(rows),
            "samples": len({row.item for row in rows}),
            **({"left_out": dict(left_out)} if left_out else {}),
        },
        settings={"scale": str(options["scale"])},
        numbers=numbers,
        cautions=[f"Some items of the log are left out ({reasons})."] if left_out else [],
        lacks=lacks,
    )


def _checksum(rows: Sequence[ItemScoreRow]) -> str:
    """Return the checksum of the items, whatever their order and scores."""
    items = {json.dumps([row.item, row.cluster, row.group], ensure_ascii=False) for row in rows}
    return hashlib.sha256("\n".join(sorted(items)).encode("utf-8", "surrogatepass")).hexdigest()
