"""A measure bound to a model, and the configuration of the run that this makes."""

import hashlib
import json
import platform
import re
from typing import Any

from genderscope import clock
from genderscope.errors import UserError
from genderscope.measures import AnyMeasure, Options, margins_of, measure_plugins
from genderscope.models import Model, Settings, any_model
from genderscope.plugins import installed
from genderscope.questions import ABILITY
from genderscope.runs import ASKED, STARTED, signature
from genderscope.version import __version__, version_of


class UnableError(UserError):
    """A kind of model does not answer what a measure asks."""


def bind(kind: type[AnyMeasure], options: Options, model: Model) -> AnyMeasure:
    """Make a measure ready to be put to a model."""
    require_able(kind, model)
    return kind(options, model)


def refuse_for_any(kind: type[AnyMeasure], options: Options, model: str, settings: Settings) -> None:
    """Refuse data and options that no model could be asked with, before this one is opened, which takes seconds.

    What a model that sees both sides of a blank is refused with, and one that sees one side too, has another reason.
    """
    told: list[Exception] = []
    for sees_after in (True, False):
        try:
            kind(options, any_model(model, settings, sees_after))
        except (UserError, ModuleNotFoundError) as error:
            told.append(error)
        except Exception:  # only the model itself can tell, or a plugin's measure that fails later
            return
        else:
            return
    if str(told[0]) == str(told[1]):
        raise told[0]


def require_able(kind: type[AnyMeasure], model: Model) -> None:
    """Refuse a kind of model that does not answer what the measure asks, in one sentence."""
    if missing := model.take_on(kind.asks):
        wanted = " and ".join(sorted(ABILITY[q] for q in missing))
        raise UnableError(
            f"'{model.name}' is a {model.kind} model, which does not {wanted}; '{kind.id}' needs one that does."
        )


def config_of(
    measure: AnyMeasure, options: Options, model: Model, batch_size: int | None, command: str | None
) -> dict[str, Any]:
    """Return what run.json holds before anything is asked."""
    described = model.describe()
    data = measure.data()
    configuration = {
        "measure": measure.id,
        "model": described["name"],
        "fingerprint": model.fingerprint,
        "data": data["name"],
        "data_sha256": data["sha256"],
        "batch_size": batch_size or "auto",
        **{k: list(v) if isinstance(v, tuple) else v for k, v in options.model_dump().items()},
    }
    settings = {**model.signature(), **measure.settings()}
    if batch_size is not None:  # it changes the last digits (float32 rounding); auto suits the device
        settings["batch"] = str(batch_size)
    if plugin := measure_plugins().get(measure.id):
        settings["plugin"] = plugin.origin
    sign = signature(measure.id, data, described, settings, options.seed)
    call = f"genderscope.evaluate({measure.id!r}, model={model.name!r}, …)"
    return {
        "signature": sign,
        "command": command or call,
        "configuration": configuration,
        "settings": measure.settings(),
        "data": data,
        "model": described,
        "citation": measure.citation,
        # Decides the wording but no number, so it is not part of the configuration.
        "margins": margins_of(type(measure), options),
        "versions": _versions(),
        # Neither do these find a run: the same command finds it on another day.
        STARTED: clock.now().isoformat(),
        ASKED: [],
    }


def _versions() -> dict[str, str]:
    found = {"genderscope": __version__, "python": platform.python_version()}
    packages = ("torch", "transformers", "tokenizers", "numpy", "pandas", "scipy")
    return found | {package: known for package in packages if (known := version_of(package))} | installed()


def folder_name(measure: str, config: dict[str, Any]) -> str:
    """Name the folder after the configuration: the same command finds the same run."""
    model = re.sub(r"[^A-Za-z0-9._-]+", "-", str(config["configuration"]["model"])).strip("-.") or "model"
    digest = hashlib.sha256(json.dumps(config["configuration"], sort_keys=True).encode()).hexdigest()[:8]
    return f"{measure}-{model[-60:]}-{digest}"
