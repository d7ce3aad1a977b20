"""The measure `mt-geneval`: see `measure.py`, and `card.md` for what it says."""
