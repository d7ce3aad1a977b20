"""Brings the weights of a transformers model into memory, on one device or spread over several."""

import io
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from pathlib import Path
from typing import Any

from safetensors import SafetensorError

from genderscope.errors import UserError
from genderscope.models.settings import Settings


def load_weights(auto_class: Any, folder: Path, name: str, settings: Settings) -> Any:
    """Return the model, ready to be asked; its `device` is where inputs go."""
    spread = {} if settings.device_map is None else {"device_map": settings.device_map}
    try:
        with quiet():
            model = auto_class.from_pretrained(
                folder,
                dtype=settings.torch_dtype(),
                trust_remote_code=False,
                use_safetensors=None if settings.allow_pickle else True,
                **spread,
            )
    except (OSError, ValueError, SafetensorError) as error:
        raise UserError(f"The weights of '{name}' cannot be read: {one_line(error)}") from None
    return (model if spread else model.to(settings.torch_device())).eval()


@contextmanager
def quiet() -> Iterator[None]:
    """Keep the libraries' own progress bars and remarks off the terminal; errors still surface as exceptions."""
    with redirect_stderr(io.StringIO()):
        yield


def one_line(error: BaseException) -> str:
    """Write what a library complains about in one line."""
    return " ".join(str(error).split())[:300]
