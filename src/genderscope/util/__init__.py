"""General helpers, independent of measures: locks, lazy exports, child processes, memory, safe text."""

__all__ = [
    "child_process",
    "clock",
    "file_locks",
    "lazy_imports",
    "memory_tuning",
    "safe_text",
    "text_normalization",
]
