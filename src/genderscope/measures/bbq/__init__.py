"""BBQ: who did it, when nothing tells?"""
