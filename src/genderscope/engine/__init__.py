"""Puts questions to models: in this process, in several on this machine, or on a Ray cluster."""

from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from genderscope.engine.choosing import ask_with, crews_kept
    from genderscope.engine.journaled import Reader, asked_and_read
    from genderscope.engine.local import answers_to, ask
    from genderscope.engine.settings import EngineSettings

__all__ = ["EngineSettings", "Reader", "answers_to", "ask", "ask_with", "asked_and_read", "crews_kept"]

__getattr__ = door(
    __name__,
    {
        "EngineSettings": "settings",
        "Reader": "journaled",
        "answers_to": "local",
        "ask": "local",
        "ask_with": "choosing",
        "asked_and_read": "journaled",
        "crews_kept": "choosing",
    },
)
