"""Where questions come from: datasets, their loaders, the starter set."""

__all__ = ["dialogue", "fetch", "gest", "honest", "hurtlex", "limits", "pairs", "registry", "winobias", "wordfill"]
