"""Which measures an audit runs: names, options, languages and budget, checked before anything heavy is imported."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from genderscope.auditing.budgets import BUDGETS
from genderscope.errors import UserError, unknown
from genderscope.languages import LANGUAGES
from genderscope.measures import MEASURES, check_some_options, measure_plugins, measure_type

#: adds the place in a recipe to an error message
At = Callable[[str], AbstractContextManager[None]]


@dataclass(frozen=True)
class Selection:
    """Which measures an audit runs, with which options, on how many samples."""

    #: None selects every measure that the model can answer
    measures: tuple[str, ...] | None = None
    without: tuple[str, ...] = ()
    budget: str = "standard"
    offline: bool = False
    #: measure -> its options
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    #: the languages the user says the model knows
    languages: tuple[str, ...] = ("en",)

    def names(self) -> list[str]:
        """Return the selected measures, in registry order if none is named."""
        names = [*MEASURES, *measure_plugins()] if self.measures is None else dict.fromkeys(self.measures)
        return [name for name in names if name not in self.without]

    def check(self, at: At = lambda _: nullcontext()) -> None:
        """Refuse unknown names and values; `at` adds their place in a recipe to the message."""
        with at("budget"):
            if self.budget not in BUDGETS:
                raise unknown("budget", self.budget, BUDGETS)
        with at("languages"):
            self._check_languages()
        for place, names in (("measures", self.measures or ()), ("without", self.without)):
            with at(place):
                self._check_measures(names)
        for name, options in self.options.items():
            with at(f"options.{name}"):
                if name not in self.names():
                    raise unknown("measure", name, self.names())
                check_some_options(measure_type(name), options)

    def _check_languages(self) -> None:
        for code in self.languages:
            if code not in LANGUAGES:
                raise unknown("language", code, LANGUAGES)
        if not self.languages:
            raise UserError("No language is named that the model knows; give one such as en.")

    def _check_measures(self, names: Sequence[str]) -> None:
        for name in names:
            if name not in MEASURES and name not in measure_plugins():
                raise unknown("measure", name, [*MEASURES, *measure_plugins()])
        if not self.names():
            raise UserError("No measure is left; name some, or leave out fewer.")
