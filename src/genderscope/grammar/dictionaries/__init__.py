"""Dictionaries: what a word form can be."""
