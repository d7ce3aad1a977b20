"""Language models that run here, through transformers: how they are opened and asked."""

__all__ = ["smollm2"]
