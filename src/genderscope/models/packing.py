"""Packs many token sequences into prefix trees: what they have in common is computed once and nothing is padded.

A pack is one row for the model: each node is a token, its position is its depth, and it may attend to itself and to its
ancestors only. Both templates of a sentence, and the beginnings that sentences share, then cost their tokens once.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt


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

    def visible(self) -> npt.NDArray[np.bool_]:
        """Return the matrix of who may attend to whom: row attends to column."""
        size = len(self.tokens)
        visible = np.zeros((size, size), dtype=np.bool_)
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                visible[node] = visible[parent]
            visible[node, node] = True
        return visible
