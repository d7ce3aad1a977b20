"""The normalisers of vocabulary rows."""

import torch

#: On a processor so many rows at a time stay in its cache: several times as fast as all at once.
ROWS = 4


def log_normalisers(logits: torch.Tensor) -> torch.Tensor:
    """Return the log-sum-exp of each row."""
    if logits.device.type != "cpu":
        return logits.logsumexp(-1)
    return torch.cat([rows.logsumexp(-1) for rows in torch.split(logits, ROWS)])
