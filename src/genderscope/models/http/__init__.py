"""Shared code for models accessed over HTTP: keys, spending limits, retries, response limits and concurrency."""
