"""Genderscope measures gender bias in language models and machine translation."""

from importlib import import_module
from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import HIGHER_LAYERS, lazy_exports
from genderscope.version import __version__ as __version__

if TYPE_CHECKING:
    from .auditing import Audit as Audit, audit as audit
    from .comparison import compare as compare, plan as plan, pool as pool, validity as validity
    from .evaluation import RunSettings as RunSettings, evaluate as evaluate, score as score
    from .grammar import speaker_gender as speaker_gender
    from .grammar.adjectives import adjective_gender as adjective_gender
    from .report import report as report
    from .runs import Result as Result, load_run as load_run

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)

HIGHER_LAYERS["display"] = lambda: import_module("genderscope.report.export.display")
HIGHER_LAYERS["measures"] = lambda: import_module("genderscope.measures.registry")
HIGHER_LAYERS["judging"] = lambda: import_module("genderscope.measures.run_judgements")
HIGHER_LAYERS["alternatives"] = lambda: import_module("genderscope.measures.alternatives")
