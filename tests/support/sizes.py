"""Sizes of windows and shards in tests of the engine."""

WINDOW = 40

#: of a window with 20 batches of two questions, for two workers
SHARD_QUESTIONS = 4
