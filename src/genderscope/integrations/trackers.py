"""Logging of results to experiment trackers."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import cast

from genderscope.core.errors import UserError, needs, require_known
from genderscope.integrations.record import Record, record_of
from genderscope.runs import Result


@dataclass(frozen=True)
class Tracker:
    """An experiment tracker: its name, its client package, and the function that logs to it."""

    name: str
    package: str
    target: str


TRACKERS = {
    "mlflow": Tracker("MLflow", "mlflow", "genderscope.integrations.to_mlflow:log"),
    "wandb": Tracker("Weights & Biases", "wandb", "genderscope.integrations.to_wandb:log"),
    "tensorboard": Tracker("TensorBoard", "tensorboard", "genderscope.integrations.to_tensorboard:log"),
}


def require_trackers(names: Iterable[str]) -> None:
    """Raise UserError if a tracker is unknown or its client is not installed."""
    for name in names:
        require_known("tracker", name, TRACKERS)
        if find_spec(TRACKERS[name].package) is None:
            raise needs(TRACKERS[name].package, f"Logging to {TRACKERS[name].name}")


def log(result: Result, tracker: str, step: int | None = None) -> str:
    """Log a result to a tracker and return its location there.

    Headline estimates are logged with interval, sample size and neutral point; options are logged as parameters, the
    signature as a tag, and the report as an artifact. An active run of the tracker is used and left open.

    Args:
        result: The result to log.
        tracker: `mlflow`, `wandb` or `tensorboard`; each needs the extra of the same name.
        step: The training step that the result belongs to.
    """
    require_trackers([tracker])
    chosen = TRACKERS[tracker]
    module, function = chosen.target.split(":")
    write = cast(Callable[[Record, int | None], str], getattr(import_module(module), function))
    try:
        return write(record_of(result), step)
    except UserError:
        raise
    except Exception as error:  # clients' exceptions vary
        kept = "" if result.folder is None else f" The finished run is in '{result.folder}'."
        reason = " ".join(str(error).split())[:700] or type(error).__name__
        raise UserError(f"{chosen.name} rejected the result ({reason}).{kept}") from error
