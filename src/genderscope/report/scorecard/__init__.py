"""Scorecards: on the terminal, as pages, and as Markdown, LaTeX, CSV, JSON and badges."""
