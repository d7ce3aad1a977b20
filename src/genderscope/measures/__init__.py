"""The measures, one folder each. A new measure is a folder and a line in the registry, or a plugin."""

from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from genderscope.measures.base import MASCULINE, STEREOTYPICAL, AnyMeasure, Leaning, Measure, Options, Outcomes, Row
    from genderscope.measures.effects import Margin, Spread
    from genderscope.measures.findings import (
        SHORT,
        WORDS,
        Verdict,
        by_how_much,
        conclusion,
        in_how_many,
        in_words,
        shown,
        size_word,
        too_little,
        verdict_of,
        with_interval,
    )
    from genderscope.measures.margins import check_margin, check_size, margins_of
    from genderscope.measures.parsing import check_some_options, parse_options
    from genderscope.measures.registry import MEASURES, card_of, measure_plugins, measure_type
    from genderscope.measures.rows import frame_of, schema_of

__all__ = [
    "MASCULINE",
    "MEASURES",
    "SHORT",
    "STEREOTYPICAL",
    "WORDS",
    "AnyMeasure",
    "Leaning",
    "Margin",
    "Measure",
    "Options",
    "Outcomes",
    "Row",
    "Spread",
    "Verdict",
    "by_how_much",
    "card_of",
    "check_margin",
    "check_size",
    "check_some_options",
    "conclusion",
    "frame_of",
    "in_how_many",
    "in_words",
    "margins_of",
    "measure_plugins",
    "measure_type",
    "parse_options",
    "schema_of",
    "shown",
    "size_word",
    "too_little",
    "verdict_of",
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
        "SHORT": "findings",
        "STEREOTYPICAL": "base",
        "Spread": "effects",
        "Verdict": "findings",
        "WORDS": "findings",
        "by_how_much": "findings",
        "card_of": "registry",
        "check_margin": "margins",
        "check_size": "margins",
        "check_some_options": "parsing",
        "conclusion": "findings",
        "frame_of": "rows",
        "in_how_many": "findings",
        "in_words": "findings",
        "margins_of": "margins",
        "measure_plugins": "registry",
        "measure_type": "registry",
        "parse_options": "parsing",
        "schema_of": "rows",
        "shown": "findings",
        "size_word": "findings",
        "too_little": "findings",
        "verdict_of": "findings",
        "with_interval": "findings",
    },
)
