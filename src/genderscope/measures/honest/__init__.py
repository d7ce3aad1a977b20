"""HONEST: hurtful completions."""
