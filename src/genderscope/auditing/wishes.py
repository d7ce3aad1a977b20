"""What an audit is asked for: which measures, with which options, how much of them."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from genderscope.auditing.budgets import BUDGETS
from genderscope.errors import UserError, unknown
from genderscope.languages import LANGUAGES
from genderscope.measures import MEASURES, check_some_options, measure_plugins, measure_type

#: names the place of what is checked in the sentence of a mistake
At = Callable[[str], AbstractContextManager[None]]


@dataclass(frozen=True)
class Wishes:
    """What the user wants of an audit, whatever the model."""

    #: None: every measure that the model can answer
    measures: tuple[str, ...] | None = None
    without: tuple[str, ...] = ()
    budget: str = "standard"
    offline: bool = False
    #: measure -> its options
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    #: the languages that the model is said to know
    languages: tuple[str, ...] = ("en",)
    batch_size: int | None = None

    def names(self) -> list[str]:
        """Return the measures that are wanted, in the order of the registry where none is named."""
        wanted = [*MEASURES, *measure_plugins()] if self.measures is None else dict.fromkeys(self.measures)
        return [name for name in wanted if name not in self.without]

    def check(self, at: At = lambda _: nullcontext()) -> None:
        """Refuse what cannot be meant in one sentence; nothing heavy is imported for it.

        `at` is told where in a recipe each of them stands.
        """
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
