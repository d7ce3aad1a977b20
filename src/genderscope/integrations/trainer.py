"""A callback for the transformers Trainer that measures bias during training."""

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from transformers import TrainerCallback

from genderscope.core.errors import UserError
from genderscope.evaluation import evaluate
from genderscope.integrations.trackers import numbers_of
from genderscope.measures import measure_type, parse_options
from genderscope.runs import Result

if TYPE_CHECKING:
    from transformers import Trainer, TrainerState


class GenderscopeCallback(TrainerCallback):
    """A Trainer callback that measures the model before, during and after training.

    The headline estimates are logged through the trainer (`eval_gest/stereotype_rate`, with `.low`, `.high`, `.n`,
    `.unread`, `.neutral`), and the results are stored in `results`. Training is unaffected: weights, modes and random
    states are left unchanged.

    Args:
        trainer: The trainer whose model is measured: `trainer.add_callback(GenderscopeCallback(trainer, "gest"))`.
        measure: Name of the measure.
        every: Number of training steps between measurements.
        out: Folder for the runs, with one subfolder per step; by default, runs are not saved.
        tokenizer: The model's tokenizer, if the trainer has none.
        options: The measure's own options, such as `data="starter"` or `limit=200`.
    """

    def __init__(
        self,
        trainer: "Trainer",
        measure: str,
        every: int = 500,
        out: str | Path | None = None,
        tokenizer: Any = None,
        **options: Any,
    ) -> None:
        if every < 1:
            raise UserError(f"'every' is {every}; it must be at least 1.")
        parse_options(measure_type(measure), dict(options))
        self.trainer, self.measure, self.every, self.options = trainer, measure, every, options
        self.out = None if out is None else Path(out)
        self.tokenizer: Any = tokenizer if tokenizer is not None else trainer.processing_class
        if self.tokenizer is None:
            raise UserError("The trainer has no processing_class; pass tokenizer=… to the callback.")
        self.results: dict[int, Result] = {}  # results by step

    def on_train_begin(self, args: Any, state: "TrainerState", control: Any, **kwargs: Any) -> None:
        """Measure the model before the first step."""
        if getattr(self.trainer, "is_fsdp_enabled", False) or getattr(self.trainer, "is_deepspeed_enabled", False):
            raise UserError(
                "The trainer shards the weights across processes (FSDP or DeepSpeed), so no process has a whole model "
                "to measure; measure saved checkpoints with 'genderscope run' instead."
            )
        self._measure(state)

    def on_step_end(self, args: Any, state: "TrainerState", control: Any, **kwargs: Any) -> None:
        """Measure the model every `every` steps."""
        if state.global_step % self.every == 0:
            self._measure(state)

    def on_train_end(self, args: Any, state: "TrainerState", control: Any, **kwargs: Any) -> None:
        """Measure the trained model."""
        self._measure(state)

    def _measure(self, state: "TrainerState") -> None:
        step = int(state.global_step)
        if step in self.results or not state.is_world_process_zero:
            return
        model: Any = self.trainer.model
        with tempfile.TemporaryDirectory(prefix="genderscope-step-") as place:
            folder = Path(place) / "run" if self.out is None else self.out / f"{self.measure}-step-{step}"
            result = evaluate(self.measure, model, tokenizer=self.tokenizer, out=folder, **self.options)
        self.results[step] = result if self.out is not None else replace(result, folder=None)
        self.trainer.log({f"eval_{name}": value for name, value in numbers_of(result).items()})
