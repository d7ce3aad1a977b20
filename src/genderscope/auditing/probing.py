"""How long an audit will take: measured on a few of its own questions, once the model is loaded.

A few questions fill a pass worse than many, so the estimate is rather too long than too short.
"""

import time
from collections.abc import Sequence
from dataclasses import replace

from genderscope.auditing.planning import Part, Plan
from genderscope.engine import answers_to
from genderscope.errors import UserError
from genderscope.models import Model
from genderscope.questions import Question
from genderscope.samples import limits

#: questions of a measure that are asked to begin with; where that went quickly, so many are asked on the clock
FIRST = 4
MEASURED = 32
QUICKLY = 2.0
NEIGHBOURS = 4


def estimated(plan: Plan, batch_size: int | None = None) -> Plan:
    """Load the model and return the plan with times; what costs money, or answers at once, is not asked for it."""
    if plan.model.announces or not plan.missing:
        return plan
    if plan.model.free:
        return replace(plan, parts=tuple(replace(part, seconds=0.0) for part in plan.parts))
    plan.model.load()
    return replace(plan, parts=tuple(_timed(plan.model, part, batch_size) for part in plan.parts))


def _timed(model: Model, part: Part, batch_size: int | None) -> Part:
    if not part.missing:
        return replace(part, seconds=0.0)
    # Asked for the first time they are slower: ways are tried on them, memory is taken.
    some = _some(part.missing, FIRST)
    try:
        if _seconds(model, some, batch_size) < QUICKLY and len(part.missing) > FIRST:
            some = _some(part.missing, MEASURED)
            _seconds(model, some, batch_size)
        taken = _seconds(model, some, batch_size)
    except UserError:
        return part  # the measure itself will say what is wrong, and the others have their turn
    return replace(part, seconds=taken / len(some) * len(part.missing))


def _some(questions: Sequence[Question], count: int) -> list[Question]:
    """Take questions from all over, a few neighbours at a time: those about one sample share their beginning."""
    starts = limits.evenly(range(0, len(questions), NEIGHBOURS), count // NEIGHBOURS)
    return [question for start in starts for question in questions[start : start + NEIGHBOURS]]


def _seconds(model: Model, questions: Sequence[Question], batch_size: int | None) -> float:
    """Ask, and throw the answers away: asked with others they may differ in their last bits."""
    began = time.perf_counter()
    for _ in answers_to(model, model.plan(questions, batch_size).batches):
        pass
    return time.perf_counter() - began
