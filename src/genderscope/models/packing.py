"""Packs many token sequences into prefix trees: what they have in common is computed once and nothing is padded.

A pack is a row for the model: each node is a token, its position is its depth, and it may attend to itself and to its
ancestors only. Both templates of a sentence, and the beginnings that sentences share, then cost their tokens once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Pack:
    """A forest of token prefixes, in the order in which the nodes were added (parents come first)."""

    tokens: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    _children: dict[tuple[int, int], int] = field(default_factory=dict)

    def new_nodes(self, path: tuple[int, ...]) -> int:
        """Count the nodes that adding this path would create."""
        node = -1
        for depth, token in enumerate(path):
            child = self._children.get((node, token))
            if child is None:
                return len(path) - depth
            node = child
        return 0

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

    def ends(self) -> list[int]:
        """Return for each node the number after its last descendant's, where paths were added in sorted order.

        Then a node's descendants follow it without a gap: node a is an ancestor of b if a <= b < ends[a].
        """
        ends = list(range(1, len(self.tokens) + 1))
        for node in range(len(ends) - 1, -1, -1):
            parent = self.parents[node]
            if parent >= 0 and ends[parent] < ends[node]:
                ends[parent] = ends[node]
        return ends


def forest(paths: Sequence[tuple[int, ...]], width: int) -> tuple[list[Pack], list[list[tuple[int, int]]]]:
    """Pack paths into rows of about `width` nodes; return the rows and each path's (row, node) places.

    Every node is compared with all of its row, so one long row would cost more than several short ones.
    """
    packs = [Pack()]
    places: list[list[tuple[int, int]]] = [[] for _ in paths]
    last: tuple[int, ...] = ()
    route: list[tuple[int, int]] = []
    for k in sorted(range(len(paths)), key=paths.__getitem__):
        # In sorted order, what a path shares with any path before it, it shares with the last one.
        path, pack = paths[k], packs[-1]
        common = length_in_common(last, path)
        if pack.tokens and len(pack.tokens) + len(path) - common > width:
            pack, common, route = Pack(), 0, []
            packs.append(pack)
        first, row = len(pack.tokens), len(packs) - 1
        fresh = range(first, first + len(path) - common)
        pack.parents += [route[common - 1][1] if common else -1, *fresh[:-1]] if fresh else []
        pack.tokens += path[common:]
        pack.depths += range(common, len(path))
        route = route[:common] + [(row, node) for node in fresh]
        places[k], last = route, path
    return packs, places


def length_in_common(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    """Return how many tokens two paths begin with alike."""
    for k, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return k
    return min(len(one), len(other))
