"""Puts questions to models: in this process, in several on this machine, or on a Ray cluster."""

from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from genderscope.engine.choosing import ask_with
    from genderscope.engine.journaled import Reader, asked_and_read
    from genderscope.engine.local import ask
    from genderscope.engine.settings import EngineSettings

__all__ = ["EngineSettings", "Reader", "ask", "ask_with", "asked_and_read"]

__getattr__ = door(
    __name__,
    {
        "EngineSettings": "settings",
        "Reader": "journaled",
        "ask": "local",
        "ask_with": "choosing",
        "asked_and_read": "journaled",
    },
)
