"""Logs to MLflow, where MLFLOW_TRACKING_URI and MLFLOW_EXPERIMENT_NAME say; without them, to `mlruns` here."""

import os

import mlflow

from genderscope.integrations.record import Record


def log(record: Record, step: int | None) -> str:
    """Log into the active run, or into a new one."""
    if not (os.environ.get("MLFLOW_TRACKING_URI") or mlflow.is_tracking_uri_set()):  # type: ignore[no-untyped-call]
        mlflow.set_tracking_uri("mlruns")  # the default may be a database, which the client alone cannot open
    open_already = mlflow.active_run()
    run = open_already or mlflow.start_run(run_name=record.name)
    try:
        if not open_already or step is None:
            mlflow.log_params(record.options)
        mlflow.set_tags(record.tags)
        mlflow.log_metrics(record.numbers, step=step)
        for file in record.files:
            mlflow.log_artifact(str(file), artifact_path="genderscope")
    except BaseException:
        if not open_already:
            mlflow.end_run("FAILED")
        raise
    if not open_already:
        mlflow.end_run()
    return f"MLflow run {run.info.run_id} in {mlflow.get_tracking_uri()}"
