"""Estimates and how sure they are."""
