"""Measures as tasks of other evaluation tools, with the texts that our own runs would ask."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from .inspect_task import inspect_files as inspect_files
    from .lm_eval_task import lm_eval_files as lm_eval_files
    from .measure_task import CHAT_MEASURES as CHAT_MEASURES, INSPECT as INSPECT, LM_EVAL as LM_EVAL
    from .measure_task import MEASURES_OF as MEASURES_OF, MeasureTask as MeasureTask, require_measure as require_measure
    from .reply_scores import ENDINGS as ENDINGS, inspect_reply as inspect_reply
    from .reply_scores import ReplyScorer as ReplyScorer, part_of as part_of, reply_value as reply_value
    from .reply_scores import task_of as task_of
    from .measure_task import Request as Request, Response as Response
    from .task_folder import export_task as export_task

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
