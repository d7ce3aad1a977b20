"""Log ratios of two options and how far two computations of one may differ."""

TOLERANCE = 1e-3


def log_ratio(answer):
    return answer.scores[0] - answer.scores[1]
