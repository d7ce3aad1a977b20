"""Dictionaries of word forms and their traits."""
