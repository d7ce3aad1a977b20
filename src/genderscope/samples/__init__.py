"""Where questions come from: datasets, their loaders, the starter set."""
