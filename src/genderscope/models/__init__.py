"""Who is asked: one module per kind of model, opened by a model string."""
