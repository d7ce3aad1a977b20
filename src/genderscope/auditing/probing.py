"""How long an audit will take: measured on a few of its own questions, once the model is loaded.

A few questions fill a pass worse than many, so the estimate is rather too long than too short. Workers are taken to
share the questions evenly.
"""

from collections.abc import Sequence
from dataclasses import replace

from genderscope.auditing.planning import Part, Plan
from genderscope.engine import Clock, EngineSettings, WorkerLostError, clock_of, crews_kept
from genderscope.errors import UserError
from genderscope.questions import Question
from genderscope.samples import limits

#: questions of a measure that are asked to begin with; where that went quickly, so many are asked on the clock
FIRST = 4
MEASURED = 32
QUICKLY = 2.0
NEIGHBOURS = 4


def estimated(plan: Plan, where: EngineSettings, batch_size: int | None = None) -> Plan:
    """Load the model and return the plan with times; what costs money, or answers at once, is not asked for it.

    Inside `crews_kept` the workers that are timed are those that the run will use.
    """
    if plan.model.free:
        return replace(plan, parts=tuple(replace(part, seconds=0.0) for part in plan.parts))
    if not any(part.missing and not part.announces for part in plan.parts):
        return plan
    try:
        with crews_kept():
            clock = clock_of(where, plan.model)
            parts = tuple(_timed(clock, part, batch_size) for part in plan.parts)
    except WorkerLostError:
        return plan
    return replace(plan, parts=parts, workers=clock.workers)


def _timed(clock: Clock, part: Part, batch_size: int | None) -> Part:
    if not part.missing:
        return replace(part, seconds=0.0)
    if part.announces:
        return part
    # Asked for the first time they are slower: ways are tried on them, memory is taken.
    some = _some(part.missing, FIRST)
    try:
        if clock.seconds(some, batch_size) < QUICKLY and len(part.missing) > FIRST:
            some = _some(part.missing, MEASURED)
            clock.seconds(some, batch_size)
        taken = clock.seconds(some, batch_size)
    except UserError:
        return part  # the measure itself will say what is wrong, and the others have their turn
    return replace(part, seconds=taken / len(some) * len(part.missing) / clock.workers)


def _some(questions: Sequence[Question], count: int) -> list[Question]:
    """Take questions from all over, a few neighbours at a time: those about one sample share their beginning."""
    starts = limits.evenly(range(0, len(questions), NEIGHBOURS), count // NEIGHBOURS)
    return [question for start in starts for question in questions[start : start + NEIGHBOURS]]
