"""GATE: people whose gender the English sentence does not reveal."""

__all__ = ["english", "own_sentences", "released_sentences", "sample"]
