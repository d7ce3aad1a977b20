"""General helpers, independent of measures: locks, lazy exports, child processes, memory, safe text."""

__all__ = [
    "child_process",
    "clock",
    "file_locks",
    "garbage_collection",
    "lazy_exports",
    "malloc_tuning",
    "safe_text",
    "text_normalization",
]
