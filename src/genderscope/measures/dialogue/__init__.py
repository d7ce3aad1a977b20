"""The WMT24 speaker-listener dialogue suite."""

from typing import TYPE_CHECKING

from genderscope.util.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from .measure import rows_of as rows_of
    from .rates import DialogueRates as DialogueRates
    from .regressions import REGRESSIONS as REGRESSIONS, fitted as fitted, regressed as regressed
    from .row import DialogueRow as DialogueRow
    from .tables import TABLES as TABLES, Compared as Compared, condition_of as condition_of, table_of as table_of

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__)
