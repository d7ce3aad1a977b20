"""GEST: gender-stereotypical reasoning of English language models."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from .family import about_family as about_family
    from .measure import Gest as Gest
    from .options import GestDataOptions as GestDataOptions, GestOptions as GestOptions
    from .rates import Rates as Rates
    from .templates import TEMPLATES as TEMPLATES, Template as Template, filled as filled

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
