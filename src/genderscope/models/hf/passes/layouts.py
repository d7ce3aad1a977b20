"""Layouts: arrangements of texts in the rows of forward passes."""

import math
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from genderscope.models.hf.passes.attention import Blocks, Ends
from genderscope.models.hf.passes.base import (
    ALONE,
    EQUAL_LENGTHS,
    PACKED_ROW,
    PACKED_ROWS,
    PREFIX_TREE,
    Array,
    LogitsModel,
    TokenizedTexts,
)

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


def with_room(texts: TokenizedTexts, most: int) -> TokenizedTexts:
    """Append a text longer than all others, so that a check also covers longer texts that come later."""
    k = int(np.argmax(texts.lengths))
    longest = texts[np.array([k])].ids
    size = min(most, roomy(len(longest)))
    if size <= len(longest):
        return texts
    body = np.resize(longest[1:-1] if len(longest) > 2 else longest, size - 2)
    longer = np.concatenate([longest[:1], body, longest[-1:]])
    return TokenizedTexts(np.concatenate([texts.ids, longer]), np.append(texts.lengths, size))


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


def forest(texts: TokenizedTexts, width: int, least: int = 0) -> Forest:
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


def _longest_last(texts: TokenizedTexts) -> Array:
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


#: maximum tokens per row of a prefix tree; attention is quadratic in the row length
ROW_TOKENS = 1024


def tree_width(longest: int, device: torch.device) -> int:
    """Return the maximum row width of a prefix tree, given the length of the longest text.

    A GPU processes many rows per pass, so sparsely filled rows cost little. On a GPU, all rows are padded to the
    maximum width, so that one exactness check covers them.
    """
    most = min(ROW_TOKENS, max(WIDTH, 4 * roomy(longest))) if device.type == "cuda" else ROW_TOKENS
    return -(-max(most, longest) // 8) * 8


@dataclass(frozen=True)
class ForwardPass:
    """The inputs of one forward pass and, for each text, its index, its row and the columns of its tokens."""

    inputs: dict[str, Any]
    texts: Array
    rows: Array
    columns: Array


def _as_tree(model: LogitsModel, texts: TokenizedTexts) -> Iterator[ForwardPass]:
    """Pack all texts into rows in which each shared prefix occurs once."""
    width = tree_width(int(texts.lengths.max()), model.device)
    made = forest(texts, width, width if model.device.type == "cuda" else 0)
    inputs: dict[str, Any] = {
        "input_ids": model.array(made.tokens),
        "position_ids": model.array(made.depths),
        "use_cache": False,
    }
    blocks = Blocks.of(made.ends, model.dtype) if model.device.type == "cpu" else None
    if blocks is not None:  # the mask is then built when the pass runs
        inputs["blocks"] = blocks
    else:
        inputs["attention_mask"] = _tree_mask(model.array(made.ends), model.dtype)
    yield ForwardPass(inputs, np.arange(len(texts)), made.rows, made.nodes)


def _tree_mask(ends: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Return the additive attention mask of a prefix tree: each node attends to itself and its ancestors."""
    place = torch.arange(ends.shape[1], device=ends.device)
    seen_by = (place[:, None] >= place) & (place[:, None] < ends[:, None])
    mask = torch.zeros(seen_by.shape, dtype=dtype, device=ends.device)
    return mask.masked_fill_(~seen_by, torch.finfo(dtype).min)[:, None]


def _in_one_row(model: LogitsModel, texts: TokenizedTexts) -> Iterator[ForwardPass]:
    """Concatenate all texts in one row; `ends` marks the boundaries."""
    depths = np.arange(len(texts.ids)) - np.repeat(texts.starts, texts.lengths)
    inputs = {
        "input_ids": model.array(texts.ids[None]),
        "position_ids": model.array(depths[None] + _first_position(model.model)),
        "ends": Ends(texts.lengths, model.array(np.append(0, texts.lengths.cumsum()).astype(np.int32))),
    }
    columns = texts.starts[:, None] + np.arange(int(texts.lengths.max()))
    yield ForwardPass(inputs, np.arange(len(texts)), np.zeros(len(texts), dtype=np.int64), columns)


def _in_segments(model: LogitsModel, texts: TokenizedTexts) -> Iterator[ForwardPass]:
    """Pack the texts into rows of equal width, separated by an attention mask."""
    width = packed_width(int(texts.lengths.max()))
    rows, firsts = packed(texts.lengths, width)
    depths = np.arange(len(texts.ids)) - np.repeat(texts.starts, texts.lengths)
    # Token ids, positions and text numbers are sent in one array, because every transfer to the GPU costs time. Padding
    # has text number 0, so texts do not attend to it.
    table = np.zeros((3, int(rows.max()) + 1, width), dtype=np.int32)
    flat = table.reshape(3, -1)
    into = np.repeat(rows * width + firsts, texts.lengths) + depths
    flat[0, into], flat[1, into] = texts.ids, depths
    flat[2, into] = np.repeat(np.arange(1, len(texts) + 1), texts.lengths)
    tokens, places, owners = model.array(table).unbind()
    mask = torch.zeros((*owners.shape, width), dtype=model.dtype, device=model.device)
    mask.masked_fill_(owners[:, :, None] != owners[:, None, :], torch.finfo(model.dtype).min)
    inputs = {
        "input_ids": tokens.long(),
        "position_ids": places.long() + _first_position(model.model),
        "attention_mask": mask[:, None],
    }
    yield ForwardPass(inputs, np.arange(len(texts)), rows, firsts[:, None] + np.arange(int(texts.lengths.max())))


def _first_position(model: Any) -> int:
    """Return the first position id: the padding token's id plus 1 in RoBERTa-like models, 0 in others."""
    embeddings = getattr(model.base_model, "embeddings", None)
    counts = hasattr(embeddings, "create_position_ids_from_input_ids")
    return int(embeddings.padding_idx) + 1 if counts else 0  # type: ignore[union-attr]


def _by_length(model: LogitsModel, texts: TokenizedTexts) -> Iterator[ForwardPass]:
    """Batch texts of equal length."""
    for length in np.unique(texts.lengths):
        yield _side_by_side(model, texts, np.flatnonzero(texts.lengths == length))


def _one_by_one(model: LogitsModel, texts: TokenizedTexts) -> Iterator[ForwardPass]:
    for number in range(len(texts)):
        yield _side_by_side(model, texts, np.array([number]))


def _side_by_side(model: LogitsModel, texts: TokenizedTexts, indices: Array) -> ForwardPass:
    """Batch texts of equal length, which need neither padding nor a mask."""
    table = texts[indices].ids.reshape(len(indices), -1)
    columns = np.broadcast_to(np.arange(table.shape[1]), table.shape)
    return ForwardPass({"input_ids": model.array(table)}, indices, np.arange(len(indices)), columns)


LAYOUTS: dict[str, Callable[[LogitsModel, TokenizedTexts], Iterator[ForwardPass]]] = {
    PREFIX_TREE: _as_tree,
    PACKED_ROW: _in_one_row,
    PACKED_ROWS: _in_segments,
    EQUAL_LENGTHS: _by_length,
    ALONE: _one_by_one,
}


def groups(
    layout: str, texts: TokenizedTexts, tokens: int, batch_size: int | None, most: int | None = None
) -> Iterator[Array]:
    """Yield the text indices of each pass: about `tokens` tokens or `batch_size` texts, but at most `most` texts."""
    for indices in _groups(layout, texts, tokens, batch_size):
        parts = -(-len(indices) // (most or len(indices)))
        size = -(-len(indices) // parts)
        yield from (indices[start : start + size] for start in range(0, len(indices), size))


def _groups(layout: str, texts: TokenizedTexts, tokens: int, batch_size: int | None) -> Iterator[Array]:
    if layout == PREFIX_TREE:
        yield from _beginning_alike(texts, tokens, batch_size)
    elif layout == PACKED_ROWS:
        yield from _filled(np.arange(len(texts)), texts.lengths, tokens, batch_size)
    elif layout == PACKED_ROW:
        # Texts of equal length share one attention call; the first row is the widest and contains the longest text.
        order = np.argsort(-texts.lengths, kind="stable")
        lengths = texts.lengths[order]
        whole = batch_size is None
        yield from _evenly_filled(order, lengths, tokens) if whole else _filled(order, lengths, tokens, batch_size)
    else:
        order = np.argsort(texts.lengths, kind="stable")
        cuts = np.flatnonzero(np.diff(texts.lengths[order])) + 1
        for alike in np.split(order, cuts):
            if len(alike):
                yield from _filled(alike, texts.lengths[alike], tokens, batch_size)


def _evenly_filled(order: Array, lengths: Array, tokens: int) -> Iterator[Array]:
    """Split texts of decreasing length into rows of about `tokens` tokens, none wider than the first."""
    ends = np.append(0, lengths.cumsum())
    rows = -(-int(ends[-1]) // max(tokens, int(lengths[0])))
    wide = ends[-1] / rows + lengths.mean()  # slack for texts that do not fit into the previous row
    stop = min(len(order), int(np.searchsorted(ends, wide)))
    start, wide = 0, ends[stop]
    while start < len(order):
        yield order[start:stop]
        start, stop = stop, int(np.searchsorted(ends, ends[stop] + wide, side="right")) - 1


def row_width(layout: str, texts: TokenizedTexts, device: torch.device) -> int:
    """Return the maximum row width in a pass over these texts."""
    longest = int(texts.lengths.max())
    if layout == PACKED_ROWS:
        return packed_width(longest)
    if layout == PACKED_ROW:
        return int(texts.lengths.sum())
    if layout != PREFIX_TREE:
        return longest
    widest = tree_width(longest, device)
    if device.type == "cuda":
        return widest
    ordered = texts[texts.order()]
    nodes = int((ordered.lengths - ordered.in_common()).sum())
    return -(-min(nodes, widest) // 8) * 8


def _filled(order: Array, lengths: Array, tokens: int, batch_size: int | None) -> Iterator[Array]:
    """Split texts, in the given order, into passes of at most `tokens` tokens and roughly equal size."""
    if batch_size is None:
        count = -(-int(lengths.sum()) // max(tokens, int(lengths.max())))
        batch_size = -(-len(order) // count)
        while batch_size > 1 and _most(lengths, batch_size) > max(tokens, int(lengths.max())):
            batch_size -= max(1, batch_size // 16)
    for start in range(0, len(order), batch_size):
        yield order[start : start + batch_size]


def _most(lengths: Array, size: int) -> int:
    return int(np.add.reduceat(lengths, np.arange(0, len(lengths), size)).max())


def _beginning_alike(texts: TokenizedTexts, tokens: int, batch_size: int | None) -> Iterator[Array]:
    """Yield groups of texts with shared prefixes; a shared token counts once.

    Without a batch size, passes are roughly equal in size, because small ones are inefficient. The first contains the
    longest text and is the largest, so that one exactness check suffices.
    """
    order = texts.order()
    order = np.roll(order, -texts[order].last_longest())
    if batch_size:
        yield from (order[start : start + batch_size] for start in range(0, len(order), batch_size))
        return
    yield from np.split(order, _even_cuts(texts[order], tokens))


def _even_cuts(texts: TokenizedTexts, tokens: int) -> list[int]:
    """Return the cuts between passes of at most `tokens` nodes and roughly equal size, the first being the largest."""
    shared = texts.in_common()
    nodes, length = int((texts.lengths - shared).sum()), float(texts.lengths.mean())
    passes = 1 if nodes <= tokens else math.ceil(nodes / max(tokens - length, length))
    cuts: list[int] = []
    for room in range(1, 5):  # slack for texts that do not fit and prefixes repeated in every pass
        cuts = _cuts(texts.lengths.tolist(), shared.tolist(), min(tokens, nodes / passes + room * length))
        if len(cuts) < passes:
            break
    return cuts


def _cuts(lengths: list[int], shared: list[int], most: float) -> list[int]:
    """Return the cuts between passes of at most `most` nodes, none larger than the first."""
    cuts: list[int] = []
    nodes = 0
    for k, (length, common) in enumerate(zip(lengths, shared, strict=True)):
        if nodes and nodes + length - common > most:
            most = most if cuts else min(most, nodes)
            cuts.append(k)
            nodes = length
        else:
            nodes += length - common
    return cuts
