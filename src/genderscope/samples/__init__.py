"""Datasets, their loaders, and the starter set."""

__all__ = [
    "bbq",
    "decisions",
    "dialogue",
    "eurogest",
    "fetch",
    "gate",
    "gender_pairs",
    "gest",
    "honest",
    "hurtlex",
    "mt_geneval",
    "parse_cache",
    "registry",
    "subsampling",
    "winobias",
    "winomt",
    "wordfill",
]
