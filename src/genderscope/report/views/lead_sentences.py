"""The verdicts that a page and the first screen begin with, each with the size of the effect in words."""

from genderscope.judgement import Lead, verdict_in_one_sentence
from genderscope.measures import judge_result, measure_type, options_of
from genderscope.runs import Result

#: maximum number of verdicts
MOST_VERDICTS = 3


def lead_sentences(result: Result, with_second: bool = False) -> list[tuple[str, str]]:
    """Return the verdict and size of each leading estimate.

    Estimates that only qualify the first one are left out unless `with_second`. A value that is not meaningful has no
    size.
    """
    judged = judge_result(result)
    first = [each for each in judged if with_second or not each[0].second] or judged
    found = [
        (verdict_in_one_sentence(judgement, lead.where), _size(result, lead) if judgement.is_meaningful else "")
        for lead, judgement in first[:MOST_VERDICTS]
    ]
    more = len(first) - MOST_VERDICTS
    return [*found, (f"… and {more} more", "")] if more > 0 else found


def _size(result: Result, lead: Lead) -> str:
    phrase = measure_type(result.measure).phrase(lead.estimate, options_of(result))
    if phrase is None or phrase.topic or lead.estimate.value is None:
        return ""
    size = phrase.about(lead.estimate)
    return f"{size[:1].upper()}{size[1:]}."
