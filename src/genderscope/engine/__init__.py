"""Engines that run models: in this process, in several local processes, or on a Ray cluster."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from .dispatch import ask_with as ask_with, workers_kept as workers_kept, gpus_here as gpus_here
    from .dispatch import one_cluster as one_cluster
    from .engine_settings import WINDOWS as WINDOWS, EngineSettings as EngineSettings, gpus_for_job as gpus_for_job
    from .local_engine import answers_in_memory as answers_in_memory, read_answers as read_answers
    from .local_engine import count_kept_first as count_kept_first
    from .local_engine import all_announced as all_announced, answers_to as answers_to, ask as ask
    from .local_engine import is_announced as is_announced
    from .process_engine import Exited as Exited, ProcessPool as ProcessPool
    from .speed_probe import Clock as Clock, WorkerLostError as WorkerLostError, clock_of as clock_of

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
