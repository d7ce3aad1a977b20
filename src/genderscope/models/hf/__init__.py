"""Local language models, run with transformers."""

__all__ = ["smollm2"]
