"""Model strings such as `hf:ID-or-path`, `gguf:FILE`, `file:PATH` or `smollm2`, and the opening of models.

A bare id or path means `hf:` or, for a GGUF file, `gguf:`. Early checks reject an unusable model, device or prompt
before torch or a client library is imported.
"""

import json
import re
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

from genderscope.core.errors import UserError, did_you_mean
from genderscope.core.plugins import Plugin, plugins
from genderscope.models.base import Model, Opening
from genderscope.models.chat import chat_of, file_text
from genderscope.models.hf.model_files import (
    PICKLES,
    find_folder,
    hub_queried_once,
    model_files,
    pickled,
    require_package,
    unsupported,
)
from genderscope.models.http.keys import require_key
from genderscope.models.settings import DEFAULTS, Remote, Settings

#: services whose client libraries are slow to import -> module, vendor, environment variables for the API key
CLIENTS = {
    "deepl": ("deepl", "DeepL", "DEEPL_AUTH_KEY"),
    "google": (
        "google.cloud.translate_v2",
        "Google Cloud Translation",
        "GOOGLE_API_KEY",
        "GOOGLE_APPLICATION_CREDENTIALS",
    ),
}
TRANSFORMERS = ("torch", "transformers", "tokenizers", "safetensors")

#: class names of models without a language-modelling head
_NO_HEAD = re.compile(r".*(Classification|QuestionAnswering|MultipleChoice|NextSentencePrediction|Model)")
#: suffixes of classes that do have such a head although `_NO_HEAD` matches them
_HEADS = ("HeadModel", "MTModel", "EncoderDecoderModel")

#: files in a model folder that do not belong to the tokenizer
_NO_TOKENIZER = re.compile(r"(config|generation_config|.*\.index)\.json|.*\.(safetensors|bin)")


def check_model(scheme: str, reference: str, settings: Settings) -> None:
    """Raise `UserError` if the model, device, precision or prompt is certain to be unusable."""
    settings.check_names()
    if scheme == "ct2" and _is_installed("ctranslate2") and not (Path(reference).expanduser() / "model.bin").is_file():
        raise UserError(f"'{reference}' is not a CTranslate2 model folder: it has no model.bin.")
    if scheme in CLIENTS and _is_installed(CLIENTS[scheme][0]):
        require_key(*CLIENTS[scheme][1:])
    if scheme not in ("hf", "gguf", "smollm2"):
        return
    settings.require_driver()
    chat_of(settings.remote)
    if settings.remote.chat_template is not None:
        file_text(settings.remote.chat_template, "chat template")
    if scheme == "gguf":
        _require_gguf(reference)
    if scheme == "hf" and all(map(_is_installed, TRANSFORMERS)):
        _check_folder(*find_folder(reference, settings), settings)


def _is_installed(module: str) -> bool:
    """Return whether a module is installed; imports only its parent packages."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _require_gguf(reference: str) -> None:
    path = Path(reference).expanduser()
    if not path.is_file():
        raise UserError(f"There is no GGUF file at '{reference}'.")
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise UserError(f"'{reference}' cannot be read: {error.strerror}.") from None
    if magic != b"GGUF":
        raise UserError(f"'{path}' cannot be read as a GGUF model: it does not start with the GGUF magic number.")


def _check_folder(name: str, folder: Path, settings: Settings) -> None:
    """Raise `UserError` unless the folder contains a language model or a translation model."""
    files = model_files(folder)
    if (folder / "adapter_config.json").is_file():
        raise UserError(
            f"'{name}' contains an adapter (adapter_config.json), not a complete model; merge it into its base model "
            "(PEFT: merge_and_unload, save_pretrained) and use the merged model's folder."
        )
    config = _read_config(name, folder)
    _check_architecture(name, config)
    _check_sizes(name, config)
    if not settings.allow_pickle and not any(folder.glob("*.safetensors")) and any(folder.glob(PICKLES)):
        raise pickled(name)
    require_package(name, folder)
    if all(_NO_TOKENIZER.fullmatch(path.name) for path in files):
        raise UserError(f"'{name}' has no readable tokenizer; add its tokenizer files to the model's folder.")
    if not any(path.suffix in (".safetensors", ".bin") for path in files):
        raise UserError(f"'{name}' has no weights; add its *.safetensors files to the model's folder.")


def _read_config(name: str, folder: Path) -> dict[str, Any]:
    """Read config.json; raise `UserError` if it is not a JSON object."""
    try:
        config = json.loads((folder / "config.json").read_bytes())
        reason = None if isinstance(config, dict) else "its config.json is not a JSON object"
    except FileNotFoundError:
        reason = "its folder has no config.json"
    except OSError as error:
        reason = f"its config.json cannot be read ({error.strerror})"
    except (ValueError, RecursionError):
        reason = "its config.json is not valid JSON"
    if reason is not None:
        raise _not_openable(name, reason)
    return dict(config)


def _not_openable(name: str, reason: str) -> UserError:
    return UserError(f"'{name}' is not a model that transformers can open: {reason}.")


def _check_sizes(name: str, config: dict[str, Any]) -> None:
    """Raise `UserError` for impossible sizes; most architectures use some of these keys."""
    for key in ("hidden_size", "n_embd", "d_model", "num_attention_heads", "n_head", "vocab_size"):
        value = config.get(key)
        is_size = isinstance(value, int) and not isinstance(value, bool) and value > 0
        if value is not None and not is_size and not isinstance(value, list):  # a list has one size per layer
            raise _not_openable(name, f"'{key}' in its config.json is {value!r}, not a positive integer")


def _check_architecture(name: str, config: dict[str, Any]) -> None:
    model_type, architectures = config.get("model_type"), config.get("architectures")
    is_list = isinstance(architectures, list) and all(isinstance(value, str) for value in architectures)
    if architectures is not None and not is_list:
        raise _not_openable(name, "'architectures' in its config.json is not a list of class names")
    if isinstance(model_type, str) and model_type and not _is_registered(model_type):
        raise _not_openable(name, f"the installed version does not support model type '{model_type}'; a newer one may")
    architecture = architectures[0] if architectures else ""
    if cannot_answer(architecture) and not config.get("causal"):
        raise unsupported(name, architecture)


def cannot_answer(architecture: str) -> bool:
    """Return whether a class name denotes a model without a language-modelling head."""
    return _NO_HEAD.fullmatch(architecture) is not None and not architecture.endswith(_HEADS)


def _is_registered(model_type: str) -> bool:
    """Return whether transformers may support a model type; searches its source, since importing it takes seconds."""
    if "transformers" in sys.modules:  # the caller may have registered additional types
        return True
    spec = find_spec("transformers")
    registries = Path(spec.origin).parent / "models" / "auto" if spec is not None and spec.origin else None
    if registries is None or not registries.is_dir():
        return True
    quoted = f'"{model_type}"'.encode()
    return any(quoted in path.read_bytes() for path in registries.glob("*auto*.py"))


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
    schemes = [*SCHEMES, *model_plugins()]
    if scheme not in schemes or scheme in BARE:
        forms = ", ".join(s if s in BARE else f"{s}:…" for s in schemes)
        raise UserError(
            f"Unknown model kind '{scheme}:' in '{spec}'; available: {forms}.{did_you_mean(scheme, schemes)}"
        )
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
