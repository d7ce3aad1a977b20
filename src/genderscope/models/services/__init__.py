"""Paid translation services."""
