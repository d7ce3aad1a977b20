"""The vocabulary of `view.toml`, the file next to a measure that declares how its results are shown.

Text with {fields} may be a list of alternatives, of which the first one whose fields all have a value is used. Fields
are the estimate's keys, such as `group` and `language` (`code` is the language's code, and `languages` is "all
languages" for estimates without a language next to others), `neutral`, `model` (the run's name), `run` (the same, if
several runs are shown), `model_name` (as recorded in the run), and the tables under `words`. A function is named
"module:function"; a module without a dot is in `genderscope.report.views`. A function that draws or builds something is
called with the view, the result (or, for figures, the named runs) and its part of the declaration.
"""

import tomllib
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from genderscope.core.errors import UserError
from genderscope.measures import view_file

if TYPE_CHECKING:
    from collections.abc import Callable

Names = tuple[str, ...]
#: text with fields, or alternatives
Template = str | Names


class _DeclaredPart(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Select(_DeclaredPart):
    """Some of a result's estimates, in the result's order."""

    #: patterns of names, such as `*_by_template`; all if empty
    names: Names = ()
    #: patterns of names that are left out
    omit: Names = ()
    #: keys that an estimate must have, must not have, or may have at most
    has: Names = ()
    lacks: Names = ()
    only: Names | None = None
    #: key -> its value, or one of several
    where: dict[str, str | Names] = {}
    #: whether estimates without a value are left out
    valued: bool = False
    #: a key without which estimates are preferred: those for all languages, or else those for each
    spanning: str = ""
    #: whether to return them in the order of `names`, and only the first
    ordered: bool = False
    first: bool = False
    #: whether to select among the headline estimates
    headline: bool = False
    #: a selection that is made before this one
    within: "Select | None" = None


class FigureSpec(_DeclaredPart):
    """A figure of intervals or, with `bars`, of shares; `draw` names a function that yields figures instead."""

    title: str = ""
    caption: str = ""
    #: what is shown; several selections are joined
    select: Select | tuple[Select, ...] = Select()
    bars: bool = False
    row: Template = ""
    heading: Template = ""
    #: the series of an interval, or a bar's outcome
    series: Template = ""
    #: the filter keys of a mark, or their names on the page -> keys; all if missing
    keys: Names | dict[str, str] | None = None
    axis: str = ""
    #: series -> colour; the name of a table under `colours`; or "auto"
    colours: str | dict[str, str] = ""
    #: whether colours are restricted to the series that occur
    present: bool = False
    legend: bool = False
    domain: tuple[int | float, int | float] | None = None
    #: order of the marks: `row` and `heading` as they first occur, `name` as in `names`, a table under
    #: `words` in its order, `value`, `-value`, or any other field
    sort: Names = ()
    #: a function that orders the estimates, and the number of categories that are shown of them
    rank: str = ""
    most: int | None = None
    #: the text for {shown} in the caption, if all are shown or only `most`; {count} is the number of all estimates
    few: str = ""
    many: str = ""
    #: a key that some estimate of the result must have for the figure to be shown
    needs: str = ""
    draw: str = ""
    #: other figures to show here: those that compare runs, or the first headline estimate of each run
    use: Literal["", "compare", "headlines"] = ""


class TableSpec(_DeclaredPart):
    """A table of estimates on the page; `build` names a function that yields tables instead."""

    title: str = ""
    select: Select = Select()
    folded: bool = False
    #: whether it is shown even without estimates
    always: bool = False
    build: str = ""


class TerminalSpec(_DeclaredPart):
    """A table of estimates on the terminal; `build` names a function that yields its parts instead."""

    select: Select = Select()
    #: estimates in bold
    bold: Select | None = None
    #: whether an empty line precedes and follows
    before: bool = False
    after: bool = False
    build: str = ""


class ColumnSpec(_DeclaredPart):
    """A column of the explorer: one of `text`, `choice` or `number` names a column of the rows."""

    text: str = ""
    choice: str = ""
    number: str = ""
    #: its heading, if it differs from the name
    title: str = ""
    #: a function that returns a row's text with marks
    mark: str = ""
    #: whether it is shown only if its values differ, or only if one of them is not 0
    several: bool = False
    nonzero: bool = False
    #: a function that returns columns instead
    build: str = ""


class ExplorerSpec(_DeclaredPart):
    """The sample explorer."""

    columns: tuple[ColumnSpec, ...]
    legend: str = ""
    warning: str | None = None
    #: a function that prepares the rows
    frame: str = ""


class SettingsSpec(_DeclaredPart):
    """Figures of runs with the same options `same` that differ in the option `differ`."""

    same: Names
    differ: str
    figures: tuple[FigureSpec, ...]


class PictureSpec(_DeclaredPart):
    """A row in the picture of a translator: whom the sources are about, an estimate, its subset, and the label."""

    about: Literal[
        "First person, gender unknown",
        "First person, gender known",
        "First and second person, gender unknown",
        "Third person, gender unknown",
        "Third person, gender known",
    ]
    estimate: str
    subset: str | None = None
    label: str


class Declaration(_DeclaredPart):
    """How a measure's results are shown; what is missing is shown as for a measure without a file."""

    #: a measure whose declaration this one completes, and a key without which a result is shown like that measure's
    extends: str = ""
    extends_without: str = ""
    about: str = ""
    units: str = "samples"
    meaning: dict[str, str] = {}
    #: a table under `words` with the meanings of other estimates
    meaning_in: str = ""
    brief: dict[str, str] = {}
    kinds_of_bias: dict[str, str] = {}
    direction: dict[str, tuple[str, str]] = {}
    #: text for the language, group or subset that an estimate refers to
    where: Template = ""
    #: field -> an estimate's name, category, group or subset, or the value of an option -> text; `*` is any other
    words: dict[str, dict[str, str]] = {}
    #: tables of colours: series -> colour
    colours: dict[str, dict[str, str]] = {}
    #: the headline estimates, or a function that returns them
    headline: Select | str | None = None
    #: functions that return a note and potentially hurtful completions
    note: str = ""
    completions: str = ""
    terminal: tuple[TerminalSpec, ...] | None = None
    figures: tuple[FigureSpec, ...] = ()
    compare: tuple[FigureSpec, ...] | None = None
    compare_settings: SettingsSpec | None = None
    tables: tuple[TableSpec, ...] | None = None
    explorer: ExplorerSpec | None = None
    #: rows in the picture that shows a translator in several measures
    picture: tuple[PictureSpec, ...] = ()

    @model_validator(mode="after")
    def _check(self) -> Self:
        """Reject names of tables that do not exist."""
        for figure in (*self.figures, *(self.compare or ())):
            if isinstance(figure.colours, str) and figure.colours not in {"", "auto", *self.colours}:
                raise ValueError(f"there is no table 'colours.{figure.colours}'")
        return self


@cache
def declaration_of(measure: str) -> Declaration | None:
    """Return a measure's declaration; None if it has no file, and a UserError if the file cannot be used."""
    content = _content(measure)
    if content is None:
        return None
    try:
        return Declaration.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise _unusable(measure, f"{place}: {first['msg']}" if place else first["msg"]) from None


def _content(measure: str) -> dict[str, Any] | None:
    file = view_file(measure)
    if file is None:
        return None
    try:
        own = tomllib.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise _unusable(measure, str(error)) from None
    return {**((_content(own["extends"]) if "extends" in own else None) or {}), **own}


def _unusable(measure: str, why: str) -> UserError:
    return UserError(f"The view of the measure '{measure}' cannot be used ({why}); correct its file view.toml.")


@cache
def function_of(name: str) -> "Callable[..., Any]":
    """Return the function that a declaration names."""
    module, _, function = name.partition(":")
    target = module if "." in module else f"genderscope.report.views.{module}"
    try:
        return getattr(import_module(target), function)  # type: ignore[no-any-return]
    except (ImportError, AttributeError) as error:
        raise UserError(f"A view names the function '{name}', which cannot be imported ({error}).") from error
