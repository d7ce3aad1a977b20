"""What everything behind HTTP shares: options, keys, retries, bounds, concurrency."""
