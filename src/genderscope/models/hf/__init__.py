"""Local language models via transformers."""

__all__ = ["smollm2"]
