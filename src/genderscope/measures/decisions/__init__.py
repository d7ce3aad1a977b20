"""Decisions about women and men, and the gender of invented characters."""
