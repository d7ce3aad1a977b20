"""Modules that every layer uses: questions and answers, their journal codec, languages, errors, plugins, tables."""

__all__ = [
    "cautions",
    "errors",
    "exit_codes",
    "higher_layers",
    "journal_codec",
    "languages",
    "network",
    "plugins",
    "questions",
    "tables",
    "user_cache",
]
