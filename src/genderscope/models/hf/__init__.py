"""Local language models, through transformers: how they are opened and asked."""

__all__ = ["smollm2"]
