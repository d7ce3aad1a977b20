"""What results and comparisons call in higher layers is there; mypy compares the signatures."""

from genderscope.comparison import measure_validity, run_comparison
from genderscope.core import network
from genderscope.measures import alternatives, registry, run_judgements
from genderscope.report.export import display
from genderscope.runs import result


def test_modules_of_higher_layers_do_what_lower_ones_ask_of_them():
    shown: tuple[result.ResultDisplay, run_comparison.ComparisonDisplay, measure_validity.ValidityDisplay]
    shown = display, display, display
    judging: result.ResultJudging = run_judgements
    next_steps: result.NextSteps = alternatives
    assert (result.DISPLAY(), run_comparison.DISPLAY(), measure_validity.DISPLAY()) == shown
    names: network.MeasureNames = registry
    assert network.MEASURES() == names
    assert (result.JUDGING(), result.ALTERNATIVES()) == (judging, next_steps)
