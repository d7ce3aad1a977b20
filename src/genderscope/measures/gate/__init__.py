"""GATE: the gender that machine translation gives people of unknown gender."""
