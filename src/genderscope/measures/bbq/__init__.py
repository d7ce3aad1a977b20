"""BBQ: who did it, if the text does not say?"""

from typing import TYPE_CHECKING

from genderscope.util.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from .genderbench_metrics import GenderBenchMetrics as GenderBenchMetrics
    from .lm_eval_reader import read_mention as read_mention, unknown_wordings as unknown_wordings
    from .published_prompts import published_prompt as published_prompt
    from .rows import BbqRow as BbqRow, likelihood_row as likelihood_row, reply_row as reply_row

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
