"""Weights & Biases logging, configured by WANDB_PROJECT, WANDB_ENTITY and WANDB_MODE."""

import re

import wandb

from genderscope.integrations.record import Record


def log(record: Record, step: int | None) -> str:
    """Log to the active W&B run, or to a new run."""
    open_already = wandb.run
    run = open_already or wandb.init(name=record.name, job_type="genderscope", settings=wandb.Settings(silent=True))
    try:
        run.config.update({**record.options, **record.tags}, allow_val_change=True)  # type: ignore[no-untyped-call]
        run.log(record.numbers, step=step)
        if record.files:
            artifact = wandb.Artifact(re.sub(r"[^\w.-]+", "-", record.name)[:100], type="genderscope")
            for file in record.files:
                artifact.add_file(str(file))
            run.log_artifact(artifact)
        where = str(run.dir if run.settings.mode == "offline" else run.url or run.name)
    finally:
        if not open_already:
            run.finish()
    return f"Weights & Biases run {where}"
