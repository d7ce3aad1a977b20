"""The verdicts that a page and the first screen begin with, each with the size of the effect in words."""

from genderscope.judgement import Judgement, Lead, verdict_in_one_sentence
from genderscope.measures import judge_result, measure_type, options_of
from genderscope.report.views.plain_view import known_measure
from genderscope.runs import Result
from genderscope.statistics.estimate import Estimate

#: maximum number of verdicts
MOST_VERDICTS = 3


def lead_sentences(result: Result, with_second: bool = False) -> list[tuple[str, str]]:
    """Return the verdict and size of each leading estimate.

    Estimates that only qualify the first one are left out unless `with_second`. A value that is not meaningful has no
    size.
    """
    leads = _leads(result, with_second)
    said = [(verdict_in_one_sentence(j, lead.where), _size(result, lead, j)) for lead, j in leads[:MOST_VERDICTS]]
    sentences = list(dict.fromkeys(said))  # two estimates may lack meaning for the same reason
    more = len(leads) - MOST_VERDICTS
    return [*sentences, (f"… and {more} more", "")] if more > 0 else sentences


def estimates_in_words(result: Result) -> list[Estimate]:
    """Return the leading estimates whose size `lead_sentences` states."""
    return [lead.estimate for lead, j in _leads(result)[:MOST_VERDICTS] if _size(result, lead, j)]


def _leads(result: Result, with_second: bool = False) -> list[tuple[Lead, Judgement]]:
    judged = judge_result(result)
    return [pair for pair in judged if with_second or not pair[0].second] or judged


def trial_note(result: Result) -> str:
    """Return a note if a run used a built-in starter set, which is for trying a measure; otherwise an empty text."""
    kind = known_measure(result.measure)
    starter = dict(kind.starter) if kind else {}
    used = {key: result.config["configuration"].get(key) for key in starter}
    return "trial set; publish numbers from the full data" if starter and used == starter else ""


def _size(result: Result, lead: Lead, judgement: Judgement) -> str:
    phrase = measure_type(result.measure).phrase(lead.estimate, options_of(result))
    if phrase is None or phrase.topic or lead.estimate.value is None or not judgement.is_meaningful:
        return ""
    size = phrase.about(lead.estimate)
    return f"{size[:1].upper()}{size[1:]}."
