"""Interpretation of results: thresholds, validity conditions, verdicts, and the sentences that report them."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from .answer_sentences import answer_json as answer_json, describe_answer as describe_answer
    from .answer_sentences import describe_values as describe_values, words_for as words_for
    from .answers import Answer as Answer, AnswerKind as AnswerKind, Finding as Finding
    from .answers import NarrowTest as NarrowTest, corrected_for as corrected_for, on_items as on_items
    from .answers import combine_answers as combine_answers, conclude_answer as conclude_answer
    from .conditions import COVERAGE as COVERAGE, FailedCondition as FailedCondition, Retry as Retry
    from .sentences import CONTROL as CONTROL, CONTROL_AUC as CONTROL_AUC, CONTROLS as CONTROLS
    from .sentences import CONTROL_NO_GENDER as CONTROL_NO_GENDER, NOTHING_TO_KNOW as NOTHING_TO_KNOW
    from .sentences import BALANCED as BALANCED
    from .sentences import control_line as control_line, describe_control as describe_control
    from .conditions import ValidityCondition as ValidityCondition, estimate_like as estimate_like
    from .conditions import format_share as format_share, read_share as read_share
    from .criteria import QUESTIONS_ANSWERED as QUESTIONS_ANSWERED, Room as Room
    from .criteria import LEAST_ROOM as LEAST_ROOM, SOME_NEUTRAL as SOME_NEUTRAL, USABLE as USABLE, Aim as Aim
    from .criteria import describe_room as describe_room
    from .criteria import Criterion as Criterion, known_gender as known_gender, open_gender as open_gender
    from .differences import BENCHMARK as BENCHMARK, BETTER as BETTER, ITEMS as ITEMS, WideTest as WideTest
    from .differences import LEVEL as LEVEL, Difference as Difference, describe_difference as describe_difference
    from .differences import better_run as better_run
    from .differences import format_tested_difference as format_tested_difference
    from .differences import explain_ratios as explain_ratios
    from .differences import format_difference as format_difference, format_wide_test as format_wide_test
    from .differences import explain_scopes as explain_scopes, wide_units as wide_units
    from .differences import short_difference as short_difference, summarise_difference as summarise_difference
    from .estimate_judgement import FailedEstimate as FailedEstimate, Judgement as Judgement, judge as judge
    from .estimate_judgement import model_interval as model_interval, overall as overall
    from .estimate_judgement import simultaneous as simultaneous
    from .marks import Mark as Mark, MarkScale as MarkScale, explain_marks as explain_marks, mark as mark
    from .marks import mark_scales as mark_scales
    from .notation import format_people as format_people, label as label, with_symbols as with_symbols
    from .notation import format_bounds as format_bounds, format_number as format_number, format_value as format_value
    from .notation import format_range as format_range, with_interval as with_interval
    from .ranks import describe_order as describe_order
    from .ranks import RANKS as RANKS, describe_criteria as describe_criteria, describe_first as describe_first
    from .sentences import MARK_NOTE as MARK_NOTE, NOT_BEYOND_LIMIT as NOT_BEYOND_LIMIT, SHORT as SHORT
    from .sentences import VALUE_FAILS as VALUE_FAILS, describe_failed_values as describe_failed_values
    from .sentences import describe_left_out as describe_left_out
    from .sentences import Phrase as Phrase, explain_failures as explain_failures
    from .sentences import explain_short_verdicts as explain_short_verdicts, list_verdicts as list_verdicts
    from .sentences import margin_words as margin_words, short_verdict as short_verdict
    from .sentences import significance_mark as significance_mark, size_sentence as size_sentence
    from .sentences import verdict_in_one_sentence as verdict_in_one_sentence, verdict_sentences as verdict_sentences
    from .summaries import Lead as Lead, judge_as as judge_as, leads_by_language as leads_by_language
    from .summaries import leads_with_parts as leads_with_parts
    from .summaries import leading as leading, summarise as summarise
    from .verdicts import Margin as Margin, Verdict as Verdict
    from .verdicts import distance as distance, judge_interval as judge_interval

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
