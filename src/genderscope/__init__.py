"""Genderscope measures gender bias in language models and machine translation."""

__version__ = "0.1.0"
