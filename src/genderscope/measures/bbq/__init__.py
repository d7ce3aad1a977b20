"""BBQ: who did it, if the text does not say?"""
