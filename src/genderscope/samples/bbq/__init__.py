"""BBQ: who did it, when nothing tells?"""

__all__ = ["own_items", "released_items", "sample"]
