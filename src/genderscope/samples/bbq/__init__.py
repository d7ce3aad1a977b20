"""BBQ: who did it, if the text does not say?"""

__all__ = ["own_items", "released_items", "sample"]
