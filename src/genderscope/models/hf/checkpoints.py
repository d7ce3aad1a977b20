"""Weights and tokenizers: loaded from a folder and verified, or brought by the caller and returned unchanged."""

import copy
import hashlib
import io
import json
import logging
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from transformers import AutoTokenizer

from genderscope.core.errors import UserError
from genderscope.models.digest import Contents
from genderscope.models.hf.model_files import quantisation_of
from genderscope.models.settings import DTYPES, Settings
from genderscope.util.memory_tuning import keep_freed

if TYPE_CHECKING:
    import torch


#: maximum number of tensors to name in an error message
NAMED = 3

#: weights that do not affect answers; e.g. a missing pooler is initialised randomly but never used
UNUSED = re.compile(r"(^|\.)(pooler|position_ids|token_type_ids|num_batches_tracked)(\.|$)")

#: buffers in older checkpoints: masks, positions and their sines, quantisation observers
LEFTOVER = re.compile(
    r"(^|\.)((attn|attention|crossattention)\.bias|masked_bias|causal_mask|position_ids|token_type_ids|inv_freq|version"
    r"|(cos|sin)_cached|embed_positions\.(weights|_float_tensor)|num_batches_tracked|_extra_state|pooler\..*"
    r"|activation_post_process\..*|\w+_scaling_factor|\w+_integer|x_min|x_max)$"
)

#: roles of special tokens in a tokenizer
ROLES = ("bos", "eos", "unk", "sep", "pad", "cls", "mask")


def load_weights(auto_class: Any, folder: Path, name: str, settings: Settings, contents: Contents) -> Any:
    """Load the model from its folder; raise `UserError` if it is unreadable, incomplete or changed."""
    spread: dict[str, Any] = {} if settings.device_map is None else {"device_map": settings.device_map}
    if not spread and quantisation_of(folder) is not None:  # quantised weights are placed on a device while loading
        spread = {"device_map": {"": settings.torch_device()}}
    try:
        with quiet():
            model, loading_info = auto_class.from_pretrained(
                folder,
                dtype=settings.torch_dtype(),
                trust_remote_code=False,
                use_safetensors=None if settings.allow_pickle else True,
                output_loading_info=True,
                ignore_mismatched_sizes=True,  # so that mismatches are reported; they are rejected below
                **spread,
            )
    except MemoryError:
        raise
    except Exception as error:  # transformers can raise any exception for invalid files and sizes
        raise UserError(f"The weights of '{name}' cannot be read: {one_line(error)}") from None
    require_whole(model, loading_info, name)
    contents.require_unchanged(name)
    keep_freed()  # called only now, because loading frees more memory than should be retained
    return (model if spread else model.to(settings.torch_device())).eval()


def input_device(model: Any) -> "torch.device":
    """Return the device for inputs; offloaded weights may be on the CPU or on disk until needed."""
    import torch

    places = [place for place in getattr(model, "hf_device_map", {}).values() if place not in {"cpu", "disk"}]
    spread = model.device.type == "meta"
    return torch.device(places[0] if places else "cpu") if spread else torch.device(model.device)


def require_whole(model: Any, loading_info: Mapping[str, Any], name: str) -> None:
    """Raise `UserError` unless the checkpoint matches the model exactly: missing weights would be random."""
    missing = sorted(key for key in loading_info["missing_keys"] if not UNUSED.search(key))
    if missing:
        prefix = _prefix(missing, loading_info["unexpected_keys"])
        where = f" (the file stores them as '{prefix}…'; save the model without that prefix)" if prefix else ""
        raise UserError(
            f"'{name}' is missing weights, which would be initialised randomly: {_listed(missing)}{where}"
            "; use a complete checkpoint that matches its config.json."
        )
    if sizes := sorted(
        f"{key} is {_size(is_)}, not {_size(asked)}" for key, is_, asked in loading_info["mismatched_keys"]
    ):
        raise UserError(
            f"'{name}' has weights whose sizes do not match its config.json: {_listed(sizes)}; "
            "use a configuration and weights from the same model."
        )
    if extra := sorted(_left_over(model, loading_info["unexpected_keys"])):
        raise UserError(
            f"'{name}' has weights that do not fit its config.json, so a different model would be measured: "
            f"{_listed(extra)}; use a configuration and weights from the same model."
        )


def _left_over(model: Any, unexpected: Iterable[str]) -> Iterator[str]:
    """Yield the unexpected weights that would affect answers: those in the body or in an existing layer.

    Heads for other tasks are outside the body; poolers and buffers are recognised by name.
    """
    prefix = model.base_model_prefix
    body = {name for name, _ in model.base_model.named_children()}
    layers = {name.rpartition(".")[0] for name, _ in model.named_parameters(remove_duplicate=False)} - {prefix}
    for key in unexpected:
        inside = key.removeprefix(f"{prefix}.").split(".")[0] in body
        above = accumulate(key.split(".")[:-1], "{}.{}".format)
        if (inside or not layers.isdisjoint(above)) and not LEFTOVER.search(key):
            yield key


def _prefix(missing: Iterable[str], unexpected: Iterable[str]) -> str:
    """Return the extra prefix of tensor names in the checkpoint, such as 'module.', if it explains missing weights."""
    names = set(missing)
    prefixes = {key.removesuffix(name) for key in unexpected for name in (key.partition(".")[2],) if name in names}
    return prefixes.pop() if len(prefixes) == 1 else ""


def _listed(items: list[str]) -> str:
    more = len(items) - NAMED
    return ", ".join(items[:NAMED]) + (f" and {more:,} more" if more > 0 else "")


def _size(shape: Iterable[int]) -> str:
    return " × ".join(map(str, shape)) or "one number"


def require_fitting(tokenizer: Any, model: Any, name: str, used: Iterable[str] = ()) -> frozenset[str]:
    """Raise `UserError` if the tokenizer has tokens without an embedding; surplus embeddings are just padding.

    Special tokens that occur only in texts that spell them out, such as image placeholders, may lack an embedding and
    are returned. `used` names special tokens that occur in questions.
    """
    rows = _rows(model)
    # Language models need the tokens that the tokenizer adds; translation models also need those for generation.
    roles = ROLES if model.config.is_encoder_decoder else ("mask", "unk") if _has_unknown(tokenizer) else ("mask",)
    needed = {getattr(tokenizer, f"{role}_token_id", None) for role in roles} | set(tokenizer("a")["input_ids"])
    needed.update(tokenizer.convert_tokens_to_ids(list(used)))
    added = getattr(tokenizer, "added_tokens_decoder", {})
    outside = {token: k for token, k in tokenizer.get_vocab().items() if k >= rows}
    spelled = {t for t, k in outside.items() if k in added and added[k].special and k not in needed}
    if misfits := sorted(outside.keys() - spelled, key=lambda token: outside[token]):
        raise UserError(
            f"The tokenizer of '{name}' does not fit the model, which has embeddings for {rows:,} tokens: "
            f"{_listed([f'{token!r} has id {outside[token]:,}' for token in misfits])}; "
            "use the tokenizer that the model was trained with."
        )
    return frozenset(spelled)


def _has_unknown(tokenizer: Any) -> bool:
    """Return whether encoding can produce the unknown token; byte-level tokenizers never do."""
    pieces = getattr(getattr(tokenizer, "backend_tokenizer", None), "model", None)
    return getattr(pieces, "unk_token", "unknown") is not None


def _rows(model: Any) -> int:
    """Return the number of tokens with an embedding and, unless the model is an encoder-decoder, an output row."""
    tables = [model.get_input_embeddings()]
    if not model.config.is_encoder_decoder:  # a translation model may have a separate output vocabulary
        tables.append(model.get_output_embeddings())
    sizes = [len(table.weight) for table in tables if getattr(getattr(table, "weight", None), "dim", int)() == 2]
    return min(sizes, default=int(model.config.get_text_config().vocab_size))


@contextmanager
def quiet() -> Iterator[None]:
    """Suppress progress bars and warnings from libraries; errors still raise exceptions."""
    logger = logging.getLogger("transformers")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with redirect_stderr(io.StringIO()):
            yield
    finally:
        logger.setLevel(level)


def one_line(error: BaseException) -> str:
    """Return an error message on one line, truncated to 300 characters."""
    return " ".join(str(error).split())[:300]


def count_parameters(auto_class: Any, config: Any) -> int:
    """Count the parameters of a model from its configuration alone."""
    import torch

    with quiet(), torch.device("meta"):
        model = auto_class.from_config(config, trust_remote_code=False)
        model.tie_weights()  # transformers 5.0 does not tie weights on the meta device
        return sum(p.numel() for p in model.parameters())


def keep_settings(model: Any) -> tuple[Any, ...]:
    """Register hooks that restore the checkpoint's attention type before every pass; return the hooks.

    BigBird switches to full attention for a short text and does not switch back, which would affect the next text.
    """
    submodules = (submodule for submodule in model.modules() if hasattr(submodule, "set_attention_type"))
    outermost = next(submodules, None)
    if outermost is None:
        return ()
    kind = outermost.attention_type
    return (outermost.register_forward_pre_hook(lambda module, _args: module.set_attention_type(kind)),)


def read_tokenizer(folder: Path, name: str) -> Any:
    """Load the tokenizer from a model folder; raise `UserError` if that fails."""
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
    except Exception as error:  # tokenizers can raise anything for a missing or broken file
        raise UserError(f"'{name}' has no readable tokenizer: {one_line(error)}") from None
    # Without tokenizer files, transformers creates an empty tokenizer instead of raising an error.
    if len(tokenizer) <= len(tokenizer.all_special_ids):
        raise UserError(f"'{name}' has no readable tokenizer; add its tokenizer files to the model's folder.")
    return tokenizer


def require_fast(tokenizer: Any, name: str) -> None:
    """Raise `UserError` unless the tokenizer is fast, i.e. has character offsets."""
    if not getattr(tokenizer, "is_fast", False):
        raise UserError(
            f"The tokenizer of '{name}' ({type(tokenizer).__name__}) is slow and gives no character offsets; "
            "use a model with a fast tokenizer (tokenizer.json)."
        )


def encode(tokenizer: Any, texts: Sequence[str]) -> list[Any]:
    """Encode texts without building unused output lists, which would take most of the time."""
    encodings: list[Any] = without_truncation(tokenizer).encode_batch(texts, add_special_tokens=True)
    return encodings


def without_truncation(tokenizer: Any) -> Any:
    """Return the backend tokenizer with truncation and padding disabled."""
    backend = tokenizer.backend_tokenizer
    # Set only if necessary: if another thread is using the tokenizer, both are disabled already.
    if backend.truncation is not None:
        backend.no_truncation()
    if backend.padding is not None:
        backend.no_padding()
    return backend


#: entries of a configuration that do not affect answers
_WITHOUT_EFFECT = {"_name_or_path", "transformers_version", "architectures", "use_cache"}


@dataclass(frozen=True)
class LoadedModel:
    """The caller's model and tokenizer."""

    model: Any
    tokenizer: Any

    @property
    def name(self) -> str:
        """The model's name: a hub id, the folder it was loaded from, or its class."""
        given = str(getattr(self.model.config, "_name_or_path", "") or "").rstrip("/\\")
        return (os.path.basename(given) if os.path.isabs(given) else given) or type(self.model).__name__  # noqa: PTH117, PTH119 - may not be a path

    @property
    def config(self) -> Any:
        """A copy of the configuration, with the model's actual class as its architecture."""
        config = copy.deepcopy(self.model.config)
        config.architectures = [type(self.model).__name__]
        return config

    def settings(self, device: str, dtype: str | None) -> Settings:
        """Return settings with the model's own precision and, unless another is given, its own device."""
        own = str(self.model.dtype).removeprefix("torch.")
        if own not in DTYPES:
            raise UserError(f"The model '{self.name}' has dtype {own}; convert it to one of {', '.join(DTYPES)} first.")
        if dtype not in {None, own}:
            raise UserError(
                f"The model '{self.name}' is loaded in {own}, but dtype is '{dtype}'; omit dtype or convert the "
                f"model first: model.to(torch.{dtype})."
            )
        if any(p.is_meta for p in self.model.parameters()):
            raise UserError(f"The model '{self.name}' has no weights in memory (device meta); load it first.")
        if device not in {"auto", str(self.model.device)} and getattr(self.model, "hf_device_map", None):
            raise UserError(
                f"The model '{self.name}' is spread across devices and cannot be moved to '{device}'; omit device."
            )
        return Settings(str(self.model.device) if device == "auto" else device, own)

    def digest(self) -> str:
        """Hash everything that determines answers: weights, configuration and tokenizer."""
        whole = hashlib.sha256()
        config = {k: v for k, v in self.model.config.to_dict().items() if k not in _WITHOUT_EFFECT}
        whole.update(json.dumps([type(self.model).__name__, config], sort_keys=True, default=str).encode())
        whole.update(_serialised(self.tokenizer))
        with torch.no_grad():
            for name, tensor in sorted(self.model.state_dict().items()):
                if not isinstance(tensor, torch.Tensor):
                    whole.update(f"{name}\0{tensor!r}\0".encode())
                    continue
                whole.update(f"{name}\0{tensor.dtype}\0{tuple(tensor.shape)}\0".encode())
                whole.update(tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().data)
        return whole.hexdigest()

    @contextmanager
    def in_use(self, device: torch.device) -> Iterator[None]:
        """Put the model into evaluation mode on this device, in its own precision; restore it afterwards."""
        model, before = self.model, self.model.device
        training = [(module, module.training) for module in model.modules()]
        moved = device != before
        try:
            model.eval()
            if moved:
                model.to(device)
            with torch.autocast(device.type, enabled=False):
                yield
        finally:
            if moved:
                model.to(before)
            for module, mode in training:
                module.training = mode


def unwrapped(model: Any) -> Any:
    """Return the transformers model inside wrappers for parallel training, compilation or adapters."""
    for name in ("module", "_orig_mod"):
        if isinstance(inner := getattr(model, name, None), torch.nn.Module):
            return unwrapped(inner)
    return model.get_base_model() if hasattr(model, "get_base_model") else model


def _serialised(tokenizer: Any) -> bytes:
    """Serialise a fast tokenizer without its truncation and padding settings, which the last call may have changed."""
    written: dict[str, Any] = json.loads(tokenizer.backend_tokenizer.to_str())
    parts = {key: value for key, value in written.items() if key not in {"truncation", "padding"}}
    special = {role: str(token) for role, token in tokenizer.special_tokens_map.items()}
    return json.dumps([parts, special, int(tokenizer.model_max_length)], sort_keys=True).encode()
