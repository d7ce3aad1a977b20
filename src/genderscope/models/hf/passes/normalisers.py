"""Softmax normalisers of vocabulary rows."""

import torch

#: Rows per call on a CPU: they stay in its cache, which is several times faster than all rows at once.
ROWS = 4


def log_normalisers(logits: torch.Tensor) -> torch.Tensor:
    """Return the log-sum-exp of each row."""
    if logits.device.type != "cpu":
        return logits.logsumexp(-1)
    return torch.cat([rows.logsumexp(-1) for rows in torch.split(logits, ROWS)])
