"""Predicts an audit's duration from the size of the model and of its questions, without loading or asking the model.

The time is proportional to the number of parameters and to the effort in tokens (`effort`). Predictions for SmolLM2 are
right within a factor of two on the machine on which the constants were measured; for other models and devices they give
the order of magnitude. `time_estimates` measures instead.
"""

import os
from collections.abc import Sequence
from dataclasses import replace

from genderscope.auditing.effort import total_effort
from genderscope.auditing.model_plan import AuditPlan, PlannedMeasure, is_masked
from genderscope.core.questions import Question
from genderscope.models import Model
from genderscope.samples import subsampling

#: CPU seconds per parameter and token read, in float32. SmolLM2 (135 million parameters) on a Xeon with AVX-512, in
#: units of 1e-12: gest 4.2, stereoset 3.9, bbq 4.2, gest-chat 5.7, winobias 7.4, crows 10. Questions that share their
#: beginnings take less time. A Neoverse-N1 core is about five times as slow.
CPU_SECONDS = 6e-12
#: the same for a GPU: twenty times as long as an H200 in bfloat16, since the default is float32 and most are slower
GPU_SECONDS = 4e-14
#: CPU seconds per measure for preparing questions, checking exactness, computing intervals and writing the report,
#: measured with SmolLM2
PER_MEASURE = 8.0
SAMPLED = 2000  # number of questions whose effort is computed
#: parameters of a local model of unknown size, usually a translation model such as Marian's
TYPICAL_SIZE = 75_000_000


def with_predicted_times(plan: AuditPlan) -> AuditPlan:
    """Return the plan with predicted times; those of servers and services are unknown."""
    if plan.model.free:
        return replace(plan, parts=tuple(replace(part, seconds=0.0) for part in plan.parts))
    if plan.model.independent or not any(part.missing for part in plan.parts):
        return plan
    workers = plan.settings.workers or 1
    parts = tuple(replace(part, seconds=_predicted(part, plan, workers)) for part in plan.parts)
    return replace(plan, parts=parts, workers=workers)


def _predicted(part: PlannedMeasure, plan: AuditPlan, workers: int) -> float:
    if not part.missing:
        return 0.0
    return PER_MEASURE + seconds_for(part.missing, plan.model, plan.settings.for_model.expects_gpu) / workers


def seconds_for(questions: Sequence[Question], model: Model, gpu: bool = False) -> float:
    """Return the predicted seconds for questions to one copy of a local model."""
    some = subsampling.evenly(questions, SAMPLED)
    tokens = total_effort(some, is_masked(model)).tokens * len(questions) / len(some)
    work = _parameters(model) * tokens
    return GPU_SECONDS * work if gpu else CPU_SECONDS * work / _cores()


def _parameters(model: Model) -> int:
    try:
        return model.parameter_count() or TYPICAL_SIZE
    except Exception:  # transformers can raise anything for a wrong configuration; loading reports it
        return TYPICAL_SIZE


def _cores() -> int:
    """Return the number of cores that a local model uses."""
    limit = os.environ.get("OMP_NUM_THREADS", "")
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(here, int(limit))) if limit.isdecimal() else here
