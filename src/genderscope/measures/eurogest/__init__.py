"""EuroGEST: gender-stereotypical reasoning of language models in thirty languages."""
