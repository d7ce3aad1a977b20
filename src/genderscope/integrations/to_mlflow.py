"""MLflow logging, configured by MLFLOW_TRACKING_URI and MLFLOW_EXPERIMENT_NAME."""

import os
from importlib.util import find_spec

import mlflow

from genderscope.integrations.record import Record


def log(record: Record, step: int | None) -> str:
    """Log to the active MLflow run, or to a new run."""
    _set_default_store()
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


def _set_default_store() -> None:
    """Log to the folder mlruns if no tracking URI is set and MLflow's database packages are missing."""
    chosen = os.environ.get("MLFLOW_TRACKING_URI") or mlflow.is_tracking_uri_set()  # type: ignore[no-untyped-call]
    if not chosen and find_spec("sqlalchemy") is None:
        os.environ.setdefault("MLFLOW_ALLOW_FILE_STORE", "true")
        mlflow.set_tracking_uri("mlruns")
