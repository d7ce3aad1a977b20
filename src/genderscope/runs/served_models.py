"""Models, other than the requested one, that a server named in its replies."""

from genderscope.core.errors import InfrastructureError
from genderscope.runs.result import Result

SERVED_BY = "served_by"  # entry of the model in run.json, and column of the rows
MOST = 3  # maximum number of names in a sentence


def other_models(result: Result) -> str | None:
    """Say which other models gave answers, according to the server, without a full stop; None if there are none."""
    model = result.config["model"]
    recorded = model.get(SERVED_BY, [])
    served = {str(name) for name in recorded} if isinstance(recorded, list) else set()
    if SERVED_BY in result.columns:
        served |= set(result.load_rows()[SERVED_BY].dropna().astype(str).unique())
    if not served:
        return None
    names = sorted(served)
    more = f" and {len(names) - MOST:,} others" if len(names) > MOST else ""
    listed = ", ".join(f"'{name}'" for name in names[:MOST]) + more
    return f"The server says that answers came from {listed}, not from the requested model ('{model['name']}')"


def require_requested_model(result: Result) -> None:
    """Raise if the server named another model than the requested one."""
    if (others := other_models(result)) is not None:
        raise InfrastructureError(f"{others}; correct the model's name, or leave out --require-model.")
