"""Puts questions to models: in this process, in several on this machine, or on a Ray cluster."""

from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from genderscope.engine.choosing import ask_with, crews_kept, gpus_here, one_cluster
    from genderscope.engine.journaled import Reader, asked_and_read, at_hand
    from genderscope.engine.local import all_announced, answers_to, ask, is_announced
    from genderscope.engine.settings import WINDOWS, EngineSettings, gpus_for_job
    from genderscope.engine.timing import Clock, WorkerLostError, clock_of

__all__ = [
    "WINDOWS",
    "Clock",
    "EngineSettings",
    "Reader",
    "WorkerLostError",
    "all_announced",
    "answers_to",
    "ask",
    "ask_with",
    "asked_and_read",
    "at_hand",
    "clock_of",
    "crews_kept",
    "gpus_for_job",
    "gpus_here",
    "is_announced",
    "one_cluster",
]

__getattr__ = door(
    __name__,
    {
        "Clock": "timing",
        "EngineSettings": "settings",
        "Reader": "journaled",
        "WINDOWS": "settings",
        "WorkerLostError": "timing",
        "all_announced": "local",
        "answers_to": "local",
        "ask": "local",
        "ask_with": "choosing",
        "asked_and_read": "journaled",
        "at_hand": "journaled",
        "clock_of": "timing",
        "crews_kept": "choosing",
        "gpus_for_job": "settings",
        "gpus_here": "choosing",
        "is_announced": "local",
        "one_cluster": "choosing",
    },
)
