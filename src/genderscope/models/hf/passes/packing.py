"""Packs short texts into rows of one width, side by side, each of which attends to itself only.

Attention works in tiles of some hundred tokens, so that a short text costs as much as several that share a tile.
"""

from collections import deque

import numpy as np

from genderscope.models.hf.passes.texts import Array, Texts

#: tokens in a row, unless a text has more
WIDTH = 128


def packed_width(longest: int) -> int:
    """Return the width of the rows for texts of up to this length; fast attention wants multiples of eight."""
    return max(WIDTH, -(-longest // 8) * 8)


def packed(lengths: Array, width: int) -> tuple[Array, Array]:
    """Return for every text its row and where in it the text begins; none is longer than a row.

    A row begins with the longest of the texts that are left and is filled up with the shortest.
    """
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
    """Return a length with room for longer texts than this: the next power of two."""
    return 1 << (longest - 1).bit_length()


def with_room(texts: Texts, most: int) -> Texts:
    """Add a text that is longer than all, as if they went on: what holds for it holds for those still to come."""
    k = int(np.argmax(texts.lengths))
    longest = texts[np.array([k])].ids
    size = min(most, roomy(len(longest)))
    if size <= len(longest):
        return texts
    body = np.resize(longest[1:-1] if len(longest) > 2 else longest, size - 2)
    longer = np.concatenate([longest[:1], body, longest[-1:]])
    return Texts(np.concatenate([texts.ids, longer]), np.append(texts.lengths, size))
