"""Model strings such as `hf:ID-or-path`, `gguf:FILE`, `file:PATH` or `smollm2`.

A bare id or path means `hf:` or, for a GGUF file, `gguf:`.
"""

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import cast

from genderscope.core.errors import UserError, did_you_mean
from genderscope.core.plugins import Plugin, plugins
from genderscope.models.base import Model, Opening
from genderscope.models.early_checks import TRANSFORMERS, check_model
from genderscope.models.hf.model_files import hub_queried_once
from genderscope.models.settings import DEFAULTS, Remote, Settings

#: scheme -> (factory, required pip extra, description); factories are imported on use
SCHEMES: dict[str, tuple[str, str, str]] = {
    "hf": (
        "genderscope.models.hf.model_classes:open_hf",
        "hf",
        "masked, causal or translation model: a folder or a Hugging Face hub id",
    ),
    "gguf": ("genderscope.models.hf.gguf.open:open_gguf", "hf", "causal model in a GGUF file"),
    "ct2": (
        "genderscope.models.translation.ctranslate2:Ct2Translator",
        "mt",
        "folder of a translation model in CTranslate2 format",
    ),
    "marian": (
        "genderscope.models.translation.marian:open_marian",
        "marian",
        "small Marian model: marian:en-pt, or a folder in Bergamot (Firefox) format",
    ),
    "apertium": (
        "genderscope.models.translation.apertium:open_apertium",
        "hf",
        "installed Apertium mode, e.g. apertium:eng-spa, or a chain: apertium:eng-spa+spa-ita",
    ),
    "file": (
        "genderscope.models.translation.file:open_file",
        "grammar",
        "translations in a file: CSV, TSV, JSONL, TMX or plain lines",
    ),
    "server": (
        "genderscope.models.server.model:open_server",
        "server",
        "model on an OpenAI-compatible server: server:URL#MODEL",
    ),
    "anthropic": (
        "genderscope.models.vendors.anthropic:AnthropicModel",
        "server",
        "Anthropic chat model; API key in ANTHROPIC_API_KEY",
    ),
    "gemini": (
        "genderscope.models.vendors.gemini:GeminiModel",
        "server",
        "Google chat model; API key in GEMINI_API_KEY or GOOGLE_API_KEY",
    ),
    "deepl": ("genderscope.models.services.deepl:DeepL", "deepl", "DeepL; API key in DEEPL_AUTH_KEY"),
    "google": (
        "genderscope.models.services.google:Google",
        "google",
        "Google Cloud Translation; credentials in GOOGLE_API_KEY or GOOGLE_APPLICATION_CREDENTIALS",
    ),
    "amazon": (
        "genderscope.models.services.amazon:Amazon",
        "amazon",
        "Amazon Translate; credentials in the standard AWS variables",
    ),
    "smollm2": (
        "genderscope.models.hf.smollm2:open_smollm2",
        "hf",
        "embedded SmolLM2-135M-Instruct; needs no model hub",
    ),
}

#: scheme -> required packages
NEEDED = {"hf": TRANSFORMERS, "gguf": TRANSFORMERS, "smollm2": TRANSFORMERS}

#: schemes that accept a path
PATHS = ("hf", "gguf", "ct2", "marian")

#: schemes without a reference after a colon
BARE = ("deepl", "google", "amazon", "smollm2")


def model_plugins() -> dict[str, Plugin]:
    """Return the model schemes provided by plugins; their factories have the same signature as those in `SCHEMES`."""
    return plugins("models", SCHEMES)


def split_spec(spec: str) -> tuple[str, str]:
    """Split a model string into scheme and reference."""
    if not spec.strip():
        raise UserError("The model string is empty; use, for example, --model smollm2 or --model hf:org/name.")
    if spec in BARE:
        return spec, ""
    match = re.match(r"([a-zA-Z][a-zA-Z0-9_+-]+):(.*)$", spec)
    if match is None or Path(spec).exists():
        if spec in SCHEMES and not Path(spec).exists():
            raise UserError(f"'{spec}' is a kind of model; name a model, for example {spec}:NAME.")
        return "gguf" if spec.lower().endswith(".gguf") and Path(spec).is_file() else "hf", spec
    scheme = match[1]
    known = [*SCHEMES, *model_plugins()]
    if scheme not in known or scheme in BARE:
        forms = ", ".join(s if s in BARE else f"{s}:…" for s in known)
        raise UserError(f"Unknown model kind '{scheme}:' in '{spec}'; available: {forms}.{did_you_mean(scheme, known)}")
    if not match[2].strip():
        raise UserError(f"No model name follows '{scheme}:'; write, for example, {scheme}:NAME.")
    return scheme, match[2]


def open_model(
    spec: str,
    device: str = "auto",
    dtype: str = "float32",
    beams: int = 4,
    remote: Remote | None = None,
    allow_pickle: bool = False,
    rehash: bool = False,
) -> Model:
    """Open the model named by a model string; its weights are loaded on first use."""
    scheme, reference = split_spec(spec)
    settings = Settings(device, dtype, beams, remote or DEFAULTS, allow_pickle, rehash)
    with hub_queried_once():
        check_model(scheme, reference, settings)
        opener = _built_in if scheme in SCHEMES else _brought
        model = opener(scheme, reference, settings)
    model.opening = SpecOpening(_anywhere(scheme, reference), settings)
    return model


def _built_in(scheme: str, reference: str, settings: Settings) -> Model:
    target, extra, _ = SCHEMES[scheme]
    module, function = target.split(":")
    try:
        # Checked first because without torch, transformers prints warnings and is only partially imported.
        missing = next((package for package in NEEDED.get(scheme, ()) if find_spec(package) is None), None)
        if missing is not None:
            raise ModuleNotFoundError(name=missing)
        factory = getattr(import_module(module), function)
    except ModuleNotFoundError as error:
        what = f"the package '{error.name}'" if error.name else "a package that is not installed"
        raise UserError(
            f"Model '{reference or scheme}' needs {what}; install it with: pip install 'genderscope[{extra}]'"
        ) from None
    return cast(Model, factory(reference, settings))


def _brought(scheme: str, reference: str, settings: Settings) -> Model:
    plugin = model_plugins()[scheme]
    if (settings.remote.max_requests, settings.remote.max_cost) != (None, None):
        raise UserError(f"Models from the plugin '{scheme}:' do not support --max-requests or --max-cost; omit them.")
    factory = plugin.load()
    try:
        model = factory(reference, settings)
    except UserError:
        raise
    except Exception as error:
        raise plugin.broken(f"{type(error).__name__}: {error}") from error
    if not isinstance(model, Model):
        raise plugin.broken(f"'{plugin.target}' returns {type(model).__name__}, not a genderscope.models.base.Model")
    return model


class SpecOpening(Opening):
    """A model string and the settings for opening it."""

    def require_there(self) -> None:
        """Raise `UserError` if the model cannot be opened, before any large import."""
        check_model(*split_spec(self.spec), self.settings)

    def open(self) -> Model:
        """Open the model."""
        return open_model(self.spec, **vars(self.settings))


def _anywhere(scheme: str, reference: str) -> str:
    """Return a model string that is valid in every working directory."""
    if scheme in BARE:
        return scheme
    path = Path(reference).expanduser()
    return f"{scheme}:{path.absolute() if scheme in PATHS and path.exists() else reference}"
