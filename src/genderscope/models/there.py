"""Looks at what a model string names before anything large is imported: a mistake is told at once.

Only what is certain is refused here, in the words of the code that opens models; all else is left to that.
"""

import json
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from genderscope.errors import UserError
from genderscope.models.chat import chat_of, file_text
from genderscope.models.hf.files import PICKLES, adapter, located, model_files, pickled
from genderscope.models.hf.quantised import require_reader
from genderscope.models.http.keys import require_key
from genderscope.models.settings import Settings

#: services whose clients take long to import -> the client
CLIENTS = {"deepl": "deepl", "google": "google.cloud.translate_v2"}
#: and the vendor with the variables of which one must hold a key
KEYS = {
    "deepl": ("DeepL", "DEEPL_AUTH_KEY"),
    "google": ("Google Cloud Translation", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"),
}
TRANSFORMERS = ("torch", "transformers", "tokenizers", "safetensors")

#: classes of models that neither fill blanks nor translate, by the ends of their names
_NO_ANSWERS = re.compile(r".*(Classification|QuestionAnswering|MultipleChoice|NextSentencePrediction|Model)")
#: classes that do, though their names end likewise
_HEADS = ("HeadModel", "MTModel", "EncoderDecoderModel")

#: files of a folder that hold no part of a tokenizer
_NO_TOKENIZER = re.compile(r"(config|generation_config|.*\.index)\.json|.*\.(safetensors|bin)")


def require_there(scheme: str, reference: str, settings: Settings) -> None:
    """Refuse a model, device, precision or prompt that is not there."""
    settings.check_names()
    if scheme == "ct2" and _is_installed("ctranslate2"):
        require_ct2(reference)
    if scheme in KEYS and _is_installed(CLIENTS[scheme]):
        require_key(*KEYS[scheme])
    if scheme not in ("hf", "gguf", "smollm2"):
        return
    settings.require_driver()
    chat_of(settings.remote)
    if settings.remote.chat_template is not None:
        file_text(settings.remote.chat_template, "chat template")
    if scheme == "gguf":
        _require_gguf(reference)
    if scheme == "hf" and all(map(_is_installed, TRANSFORMERS)):
        _require_model(*located(reference, settings), settings)


def _is_installed(module: str) -> bool:
    """Tell whether a module can be found; only the packages around it are imported."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def require_ct2(reference: str) -> None:
    """Refuse what is no folder of CTranslate2's."""
    if not (Path(reference).expanduser() / "model.bin").is_file():
        raise UserError(f"'{reference}' is not a CTranslate2 model folder: it has no model.bin.")


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
        raise UserError(
            f"'{path}' cannot be read as a GGUF language model: it does not begin with GGUF's magic number."
        )


def _require_model(name: str, folder: Path, settings: Settings) -> None:
    """Refuse a folder that holds no model which could be asked."""
    files = model_files(folder)
    if (folder / "adapter_config.json").is_file():
        raise adapter(name)
    config = _config(name, folder)
    _require_kind(name, config)
    _require_sizes(name, config)
    if not settings.allow_pickle and not any(folder.glob("*.safetensors")) and any(folder.glob(PICKLES)):
        raise pickled(name)
    require_reader(name, folder)
    if all(_NO_TOKENIZER.fullmatch(path.name) for path in files):
        raise UserError(f"'{name}' has no readable tokenizer; add its tokenizer.json to the model's folder.")
    if not any(path.suffix in (".safetensors", ".bin") for path in files):
        raise UserError(f"'{name}' has no weights: put its *.safetensors files into the model's folder.")


def _config(name: str, folder: Path) -> dict[str, Any]:
    """Read config.json."""
    try:
        found = json.loads((folder / "config.json").read_bytes())
        reason = None if isinstance(found, dict) else "its config.json is not a JSON object"
    except FileNotFoundError:
        reason = "its folder has no config.json"
    except OSError as error:
        reason = f"its config.json cannot be read ({error.strerror})"
    except (ValueError, RecursionError):
        reason = "its config.json is not JSON"
    if reason is not None:
        raise UserError(f"'{name}' is not a model that transformers can open: {reason}.")
    return dict(found)


def _require_sizes(name: str, config: dict[str, Any]) -> None:
    """Refuse a configuration whose sizes no model can have; most architectures use one of these names."""
    for key in ("hidden_size", "n_embd", "d_model", "num_attention_heads", "n_head", "vocab_size"):
        value = config.get(key)
        is_size = isinstance(value, int) and not isinstance(value, bool) and value > 0
        if value is not None and not is_size and not isinstance(value, list):  # a list has one size per layer
            raise UserError(
                f"'{name}' is not a model that transformers can open: '{key}' in its config.json is {value!r}, which "
                "is not a positive whole number."
            )


def _require_kind(name: str, config: dict[str, Any]) -> None:
    kind, architectures = config.get("model_type"), config.get("architectures")
    if not (architectures is None or (isinstance(architectures, list) and all(map(_is_text, architectures)))):
        raise UserError(
            f"'{name}' is not a model that transformers can open: 'architectures' in its config.json is not a list of "
            "class names."
        )
    if isinstance(kind, str) and kind and not _is_registered(kind):
        raise UserError(
            f"'{name}' is not a model that transformers can open: the installed version knows no models of type "
            f"'{kind}'; a newer one may."
        )
    named = architectures[0] if isinstance(architectures, list) and architectures else ""
    if isinstance(named, str) and answers_nothing(named) and not config.get("causal"):
        raise UserError(
            f"'{name}' is a {named} model, which does not fill blanks or translate; "
            "use a masked, causal or translation model."
        )


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def answers_nothing(architecture: str) -> bool:
    """Tell whether the name of a class says that it can answer no question."""
    return _NO_ANSWERS.fullmatch(architecture) is not None and not architecture.endswith(_HEADS)


def _is_registered(kind: str) -> bool:
    """Tell whether transformers may know a type of models; its lists are searched as text, to import them is slow."""
    if "transformers" in sys.modules:  # then asking it costs nothing, and the caller may have registered more
        return True
    found = find_spec("transformers")
    lists = Path(found.origin).parent / "models" / "auto" if found is not None and found.origin else None
    if lists is None or not lists.is_dir():
        return True
    quoted = f'"{kind}"'.encode()
    return any(quoted in path.read_bytes() for path in lists.glob("*auto*.py"))
