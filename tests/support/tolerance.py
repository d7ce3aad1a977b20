"""How far a float32 log-probability may be from its reference, which computes its softmax in float64.

Float32 logits are sums over hundreds of terms, in an order that differs between processors, matrix libraries and
batches. `benchmarks/exactness.py` measures what this does to SmolLM2: up to 7e-5 per token. The errors of a text's
tokens add up and need not cancel, so the tolerance of a sum grows with the number of its tokens.
"""

#: for one token, or for the ratio of two
PER_TOKEN = 1e-4


def of_sum(tokens):
    """Return the tolerance of a sum over this many tokens' log-probabilities."""
    return max(PER_TOKEN, tokens * PER_TOKEN / 4)
