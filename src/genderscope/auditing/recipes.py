"""Recipes: a TOML file that lists models, measures, options and gates; mistakes are told with their place."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from genderscope.auditing.gate_names import check_estimate
from genderscope.auditing.recipe_files import measure_options, remote_options, toml_of
from genderscope.auditing.wishes import Wishes
from genderscope.comparison import Condition, parse
from genderscope.engine import EngineSettings
from genderscope.errors import UserError, did_you_mean, unknown
from genderscope.models import Settings, remote_of, split_spec

#: the name that `genderscope init` writes and the documentation speaks of
FILE = "genderscope.toml"
_STRICT = ConfigDict(extra="forbid", strict=True, frozen=True)


@dataclass(frozen=True)
class Entry:
    """A model of an audit."""

    spec: str
    settings: Settings
    #: what it is called; None: as it calls itself
    name: str | None = None

    @property
    def called(self) -> str:
        """What the recipe calls the model."""
        return self.name or self.spec


@dataclass(frozen=True)
class Recipe:
    """Everything an audit of several models needs to know."""

    entries: tuple[Entry, ...]
    wishes: Wishes
    where: EngineSettings = field(default_factory=EngineSettings)
    out: Path | None = None
    #: measure -> what must not hold
    gates: Mapping[str, tuple[Condition, ...]] = field(default_factory=dict)
    #: the model that the others are compared with
    baseline: str | None = None
    min_coverage: float = 0.5
    allow_unjudged: bool = False
    #: how many models are audited at a time
    jobs: int = 1
    #: whether all is asked again; never in the file, so that the same command without --fresh resumes
    fresh: bool = False


class _ModelTable(BaseModel):
    """One of the models, as the file has it."""

    model_config = _STRICT

    spec: str
    name: str | None = None
    device: str | None = None
    dtype: str | None = None
    beams: int | None = Field(None, ge=1)
    allow_pickle: bool | None = None


class _File(BaseModel):
    """The whole file."""

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
    device: str = "auto"
    dtype: str = "float32"
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
        """A model that is only a string is a table with that string."""
        return [{"spec": each} if isinstance(each, str) else each for each in value] if _is_list(value) else value

    @field_validator("gates", mode="before")
    @classmethod
    def _lists(cls, value: Any) -> Any:
        """A single condition is a list of one."""
        listed = value.items() if isinstance(value, dict) else ()
        return {name: [each] if isinstance(each, str) else each for name, each in listed} or value


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def template() -> str:
    """Return the recipe that `genderscope init` writes."""
    return files("genderscope.auditing").joinpath("recipe.toml").read_text(encoding="utf-8")


def read_recipe(path: Path) -> Recipe:
    """Read a recipe; what is wrong with it is one sentence with its place."""
    if not path.exists():
        raise UserError(f"There is no recipe '{path}'; 'genderscope init' writes a {FILE}.")
    content = toml_of(path)
    try:
        read = _File.model_validate(content)
    except ValidationError as error:
        # A key that is misspelt is also one that is missing: the former says more.
        found = sorted(error.errors(), key=lambda each: each["type"] != "extra_forbidden")
        raise UserError(f"{path}, {_told(found[0])}") from None
    return _checked(read, path)


def _checked(read: _File, path: Path) -> Recipe:
    """Build the recipe from a file whose shape is right; names and values are checked here."""

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
    wishes = Wishes(
        None if read.measures is None else tuple(read.measures),
        tuple(read.without),
        read.budget,
        read.offline,
        options,
        tuple(read.languages),
        read.batch_size,
    )
    wishes.check(at)
    with at("remote"):
        remote = remote_of(remote_options(read.remote, path.parent))
    with at("engine"):
        where = EngineSettings(read.engine, read.workers, read.address, read.gpus_per_worker)
    entries = []
    for number, each in enumerate(read.models):
        with at(f"models[{number}]"):
            split_spec(each.spec)
        own = {name: value for name in _OWN if (value := getattr(each, name)) is not None}
        how = {name: getattr(read, name) for name in _OWN} | own
        entries.append(Entry(each.spec, Settings(remote=remote, **how), each.name))
    _check_names(entries, read.baseline, at)
    gates = {}
    for measure, texts in read.gates.items():
        with at(f"gates.{measure}"):
            gates[measure] = tuple(_condition(text, measure, wishes, read.baseline) for text in texts)
    out = None if read.out is None else Path(read.out)
    return Recipe(
        tuple(entries), wishes, where, out, gates, read.baseline, read.min_coverage, read.allow_unjudged, read.jobs
    )


#: what may be said for all models or for one
_OWN = ("device", "dtype", "beams", "allow_pickle")


def _check_names(entries: list[Entry], baseline: str | None, at: Any) -> None:
    called = [entry.called for entry in entries]
    with at("models"):
        if twice := next((name for name in called if called.count(name) > 1), None):
            raise UserError(f"Two models are called '{twice}'; give them a name each.")
    with at("baseline"):
        if baseline is not None and baseline not in called:
            raise unknown("model", baseline, called)


def _condition(text: str, measure: str, wishes: Wishes, baseline: str | None) -> Condition:
    if measure not in wishes.names():
        raise unknown("measure", measure, wishes.names())
    condition = parse(text)
    if condition.compares and baseline is None:
        raise UserError(f"The condition '{text}' is about a difference; name the baseline to compare with.")
    check_estimate(condition, measure)
    return condition


def _told(error: Any) -> str:
    """Say what pydantic found in one sentence that begins with the place."""
    places, table = list(error["loc"]), _File
    if error["type"] == "extra_forbidden":
        known = _ModelTable.model_fields if places[0] == "models" else table.model_fields
        return f"{_place(places)}: unknown key; known here are {', '.join(known)}.{did_you_mean(places[-1], known)}"
    if error["type"] == "missing":
        example = 'models = ["smollm2"]' if places == ["models"] else 'spec = "hf:org/name"'
        return f"{_place(places)}: it is missing; write for example {example}."
    return f"{_place(places)}: it is {error['input']!r}; {error['msg'][0].lower()}{error['msg'][1:]}."


def _place(places: list[Any]) -> str:
    """Write the place as TOML would: models[0].spec."""
    return "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in places).lstrip(".")
