"""The measures, one folder each. A new measure is a folder and a line in the registry, or a plugin."""

from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from genderscope.judgement import Margin
    from genderscope.measures.base import MASCULINE, STEREOTYPICAL, AnyMeasure, Leaning, Measure, Options, Outcomes, Row
    from genderscope.measures.effects import Spread
    from genderscope.measures.judging import judge_estimate, judge_result, judged_by, margin_of, options_of
    from genderscope.measures.margins import check_margin, check_size, margins_of
    from genderscope.measures.parsing import check_some_options, parse_options
    from genderscope.measures.registry import MEASURES, card_of, measure_plugins, measure_type
    from genderscope.measures.rows import frame_of, schema_of

__all__ = [
    "MASCULINE",
    "MEASURES",
    "STEREOTYPICAL",
    "AnyMeasure",
    "Leaning",
    "Margin",
    "Measure",
    "Options",
    "Outcomes",
    "Row",
    "Spread",
    "card_of",
    "check_margin",
    "check_size",
    "check_some_options",
    "frame_of",
    "judge_estimate",
    "judge_result",
    "judged_by",
    "margin_of",
    "margins_of",
    "measure_plugins",
    "measure_type",
    "options_of",
    "parse_options",
    "schema_of",
]

__getattr__ = door(
    __name__,
    {
        "AnyMeasure": "base",
        "Leaning": "base",
        "Margin": "base",
        "MASCULINE": "base",
        "MEASURES": "registry",
        "Measure": "base",
        "Options": "base",
        "Outcomes": "base",
        "Row": "base",
        "STEREOTYPICAL": "base",
        "Spread": "effects",
        "card_of": "registry",
        "check_margin": "margins",
        "check_size": "margins",
        "check_some_options": "parsing",
        "frame_of": "rows",
        "judge_estimate": "judging",
        "judge_result": "judging",
        "judged_by": "judging",
        "margin_of": "judging",
        "margins_of": "margins",
        "measure_plugins": "registry",
        "measure_type": "registry",
        "options_of": "judging",
        "parse_options": "parsing",
        "schema_of": "rows",
    },
)
