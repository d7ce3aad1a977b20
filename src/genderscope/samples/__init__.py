"""Where questions come from: datasets, their loaders, the starter set."""

__all__ = [
    "dialogue",
    "eurogest",
    "fetch",
    "gest",
    "honest",
    "hurtlex",
    "kept",
    "limits",
    "mt_geneval",
    "pairs",
    "registry",
    "winobias",
    "wordfill",
]
