"""Genderscope measures gender bias in language models and machine translation."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from genderscope import notebooks
from genderscope.version import __version__

if TYPE_CHECKING:
    from genderscope.comparison import compare, plan, pool, validity
    from genderscope.evaluation import evaluate
    from genderscope.grammar import speaker_gender
    from genderscope.grammar.adjectives import adjective_gender
    from genderscope.runs import Result, load_run
    from genderscope.scoring import score

#: public name -> where it is defined; imported on first use, so that `import genderscope` stays fast
_PUBLIC = {
    "compare": "genderscope.comparison",
    "evaluate": "genderscope.evaluation",
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
    "Result",
    "__version__",
    "adjective_gender",
    "compare",
    "evaluate",
    "load_run",
    "plan",
    "pool",
    "score",
    "speaker_gender",
    "validity",
]


def _drawn(shown: object) -> str:
    """Render a result or a comparison for a notebook."""
    html: str = import_module("genderscope.report.html.notebook").drawn(shown)
    return html


notebooks.draw = _drawn


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'genderscope' has no attribute {name!r}")
    return getattr(import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
