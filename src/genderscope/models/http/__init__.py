"""Shared by all models behind HTTP: options, keys, retries, response limits, concurrency."""
