"""GEST: gender-stereotypical reasoning of English language models."""
