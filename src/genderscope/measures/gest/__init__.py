"""GEST: gender-stereotypical reasoning of English language models."""

from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from genderscope.measures.gest.measure import (
        FAMILY_AS_PUBLISHED,
        TEMPLATES,
        Gest,
        GestDataOptions,
        GestOptions,
        data_of,
    )
    from genderscope.measures.gest.rates import Rates

__all__ = ["FAMILY_AS_PUBLISHED", "TEMPLATES", "Gest", "GestDataOptions", "GestOptions", "Rates", "data_of"]

__getattr__ = door(
    __name__,
    {
        "FAMILY_AS_PUBLISHED": "measure",
        "Gest": "measure",
        "GestDataOptions": "measure",
        "GestOptions": "measure",
        "Rates": "rates",
        "TEMPLATES": "measure",
        "data_of": "measure",
    },
)
