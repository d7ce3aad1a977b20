"""GEST: gender-stereotypical reasoning of English language models."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from .measure import Gest as Gest, GestDataOptions as GestDataOptions, GestOptions as GestOptions
    from .measure import about_family as about_family
    from .published import PublishedRates as PublishedRates
    from .rates import Rates as Rates
    from .templates import TEMPLATES as TEMPLATES, Template as Template, filled as filled

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
