"""The measures, one folder each. A new measure is a folder and a line in the registry, or a plugin."""

from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from genderscope.measures.base import MASCULINE, STEREOTYPICAL, AnyMeasure, Leaning, Measure, Options, Outcomes, Row
    from genderscope.measures.effects import Margin, Spread
    from genderscope.measures.findings import (
        by_how_much,
        conclusion,
        in_how_many,
        in_words,
        shown,
        too_little,
        with_interval,
    )
    from genderscope.measures.margins import check_margin, check_size, margins_of
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
    "by_how_much",
    "card_of",
    "check_margin",
    "check_size",
    "conclusion",
    "frame_of",
    "in_how_many",
    "in_words",
    "margins_of",
    "measure_plugins",
    "measure_type",
    "schema_of",
    "shown",
    "too_little",
    "with_interval",
]

__getattr__ = door(
    __name__,
    {
        "AnyMeasure": "base",
        "Leaning": "base",
        "MASCULINE": "base",
        "MEASURES": "registry",
        "Margin": "effects",
        "Measure": "base",
        "Options": "base",
        "Outcomes": "base",
        "Row": "base",
        "STEREOTYPICAL": "base",
        "Spread": "effects",
        "by_how_much": "findings",
        "card_of": "registry",
        "check_margin": "margins",
        "check_size": "margins",
        "conclusion": "findings",
        "frame_of": "rows",
        "in_how_many": "findings",
        "in_words": "findings",
        "margins_of": "margins",
        "measure_plugins": "registry",
        "measure_type": "registry",
        "schema_of": "rows",
        "shown": "findings",
        "too_little": "findings",
        "with_interval": "findings",
    },
)
