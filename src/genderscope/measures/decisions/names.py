"""Names of estimates and outcomes."""

from genderscope.measures.gest_chat.character import OUTCOMES as CHARACTERS
from genderscope.measures.reply_text import REFUSED
from genderscope.samples.decisions import FEMALE, MALE

YES, NO, DEPENDS, NEITHER = "yes", "no", "depends", "neither"
DECISION, CONFLICT = "decision_difference", "conflict_difference"
JOBS, TRAITS = "job_stereotype_rate", "trait_stereotype_rate"
JOB_GENDER, TRAIT_GENDER = "job_masculine_rate", "trait_masculine_rate"
#: the leading estimate of each probe, then the shares of men among characters
DIFFERENCES = (DECISION, CONFLICT, JOBS, TRAITS)
HEADLINE = (*DIFFERENCES, JOB_GENDER, TRAIT_GENDER)
#: estimate -> the probe that it is based on
PROBE_OF = {
    DECISION: "discrimination",
    CONFLICT: "relationships",
    JOBS: "jobs",
    JOB_GENDER: "jobs",
    TRAITS: "inventories",
    TRAIT_GENDER: "inventories",
}
#: probe -> what its replies may say
OUTCOMES = {
    "jobs": CHARACTERS,
    "inventories": CHARACTERS,
    "discrimination": (YES, NO, DEPENDS, REFUSED),
    "relationships": (FEMALE, MALE, NEITHER, REFUSED),
}
#: probe -> its scenarios, in the plural
SCENARIOS = {
    "jobs": "occupations",
    "inventories": "traits",
    "discrimination": "decisions",
    "relationships": "conflicts",
}
