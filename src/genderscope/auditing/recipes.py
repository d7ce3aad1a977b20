"""Recipes: TOML files that list models, measures, options and gates.

A recipe may be untrusted, so it can only read files below its own folder.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from genderscope.auditing.selection import At, Selection
from genderscope.comparison import Condition, RunChecks, estimate_names, parse
from genderscope.core.errors import UserError, did_you_mean, option_name, require_known, unknown
from genderscope.core.tables import own_text
from genderscope.evaluation import RunSettings
from genderscope.judgement import BENCHMARK
from genderscope.measures import MEASURES, card_of, measure_type
from genderscope.models import Model, Remote, remote_of, split_spec

LARGEST = 1_000_000  # maximum size of a recipe in bytes
#: measure options that name a file, whose texts may be sent to a server
FILE_OPTIONS = ("data", "pairs", "prompts", "lexicon", "controls")
KEYWORDS = ("starter", "none")  # accepted instead of a file name
#: server options allowed only on the command line: a stranger's recipe must not decide which secrets are sent or
#: consent to costs
COMMAND_LINE_ONLY = ("key_env", "allow_http", "yes")


def toml_of(path: Path) -> dict[str, Any]:
    """Parse a TOML file, reporting errors in one sentence."""
    text = own_text(path, "recipe", LARGEST)
    try:
        return tomllib.loads(text)
    except RecursionError:
        reason = "it is nested too deeply"
    except tomllib.TOMLDecodeError as error:
        reason = str(error)
    except ValueError as error:  # for example, a number with thousands of digits
        reason = str(error).partition(";")[0]
    raise UserError(f"The recipe '{path}' is not TOML: {reason}.")


def file_below(folder: Path, name: str) -> str:
    """Return the path of a file named in a recipe; raise if it is outside the recipe's folder."""
    path = folder / name
    try:
        inside = path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):  # circular links, a NUL
        inside = False
    if not inside or Path(name).is_absolute() or ".." in Path(name).parts:
        raise UserError(
            f"It names the file '{name}', but a recipe can only use files in its own folder; "
            "give a path relative to the recipe, without '..'."
        )
    return str(path)


def remote_options(given: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return a recipe's server options with resolved file paths."""
    if (name := next((name for name in COMMAND_LINE_ONLY if name in given), None)) is not None:
        raise UserError(f"'{name}' cannot be set in a recipe, for your safety; use {option_name(name)} instead.")
    options = dict(given)
    for name in ("system", "prompt"):
        if isinstance(text := options.get(name), str) and text.startswith("@"):
            options[name] = f"@{file_below(folder, text[1:])}"
    if isinstance(template := options.get("chat_template"), str):
        options["chat_template"] = file_below(folder, template)
    return options


def measure_options(given: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return a recipe's options for a measure with resolved file paths."""
    return {
        name: file_below(folder, value)
        if name in FILE_OPTIONS and isinstance(value, str) and value not in KEYWORDS
        else tuple(value)
        if isinstance(value, list)
        else value
        for name, value in given.items()
    }


#: the default file name
FILE = "genderscope.toml"
_STRICT = ConfigDict(extra="forbid", strict=True, frozen=True)


@dataclass(frozen=True)
class AuditedModel:
    """One model in an audit, with its settings."""

    spec: str | Model
    settings: RunSettings = field(default_factory=RunSettings)
    name: str | None = None  # display name; None for the model's own name

    @property
    def called(self) -> str:
        """The model's name in the recipe."""
        return self.name or self.source

    @property
    def source(self) -> str:
        """The model string, or the name of a `Model` instance."""
        return self.spec if isinstance(self.spec, str) else self.spec.name


@dataclass(frozen=True)
class Recipe:
    """A complete audit: models, measures and gates."""

    models: tuple[AuditedModel, ...]
    selection: Selection = field(default_factory=Selection)
    out: Path | None = None  # folder for the runs and the scorecard; None stands for `audit/BUDGET`
    #: measure -> conditions; a run that meets one of them fails
    gates: Mapping[str, tuple[Condition, ...]] = field(default_factory=dict)
    #: the model that the others are compared with
    baseline: str | None = None
    min_coverage: float = 0.5
    allow_unjudged: bool = False
    #: what the gates' intervals generalise over
    over: str = BENCHMARK
    #: checks of every run as a whole, whatever it measures
    checks: RunChecks = field(default_factory=RunChecks)
    jobs: int = 1  # number of models audited concurrently

    @property
    def root(self) -> Path:
        """Folder of the audit."""
        return self.out or Path("audit") / self.selection.budget

    @property
    def run_checks(self) -> RunChecks:
        """The checks of every run, including the one that --require-model asks for."""
        return replace(self.checks, require_model=self.models[0].settings.remote.require_model)

    def check_baseline(self) -> None:
        """Raise if the baseline is not one of the models."""
        called = [model.called for model in self.models]
        if self.baseline is not None and self.baseline not in called:
            raise unknown("model", self.baseline, called)

    def with_settings(self, **changes: Any) -> "Recipe":
        """Return the recipe with these settings changed for every model; spending limits are shared by all models."""
        settings, _ = RunSettings.from_options(changes, self.models[0].settings)
        named = {name: getattr(settings, name) for name in changes if name not in Remote.model_fields}
        named |= {"remote": settings.remote} if named.keys() != changes.keys() else {}
        return replace(self, models=tuple(replace(m, settings=replace(m.settings, **named)) for m in self.models))


class _ModelTable(BaseModel):
    """Schema of one model in the file."""

    model_config = _STRICT

    spec: str
    name: str | None = None
    device: str | None = None
    dtype: str | None = None
    beams: int | None = Field(None, ge=1)
    allow_pickle: bool | None = None


class _File(BaseModel):
    """Schema of the whole file."""

    model_config = _STRICT

    models: list[_ModelTable] = Field(min_length=1)
    measures: list[str] | None = None
    without: list[str] = []
    budget: str = "standard"
    offline: bool = False
    languages: list[str] = ["en"]
    out: str | None = None
    baseline: str | None = None
    min_coverage: float = Field(0.5, ge=0, le=1)
    allow_unjudged: bool = False
    over: Literal["benchmark", "items"] = "benchmark"
    purpose: str | None = Field(None, alias="for")
    max_age: str | None = None
    require_fresh: bool = False
    device: str = "auto"
    dtype: str | None = None
    batch_size: int | None = Field(None, ge=1)
    beams: int = Field(4, ge=1)
    allow_pickle: bool = False
    engine: str = "auto"
    workers: int | None = None
    address: str | None = None
    gpus_per_worker: float | None = None
    jobs: int = Field(1, ge=1)
    remote: dict[str, Any] = {}
    options: dict[str, dict[str, Any]] = {}
    gates: dict[str, list[str]] = {}

    @field_validator("models", mode="before")
    @classmethod
    def _tables(cls, value: Any) -> Any:
        """Convert a plain string to a model table."""
        listed = value if isinstance(value, list) else ()
        return [{"spec": item} if isinstance(item, str) else item for item in listed] or value

    @field_validator("gates", mode="before")
    @classmethod
    def _lists(cls, value: Any) -> Any:
        """Convert a single condition to a list."""
        listed = value.items() if isinstance(value, dict) else ()
        return {
            name: [conditions] if isinstance(conditions, str) else conditions for name, conditions in listed
        } or value


def template() -> str:
    """Return the recipe that `genderscope init` writes."""
    return files("genderscope.auditing").joinpath("recipe.toml").read_text(encoding="utf-8")


def read_recipe(path: Path) -> Recipe:
    """Read a recipe, reporting the first mistake in one sentence with its location."""
    if not path.exists():
        raise UserError(f"There is no recipe '{path}'; 'genderscope init' writes a {FILE}.")
    content = toml_of(path)
    try:
        read = _File.model_validate(content)
    except ValidationError as error:
        # A misspelt key is reported both as unknown and as missing; the former is more informative.
        errors = sorted(error.errors(), key=lambda problem: problem["type"] != "extra_forbidden")
        raise UserError(f"{path}, {_describe(errors[0])}") from None
    return _checked(read, path)


def _checked(read: _File, path: Path) -> Recipe:
    """Build the recipe from a validated file, checking names and values."""

    @contextmanager
    def at(place: str) -> Iterator[None]:
        try:
            yield
        except UserError as error:
            raise UserError(f"{path}, {place}: {error}") from None

    options = {}
    for name, given in read.options.items():
        with at(f"options.{name}"):
            options[name] = measure_options(given, path.parent)
    with at("for" if read.max_age is None else "max_age"):
        checks = RunChecks.of(read.purpose, read.max_age, read.require_fresh)
    with at("remote"):
        remote = remote_of(remote_options(read.remote, path.parent))
    common = {name: getattr(read, name) for name in (*_PER_MODEL, *_FOR_ALL)}
    models = []
    for number, entry in enumerate(read.models):
        with at(f"models[{number}]"):
            split_spec(entry.spec)
        own = {name: value for name in _PER_MODEL if (value := getattr(entry, name)) is not None}
        with at("engine"):
            models.append(AuditedModel(entry.spec, RunSettings(remote=remote, **common | own), entry.name))
    return build_recipe(
        models,
        Selection(
            None if read.measures is None else tuple(read.measures),
            tuple(read.without),
            read.budget,
            read.offline,
            options,
            tuple(read.languages),
        ),
        read.gates,
        at,
        out=None if read.out is None else Path(read.out),
        checks=checks,
        **{name: getattr(read, name) for name in ("baseline", "min_coverage", "allow_unjudged", "over", "jobs")},
    )


#: settings that may differ between models, and settings shared by all
_PER_MODEL = ("device", "dtype", "beams", "allow_pickle")
_FOR_ALL = ("batch_size", "engine", "workers", "address", "gpus_per_worker")


def build_recipe(
    models: Sequence[AuditedModel],
    selection: Selection,
    gates: Mapping[str, Sequence[str]] | None = None,
    at: At = lambda _: nullcontext(),
    **choices: Any,
) -> Recipe:
    """Check names and values and return the recipe; `at` adds the location of an error to its message."""
    selection.check(at)
    recipe = Recipe(tuple(models), selection, **choices)
    called = [model.called for model in recipe.models]
    with at("models"):
        if twice := next((name for name in called if called.count(name) > 1), None):
            raise UserError(f"Two models are called '{twice}'; give each a different name.")
    with at("baseline"):
        recipe.check_baseline()
    parsed = {}
    for measure, texts in (gates or {}).items():
        with at(f"gates.{measure}"):
            listed = [texts] if isinstance(texts, str) else texts
            parsed[measure] = tuple(_condition(text, measure, recipe) for text in listed)
    return replace(recipe, gates=parsed)


def _condition(text: str, measure: str, recipe: Recipe) -> Condition:
    require_known("measure", measure, recipe.selection.names())
    condition = parse(text)
    if condition.compares and recipe.baseline is None:
        raise UserError(f"The condition '{text}' tests a difference; name the baseline to compare with.")
    check_estimate(condition, measure)
    return condition


def check_estimate(condition: Condition, measure: str) -> None:
    """Raise if the name resembles a known estimate but is on no card; all other names are checked after the run."""
    kind = measure_type(measure)
    names = [*estimate_names(measure), "coverage"]
    hint = did_you_mean(condition.name, names)
    if condition.name in names or not hint or any(_card_has(card, condition.name) for card in {*MEASURES, measure}):
        return
    raise UserError(
        f"The condition '{condition.text}' is about '{condition.name}', which '{measure}' does not estimate; its "
        f"main estimates are {', '.join(kind.headline)}.{hint}"
    )


def _card_has(measure: str, name: str) -> bool:
    """Return whether a measure's card contains the name as a word."""
    try:
        return re.search(rf"\b{re.escape(name)}\b", card_of(measure)) is not None
    except UserError:
        return False


def _describe(error: Any) -> str:
    """Describe a validation error in one sentence that begins with its location."""
    places = list(error["loc"])
    if error["type"] == "extra_forbidden":
        fields = (_ModelTable if places[0] == "models" else _File).model_fields
        keys = [field.alias or name for name, field in fields.items()]
        return f"{_place(places)}: unknown key; the keys are {', '.join(keys)}.{did_you_mean(places[-1], keys)}"
    if error["type"] == "missing":
        example = 'models = ["smollm2"]' if places == ["models"] else 'spec = "hf:org/name"'
        return f"{_place(places)}: missing; write, for example, {example}."
    return f"{_place(places)}: it is {error['input']!r}; {error['msg'][0].lower()}{error['msg'][1:]}."


def _place(places: list[Any]) -> str:
    """Format a location, as in models[0].spec."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in places).lstrip(".")
