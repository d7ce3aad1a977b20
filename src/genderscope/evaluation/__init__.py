"""Evaluation: `evaluate`, its settings, finished runs, and scoring of existing translations."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from .run_config import page_writer as page_writer, read_finished as read_finished
    from .model_opening import open_given_model as open_given_model, open_translator as open_translator
    from .pipeline import evaluate as evaluate
    from .model_opening import require_available as require_available
    from .run_config import RUNS as RUNS, PreparedRun as PreparedRun, ProgressFactory as ProgressFactory
    from .result_building import RowBuilder as RowBuilder, SampleQuestions as SampleQuestions
    from .run_config import UnableError as UnableError, bind as bind, config_of as config_of
    from .run_config import current_versions as current_versions, folder_name as folder_name
    from .run_config import require_able as require_able, slug as slug
    from .run_settings import SETTING_NAMES as SETTING_NAMES, RunSettings as RunSettings
    from .scoring import score as score, sources as sources, translation_measure as translation_measure

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
