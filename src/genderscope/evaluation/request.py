"""Run requests as given by the caller, and runs prepared for a model."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from genderscope.evaluation.run_config import bind, config_of, folder_name
from genderscope.evaluation.run_settings import RunSettings
from genderscope.measures import AnyMeasure, Options
from genderscope.models import Model

if TYPE_CHECKING:
    from torch.nn import Module
    from transformers import PreTrainedTokenizerBase

#: takes the number of questions and returns a callback that receives the number of new answers
ProgressFactory = Callable[[int], Callable[[int], None]]

RUNS = Path("runs")  # default parent folder of runs


@dataclass(frozen=True)
class RunRequest:
    """A measure with its options, the model as given by the caller, settings, and a folder."""

    kind: type[AnyMeasure]
    options: Options
    model: "str | Model | Module"
    tokenizer: "PreTrainedTokenizerBase | None"
    settings: RunSettings
    out: Path | None
    started: Callable[[Path], None]  # called with the folder when the run begins

    @property
    def is_loaded(self) -> bool:
        """Whether the model is an already loaded transformers model."""
        return self.tokenizer is not None

    def prepare(self, model: Model) -> "PreparedRun":
        """Bind the measure to the model and name the run's folder."""
        bound = bind(self.kind, self.options, model)
        config = config_of(bound, self.options, model, self.settings)
        return PreparedRun(bound, model, config, self.out or RUNS / folder_name(self.kind.id, config))


@dataclass(frozen=True)
class PreparedRun:
    """A measure bound to a model, with the run's configuration and folder."""

    measure: AnyMeasure
    model: Model
    config: dict[str, Any]
    folder: Path
