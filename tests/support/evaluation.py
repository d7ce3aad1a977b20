"""Measures without writing a page, which takes longer than to ask a tiny model.

Pages are tested in `tests/report`, and every kind of model and measure with its page in `tests/test_matrix.py`.
"""

from functools import partial

import genderscope

evaluate = partial(genderscope.evaluate, report=False)
