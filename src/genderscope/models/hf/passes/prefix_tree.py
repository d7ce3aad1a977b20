"""Prefix trees of token sequences: shared prefixes are computed once and nothing is padded."""

from dataclasses import dataclass, field

import numpy as np

from genderscope.models.hf.passes.texts import Array, Texts


@dataclass
class Pack:
    """A forest of token prefixes, in insertion order (parents before children)."""

    tokens: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    _children: dict[tuple[int, int], int] = field(default_factory=dict)

    def add(self, path: tuple[int, ...]) -> list[int]:
        """Add a path and return its nodes, root first."""
        node = -1
        nodes = []
        for depth, token in enumerate(path):
            child = self._children.get((node, token))
            if child is None:
                child = len(self.tokens)
                self._children[(node, token)] = child
                self.tokens.append(token)
                self.parents.append(node)
                self.depths.append(depth)
            node = child
            nodes.append(node)
        return nodes


@dataclass(frozen=True)
class Forest:
    """Paths packed into rows: arrays [rows, nodes], and for every path its row and the nodes of its tokens.

    Within a row, node a is b or an ancestor of b if and only if a <= b < ends[a].
    """

    tokens: Array
    depths: Array
    ends: Array
    rows: Array
    nodes: Array


def forest(texts: Texts, width: int, least: int = 0) -> Forest:
    """Pack texts, as paths, into rows of about `width` nodes, padded to `least`; short rows are cheaper."""
    order = _longest_last(texts)
    ordered = texts[order]
    paths, lengths = ordered.table(), ordered.lengths
    # In this order, no earlier path shares a longer prefix with a path than its immediate predecessor does.
    row, first, common = _in_rows(lengths, ordered.in_common(), width)
    depth = np.arange(paths.shape[1])
    fresh = (depth >= common[:, None]) & (depth < lengths[:, None])
    node = first[:, None] + depth - common[:, None]
    used = np.zeros(row[-1] + 1, dtype=np.int64)
    np.maximum.at(used, row, first + lengths - common)
    # A node's descendants end at the next path that diverges at the node's depth or above.
    parts = np.where(common[:, None] <= depth, np.arange(len(paths))[:, None], len(paths))
    following = np.minimum.accumulate(np.vstack([parts[1:], np.full_like(depth, len(paths))])[::-1])[::-1]
    same_row = np.append(row, -1)[following] == row[:, None]
    end = np.where(same_row, np.append(first, 0)[following], used[row][:, None])

    # Fast GPU attention requires row lengths that are multiples of eight.
    shape = (len(used), max(least, -(-int(used.max()) // 8) * 8))
    tokens, depths = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    ends = np.broadcast_to(np.arange(1, shape[1] + 1), shape).copy()
    into = (np.broadcast_to(row[:, None], fresh.shape)[fresh], node[fresh])
    tokens[into], depths[into], ends[into] = paths[fresh], np.broadcast_to(depth, fresh.shape)[fresh], end[fresh]

    # A shared token's node is the last node that an earlier path created at the same depth.
    numbered = np.maximum.accumulate(np.where(fresh, row[:, None] * shape[1] + node, -1))
    back = np.argsort(order)
    return Forest(tokens, depths, ends, row[back], (numbered % shape[1])[back])


def _longest_last(texts: Texts) -> Array:
    """Return a depth-first order of the tree that ends with the longest text.

    The longest text then also ends furthest right in its row, so an exactness check needs only one probe.
    """
    order = texts.order()
    ordered = texts[order]
    longest, common = ordered.last_longest(), ordered.in_common()
    # The prefix that a text shares with the longest text is the shortest prefix shared by neighbours between them.
    before = np.minimum.accumulate(common[1 : longest + 1][::-1])[::-1]
    after = np.minimum.accumulate(common[longest + 1 :])
    shared = np.concatenate([before, texts.lengths.max(keepdims=True), after])
    return order[np.argsort(shared, kind="stable")]


def _in_rows(lengths: Array, common: Array, width: int) -> tuple[Array, Array, Array]:
    """Return each path's row, the index of its first new node, and the length of the prefix already in that row."""
    placed = []
    row = used = 0
    for length, shared in zip(lengths.tolist(), common.tolist(), strict=True):
        if used and used + length - shared > width:
            row, used = row + 1, 0
        placed.append((row, used, shared if used else 0))
        used += length - placed[-1][2]
    rows, firsts, commons = np.array(placed).T
    return rows, firsts, commons
