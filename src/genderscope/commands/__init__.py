"""The larger groups of commands; `cli.py` puts them together."""
