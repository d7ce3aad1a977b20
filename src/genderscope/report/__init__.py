"""How a result is shown: terminal, figures, HTML."""
