"""Translators that run here, and translations that exist already."""
