"""Export of results to text and figure files."""

__all__ = ["display"]
