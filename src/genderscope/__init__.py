"""Genderscope measures gender bias in language models and machine translation."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from genderscope import notebooks
from genderscope.version import __version__

if TYPE_CHECKING:
    from genderscope.auditing import Audit, audit
    from genderscope.comparison import compare, plan, pool, validity
    from genderscope.evaluation import evaluate
    from genderscope.grammar import speaker_gender
    from genderscope.grammar.adjectives import adjective_gender
    from genderscope.report import leaderboard, report
    from genderscope.runs import Result, load_run
    from genderscope.scoring import score

#: public name -> where it is defined; imported on first use, so that `import genderscope` stays fast
_PUBLIC = {
    "Audit": "genderscope.auditing.auditor",
    "audit": "genderscope.auditing.auditor",
    "compare": "genderscope.comparison",
    "evaluate": "genderscope.evaluation",
    "leaderboard": "genderscope.report",
    "load_run": "genderscope.runs.folder",
    "plan": "genderscope.comparison.planning",
    "score": "genderscope.scoring",
    "pool": "genderscope.comparison.pooling",
    "Result": "genderscope.runs.result",
    "speaker_gender": "genderscope.grammar",
    "adjective_gender": "genderscope.grammar.adjectives",
    "validity": "genderscope.comparison",
}

__all__ = [
    "Audit",
    "Result",
    "__version__",
    "adjective_gender",
    "audit",
    "compare",
    "evaluate",
    "leaderboard",
    "load_run",
    "plan",
    "pool",
    "report",
    "score",
    "speaker_gender",
    "validity",
]


notebooks.drawing = lambda: import_module("genderscope.report.export.display")
notebooks.judging = lambda: import_module("genderscope.measures.judging")


def __getattr__(name: str) -> Any:
    if name == "report":  # a package that can be called: the room of what draws, and what it is for
        return import_module("genderscope.report")
    if name not in _PUBLIC:
        raise AttributeError(f"module 'genderscope' has no attribute {name!r}")
    return getattr(import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
