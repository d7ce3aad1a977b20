"""GEST in machine translation."""
