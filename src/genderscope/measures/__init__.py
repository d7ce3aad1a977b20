"""Measures, one package each; add one with a package and a registry entry, or as a plugin."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from genderscope.judgement import Margin as Margin

    from .alternatives import explain_unusable as explain_unusable, next_step as next_step, next_steps as next_steps
    from .base import MASCULINE as MASCULINE, STEREOTYPICAL as STEREOTYPICAL, AnyMeasure as AnyMeasure
    from .base import Leaning as Leaning, Measure as Measure, Options as Options, Outcomes as Outcomes, Row as Row
    from .base import PublishedOptions as PublishedOptions
    from .controls import ControlCase as ControlCase, control_frame as control_frame
    from .parsing import check_some_options as check_some_options, parse_options as parse_options
    from .registry import MEASURES as MEASURES, card_of as card_of, examples_for as examples_for
    from .registry import measure_plugins as measure_plugins
    from .registry import measure_type as measure_type, view_file as view_file, with_starter_set as with_starter_set
    from .rows import frame_of as frame_of, schema_of as schema_of
    from .run_judgements import judge_estimate as judge_estimate, judge_result as judge_result, judged_by as judged_by
    from .run_judgements import margin_of as margin_of, mark_failures as mark_failures, options_of as options_of
    from .run_judgements import symbols_of as symbols_of
    from .threshold_checks import check_margin as check_margin, check_size as check_size, margins_of as margins_of
    from .typical_spread import Between as Between, Spread as Spread

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
