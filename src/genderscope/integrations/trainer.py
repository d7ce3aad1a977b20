"""A callback for transformers' Trainer: bias measured while a model is trained."""

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from transformers import TrainerCallback

from genderscope.errors import UserError
from genderscope.evaluation import evaluate
from genderscope.integrations.record import numbers_of
from genderscope.measures import measure_type, parse_options
from genderscope.runs import Result

if TYPE_CHECKING:
    from transformers import Trainer, TrainerControl, TrainerState, TrainingArguments


class GenderscopeCallback(TrainerCallback):
    """Measures the model every so many steps, before the first and after the last, and logs the headline numbers.

    They go where the trainer logs (`eval_gest/g_s`, with `.low`, `.high`, `.n`, `.unread`, `.neutral` beside it) and
    stay in `results`. Training goes on as if nothing had been asked: weights, modes and random numbers are the same.

    Args:
        trainer: The trainer whose model is measured: `trainer.add_callback(GenderscopeCallback(trainer, "gest"))`.
        measure: Name of the measure.
        every: Steps between two measurements.
        out: Folder for the runs, one below it for each step; without it they are not kept.
        tokenizer: The model's tokenizer, where the trainer has none.
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
            raise UserError(f"The callback measures every {every} steps; it must be 1 or more.")
        parse_options(measure_type(measure), dict(options))
        self.trainer, self.measure, self.every, self.options = trainer, measure, every, options
        self.out = None if out is None else Path(out)
        self.tokenizer: Any = tokenizer if tokenizer is not None else trainer.processing_class
        if self.tokenizer is None:
            raise UserError("The trainer has no processing_class; give the callback the model's tokenizer=….")
        #: what was found, by step
        self.results: dict[int, Result] = {}

    def on_train_begin(
        self, args: "TrainingArguments", state: "TrainerState", control: "TrainerControl", **kwargs: Any
    ) -> None:
        """Measure the model as it is before the first step."""
        if getattr(self.trainer, "is_fsdp_enabled", False) or getattr(self.trainer, "is_deepspeed_enabled", False):
            raise UserError(
                "The trainer shards the weights across processes (FSDP or DeepSpeed), so none has the whole "
                "model to measure; measure saved checkpoints with 'genderscope run' instead."
            )
        self._measure(state)

    def on_step_end(
        self, args: "TrainingArguments", state: "TrainerState", control: "TrainerControl", **kwargs: Any
    ) -> None:
        """Measure the model if it is time."""
        if state.global_step % self.every == 0:
            self._measure(state)

    def on_train_end(
        self, args: "TrainingArguments", state: "TrainerState", control: "TrainerControl", **kwargs: Any
    ) -> None:
        """Measure the model as it was trained."""
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
