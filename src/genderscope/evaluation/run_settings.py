"""RunSettings, shared by the Python API, the command line, audits, recipes and workers."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from genderscope.core.errors import UserError
from genderscope.engine import EngineSettings
from genderscope.models import Remote, Settings, remote_of


@dataclass(frozen=True)
class RunSettings:
    """Settings for how a measure is run; what is measured depends on the measure's own options."""

    #: `cpu`, `cuda`, `cuda:1`, …; `auto` uses a GPU if available, or a loaded model's current device
    device: str = "auto"
    #: precision of the weights, part of the signature; None means float32, or a loaded model's precision
    dtype: str | None = None
    batch_size: int | None = None  # questions per batch; None chooses a size for the device
    beams: int = 4  # beam size of translation models
    engine: str = "auto"  # where questions are answered: `auto`, `local`, `processes` or `ray`
    workers: int | None = None  # the engine's number of workers
    address: str | None = None  # address of a Ray cluster
    gpus_per_worker: float | None = None  # number of GPUs per Ray worker, possibly fractional
    allow_pickle: bool = False  # load weights stored as a pickle, which can run arbitrary code
    rehash: bool = False  # hash the model's files even if their checksums are cached
    fresh: bool = False  # ask all questions again; an earlier run is kept next to the new one
    report: bool = True  # write report.html into the run's folder
    remote: Remote = field(default_factory=lambda: remote_of({}))  # options of servers, services and chat models
    command: str | None = None  # the command that resumes the run, for its record and for messages

    def __post_init__(self) -> None:
        if self.batch_size is not None and (not isinstance(self.batch_size, int) or self.batch_size < 1):
            raise UserError(f"The batch size is {self.batch_size}; it must be 1 or more, or auto.")
        assert self.for_engine  # its constructor validates the values

    @classmethod
    def from_options(
        cls, options: Mapping[str, Any], settings: "RunSettings | None" = None
    ) -> "tuple[RunSettings, dict[str, Any]]":
        """Apply options, including fields of `remote`; return the new settings and the remaining options."""
        start = settings or cls()
        named = {field.name for field in fields(cls)} - {"remote"}
        changes = {name: value for name, value in options.items() if name in named}
        sent = {name: value for name, value in options.items() if name in Remote.model_fields}
        if sent or "remote" in options:
            changes["remote"] = remote_of(sent, options.get("remote", start.remote))
        rest = {name: value for name, value in options.items() if name not in SETTING_NAMES}
        return replace(start, **changes), rest

    def for_opened_model(self) -> "RunSettings":
        """Return the settings for an already open model, without `fresh` and with default remote options."""
        return replace(self, remote=remote_of({}), fresh=False)

    def on(self, engine: EngineSettings) -> "RunSettings":
        """Return a copy of the settings with another engine."""
        return replace(self, **asdict(engine))

    @property
    def for_model(self) -> Settings:
        """The settings for opening a model string, in this process or a worker."""
        return Settings(self.device, self.dtype or "float32", self.beams, self.remote, self.allow_pickle, self.rehash)

    @property
    def for_engine(self) -> EngineSettings:
        """The settings of the engine that answers the questions."""
        return EngineSettings(self.engine, self.workers, self.address, self.gpus_per_worker)


#: every name that `RunSettings.from_options` accepts; no measure may have an option with one of these names
SETTING_NAMES = (*(field.name for field in fields(RunSettings)), *Remote.model_fields)
