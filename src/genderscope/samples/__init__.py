"""Where questions come from: datasets, their loaders, the starter set."""

__all__ = [
    "dialogue",
    "eurogest",
    "fetch",
    "gender_pairs",
    "gest",
    "honest",
    "hurtlex",
    "mt_geneval",
    "parse_cache",
    "registry",
    "subsampling",
    "winobias",
    "wordfill",
]
