"""A transformers model that the caller has loaded: used as it is and returned unchanged."""

import copy
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch

from genderscope.core.errors import UserError
from genderscope.models.settings import DTYPES, Settings

#: entries of a configuration that do not affect answers
_NO_PART = {"_name_or_path", "transformers_version", "architectures", "use_cache"}


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
        config = {k: v for k, v in self.model.config.to_dict().items() if k not in _NO_PART}
        whole.update(json.dumps([type(self.model).__name__, config], sort_keys=True, default=str).encode())
        whole.update(_written(self.tokenizer))
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


def _written(tokenizer: Any) -> bytes:
    """Serialise a fast tokenizer without its truncation and padding settings, which the last call may have changed."""
    written: dict[str, Any] = json.loads(tokenizer.backend_tokenizer.to_str())
    parts = {key: value for key, value in written.items() if key not in {"truncation", "padding"}}
    special = {role: str(token) for role, token in tokenizer.special_tokens_map.items()}
    return json.dumps([parts, special, int(tokenizer.model_max_length)], sort_keys=True).encode()
