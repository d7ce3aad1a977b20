"""Decisions about people and characters, from four of GenderBench's probes."""

__all__ = ["own_items", "prompts", "released_items", "sample"]
