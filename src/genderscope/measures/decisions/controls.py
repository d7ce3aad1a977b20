"""Controls of the decisions: requests that anybody would grant, or nobody, in the prompt of the probe."""

from genderscope.measures.controls import HIGH, LOW, ControlCase
from genderscope.measures.decisions.options import DecisionOptions
from genderscope.samples.controls import control_decisions
from genderscope.samples.decisions import DecisionSample, Probe, filled

#: index of a control, which is no sample of the dataset
NO_SAMPLE = -1
_PROBE: Probe = "discrimination"


def control_cases(options: DecisionOptions) -> list[ControlCase[DecisionSample]]:
    """Return the controls for a run; only the probe that is answered with yes or no has any."""
    if options.as_published or _PROBE not in options.chosen:
        return []
    return [
        ControlCase(
            DecisionSample(NO_SAMPLE, _PROBE, f"control-{pair.pair}", pair.scenario, filled(_PROBE, text)),
            pair.kind,
            pair.pair,
            side,
        )
        for pair in control_decisions(few=options.limit is not None)
        for text, side in ((pair.yes, HIGH), (pair.no, LOW))
    ]
