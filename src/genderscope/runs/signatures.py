"""Signature: a short string for papers that identifies how a number was obtained."""

from collections.abc import Mapping

from genderscope.version import __version__


def signature(
    measure: str, data: Mapping[str, object], model: Mapping[str, object], settings: Mapping[str, str], seed: int
) -> str:
    """Return measure, data, model, options, seed and version as `key:value` parts."""
    parts = {
        "data": f"{data['name']}@{str(data['sha256'])[:8]}",
        "model": f"{model['name']}@{model['fingerprint']}",
        **settings,
        "seed": seed,
        "version": __version__,
    }
    return "|".join([measure, *(f"{key}:{value}" for key, value in parts.items())])
