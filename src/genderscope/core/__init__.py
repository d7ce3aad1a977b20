"""Modules that every layer uses: questions and answers, their journal codec, languages, errors, plugins, tables."""

__all__ = [
    "errors",
    "exit_codes",
    "journal_codec",
    "languages",
    "network",
    "plugins",
    "questions",
    "tables",
    "user_cache",
]
