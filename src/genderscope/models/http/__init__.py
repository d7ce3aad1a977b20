"""Shared code for models behind HTTP: options, keys, retries, response limits and concurrency."""
