"""Tokenizers: loading, validation and fast batch encoding."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from transformers import AutoTokenizer

from genderscope.core.errors import UserError
from genderscope.models.hf.weights import one_line


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
