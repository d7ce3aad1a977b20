"""Advice in the reasons why an audit leaves out a measure, in the form that the audit's command line accepts."""

import re

from genderscope.core.errors import UserError
from genderscope.measures import measure_type

#: options of measures that the audit also has, for all measures
SHARED = ("lang",)


def advice_for(measure: str, reason: str) -> str:
    """Return the reason with a measure's own options, such as `--to sk`, as `--option MEASURE.to=sk`."""
    try:
        options = set(measure_type(measure).options_type.model_fields) - set(SHARED)
    except UserError:  # the measure of a broken plugin, which the reason says
        return reason

    def with_measure(match: re.Match[str]) -> str:
        name = match["name"].replace("-", "_")
        return f"--option {measure}.{name}={match['value']}" if name in options else match[0]

    return re.sub(r"--(?P<name>[a-z][a-z-]*) (?P<value>[\w,.-]*\w)", with_measure, reason)
