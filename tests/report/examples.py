"""Results of every measure from made-up rows: no model is asked, the estimates are the measures' own."""

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

from genderscope.judgement import with_symbols
from genderscope.measures import measure_type
from genderscope.runs import Result, estimates_to_frame
from tests.measure_examples import example_of

#: what a model, a file name or a sentence may hold to break out of the page, the terminal or the script
HOSTILE = (
    '</script><script>window.hacked=1</script><img src=x onerror="window.hacked=1">'
    "' onmouseover='window.hacked=1' {{ 7 * 7 }} ${7*7} \u2028\u2029\u202egnp.exe\u202c"
    '\u2064{"a":1} \x1b[31m\x07 &lt;b&gt;'
)


@cache
def _measured(measure, seed, n, said):
    return example_of(measure).artificial(random.Random(seed), n, said)


def result(measure, model="example", seed=0, n=64, said="", parameters=None, warn=()):
    """Make a result of a measure with about n rows; `said` is put into all texts."""
    rows, estimates, options = _measured(measure, seed, n, said)
    kind = measure_type(measure)
    config: dict[str, Any] = {
        "signature": f"{measure}|model:{model}",
        "command": f"genderscope run {measure} --model '{model}'",
        "configuration": {"measure": measure, "model": model, **options},
        "versions": {"genderscope": "0.2.0"},
        "data": {"name": f"own{said}.csv", "sha256": "0" * 64, "samples": n},
        "model": {"name": model, "kind": "causal", "fingerprint": "0", "parameters": parameters},
        "citation": kind.citation,
    }
    summary = f"This is a summary of {model}. {said}"
    estimates = estimates_to_frame(with_symbols(kind.symbols, estimates))
    return Result(measure, estimates, rows, config["signature"], summary, tuple(warn), config)


def save(found, folder: Path):
    """Write a result as a finished run."""
    folder.mkdir(parents=True)
    (folder / "run.json").write_text(json.dumps(found.config))
    found.rows.to_parquet(folder / "rows.parquet", index=False)
    (folder / "result.json").write_text(found.to_json())
    return folder
