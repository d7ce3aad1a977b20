"""GEST: gender-stereotypical reasoning of English language models."""

from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from genderscope.measures.gest.family import about_family
    from genderscope.measures.gest.measure import (
        Gest,
        GestDataOptions,
        GestOptions,
        data_of,
    )
    from genderscope.measures.gest.rates import Rates
    from genderscope.measures.gest.templates import TEMPLATES

__all__ = ["TEMPLATES", "Gest", "GestDataOptions", "GestOptions", "Rates", "about_family", "data_of"]

__getattr__ = door(
    __name__,
    {
        "Gest": "measure",
        "GestDataOptions": "measure",
        "GestOptions": "measure",
        "Rates": "rates",
        "TEMPLATES": "templates",
        "about_family": "family",
        "data_of": "measure",
    },
)
