"""Packing of short texts into rows of equal width.

GPU attention works in tiles of about a hundred tokens, so a short text alone costs as much as several in one tile.
"""

from collections import deque

import numpy as np

from genderscope.models.hf.passes.texts import Array, Texts

#: tokens per row, unless a text is longer
WIDTH = 128


def packed_width(longest: int) -> int:
    """Return the row width for texts up to this length; fast attention requires a multiple of eight."""
    return max(WIDTH, -(-longest // 8) * 8)


def packed(lengths: Array, width: int) -> tuple[Array, Array]:
    """Return each text's row and first column; a row takes the longest remaining texts that fit, then the shortest."""
    left = deque(np.argsort(-lengths, kind="stable").tolist())
    sizes = lengths.tolist()
    rows, firsts = np.empty(len(sizes), dtype=np.int64), np.empty(len(sizes), dtype=np.int64)
    row = 0
    while left:
        used = 0
        for take, end in ((left.popleft, 0), (left.pop, -1)):
            while left and used + sizes[left[end]] <= width:
                text = take()
                rows[text], firsts[text] = row, used
                used += sizes[text]
        row += 1
    return rows, firsts


def roomy(longest: int) -> int:
    """Return the next power of two, to leave room for somewhat longer texts."""
    return 1 << (longest - 1).bit_length()


def with_room(texts: Texts, most: int) -> Texts:
    """Append a text longer than all others, so that a check also covers longer texts that come later."""
    k = int(np.argmax(texts.lengths))
    longest = texts[np.array([k])].ids
    size = min(most, roomy(len(longest)))
    if size <= len(longest):
        return texts
    body = np.resize(longest[1:-1] if len(longest) > 2 else longest, size - 2)
    longer = np.concatenate([longest[:1], body, longest[-1:]])
    return Texts(np.concatenate([texts.ids, longer]), np.append(texts.lengths, size))
