"""`genderscope.audit`: one call for everything that a model can be asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from genderscope.auditing.matrix import nothing_left, planned
from genderscope.auditing.planning import folder_names
from genderscope.auditing.running import Watcher, run
from genderscope.auditing.wishes import Wishes
from genderscope.engine import EngineSettings
from genderscope.errors import naming_packages
from genderscope.models import Model, Remote, Settings, known_model, looked_up_once, remote_of
from genderscope.network import offline as nothing_fetched
from genderscope.opening import opened_model, require_there
from genderscope.report import write_scorecard
from genderscope.runs import Result, require_room


@dataclass(frozen=True)
class Audit:
    """What an audit found: a Result for each measure, and the reason for each that there is none of."""

    model: str
    #: holds a run for each measure
    folder: Path
    results: Mapping[str, Result]
    #: measure -> why it was not run, or why it could not be finished
    left_out: Mapping[str, str]
    #: the files of the scorecard, which shows every run below the audit's folder
    scorecard: tuple[Path, ...] = ()

    def __repr__(self) -> str:
        left = f", {len(self.left_out)} left out" if self.left_out else ""
        return f"Audit({self.model!r}: {', '.join(self.results) or 'nothing'}{left}; {str(self.folder)!r})"


@naming_packages()
def audit(  # noqa: PLR0913 - each is the caller's choice
    model: str | Model,
    measures: Sequence[str] | None = None,
    budget: str = "standard",
    *,
    out: str | Path | None = None,
    offline: bool = False,
    without: Sequence[str] = (),
    options: Mapping[str, Mapping[str, Any]] | None = None,
    languages: Sequence[str] = ("en",),
    device: str = "auto",
    dtype: str = "float32",
    batch_size: int | None = None,
    beams: int = 4,
    engine: str = "auto",
    workers: int | None = None,
    address: str | None = None,
    gpus_per_worker: float | None = None,
    allow_pickle: bool = False,
    rehash: bool = False,
    fresh: bool = False,
    remote: Remote | None = None,
    watcher: Watcher | None = None,
) -> Audit:
    """Run every measure that the model can answer, with the model loaded once, and write a scorecard.

    The same call again resumes: it asks only what is missing.

    Args:
        model: A model string such as `hf:gpt2`, or a Model of your own.
        measures: Names of measures; None takes all that the model can answer, plugins' ones too.
        budget: `quick` takes at most 160 samples per measure, `standard` 800, `full` all; they are chosen by stratum.
        out: Folder; each run is in `OUT/MODEL/MEASURE`. Without it `audit/BUDGET`.
        offline: Use what is on this machine: the mirror, the cache, the starter sets.
        without: Measures to leave out.
        options: Options of measures: `{"gest": {"templates": (3, 4)}}`.
        languages: Languages that the model knows; measures that ask in others are left out.
        device: As in `evaluate`, and so are the following.
        dtype: Precision of the weights.
        batch_size: Questions per batch; None fits them to the device.
        beams: Beams of a translation model.
        engine: `local`, `processes` or `ray`.
        workers: How many workers of that engine.
        address: Address of a Ray cluster.
        gpus_per_worker: GPUs, or a fraction of one, for each Ray worker.
        allow_pickle: Load weights that are stored as a pickle, which can run any code.
        rehash: Hash the model's files even where their checksums are remembered.
        fresh: Ask everything again. Earlier runs are kept next to the new ones, as `MEASURE.2026-11-14T0930`.
        remote: What is chosen for models behind HTTP.
        watcher: Hears how the audit goes.
    """
    wishes = Wishes(
        None if measures is None else tuple(measures),
        tuple(without),
        budget,
        offline,
        options or {},
        tuple(languages),
        batch_size,
    )
    wishes.check()
    where = EngineSettings(engine, workers, address, gpus_per_worker)
    settings = Settings(device, dtype, beams, remote_of({}, remote), allow_pickle, rehash)
    root = Path("audit") / budget if out is None else Path(out)
    require_room(root)

    def open_now() -> Model:
        with nothing_fetched(offline):
            return opened_model(model, settings, where)

    with nothing_fetched(offline), looked_up_once():
        require_there(model, settings, where)
        known = known_model(model, settings) if isinstance(model, str) else None
        found = known or open_now()
    [name] = folder_names([(found.name, found.name)])
    plan = planned(found, open_now, found.name, wishes, root / name, fresh)
    if not plan.parts:
        raise nothing_left(plan)
    seen = watcher or Watcher()
    done = run(plan, wishes, where, seen, timed=watcher is not None)
    written = write_scorecard([root], root) if done.results else []
    return Audit(found.name, plan.folder, done.results, {**plan.left_out, **done.failed}, tuple(written))
