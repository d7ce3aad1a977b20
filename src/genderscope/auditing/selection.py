"""Selection of an audit's measures, options, languages and budget, checked before any heavy import."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from genderscope.auditing.effort import BUDGETS
from genderscope.core.errors import UserError, require_known
from genderscope.core.languages import LANGUAGES, language_code, require_language
from genderscope.measures import MEASURES, check_some_options, measure_plugins, measure_type

#: adds the location in a recipe to an error message
At = Callable[[str], AbstractContextManager[None]]


@dataclass(frozen=True)
class Selection:
    """Measures of an audit, with their options and number of samples."""

    #: None selects every measure that the model supports
    measures: tuple[str, ...] | None = None
    without: tuple[str, ...] = ()
    budget: str = "standard"
    offline: bool = False
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # measure -> its options
    languages: tuple[str, ...] = ("en",)  # languages that the model supports, according to the user

    def __post_init__(self) -> None:
        object.__setattr__(self, "languages", tuple(map(language_code, self.languages)))

    def names(self) -> list[str]:
        """Return the selected measures, in registry order if none are named."""
        names = [*MEASURES, *measure_plugins()] if self.measures is None else dict.fromkeys(self.measures)
        return [name for name in names if name not in self.without]

    def check(self, at: At = lambda _: nullcontext()) -> None:
        """Raise on unknown names and values; `at` adds the location in a recipe to the error message."""
        with at("budget"):
            require_known("budget", self.budget, BUDGETS)
        with at("languages"):
            for code in self.languages:
                require_language("language", code, LANGUAGES)
            if not self.languages:
                raise UserError("No language given for the model; give at least one, e.g. en.")
        for place, names in (("measures", self.measures or ()), ("without", self.without)):
            with at(place):
                for name in names:
                    require_known("measure", name, [*MEASURES, *measure_plugins()])
                if not self.names():
                    raise UserError("No measure is left; add some or exclude fewer.")
        for name, options in self.options.items():
            with at(f"options.{name}"):
                require_known("measure", name, self.names())
                check_some_options(measure_type(name), options)
