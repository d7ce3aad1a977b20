from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers.integrations.sdpa_attention import sdpa_attention_forward

from genderscope.models.hf.passes.attention import Blocks
from genderscope.models.hf.passes.base import PACKED_ROW, PREFIX_TREE, TokenizedTexts
from genderscope.models.hf.passes.layouts import Pack, forest, groups

paths = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=6).map(tuple), min_size=1, max_size=12)


def packed(paths, width):
    return forest(TokenizedTexts.of(paths), width)


@given(paths, st.integers(1, 20))
def test_every_path_sees_itself_and_nothing_else(paths, width):
    made = packed(paths, width)
    for path, row, places in zip(paths, made.rows, made.nodes, strict=True):
        nodes = places[: len(path)].tolist()
        assert tuple(made.tokens[row, nodes]) == path
        assert made.depths[row, nodes].tolist() == list(range(len(path)))
        for depth, node in enumerate(nodes):
            visible = [a for a in range(node + 1) if node < made.ends[row, a]]
            assert visible == nodes[: depth + 1]


@given(paths, st.integers(1, 20))
def test_rows_keep_their_width(paths, width):
    most = max(width, *map(len, paths))
    made = packed(paths, width)
    assert made.tokens.shape[1] < most + 8
    assert all(max(nodes[: len(path)]) < most for path, nodes in zip(paths, made.nodes, strict=True))


@given(paths)
def test_in_one_row_every_common_beginning_stands_once(paths):
    made = packed(paths, 1000)
    beginnings = {path[: k + 1] for path in paths for k in range(len(path))}
    places = {node for path, nodes in zip(paths, made.nodes, strict=True) for node in nodes[: len(path)]}
    assert places == set(range(len(beginnings)))


@given(paths)
def test_a_longest_path_ends_furthest_in_its_row(paths):
    made = packed(paths, 1000)
    lengths = [len(path) for path in paths]
    ends = [nodes[length - 1] for length, nodes in zip(lengths, made.nodes, strict=True)]
    assert max(zip(ends, lengths, strict=True)) == (max(ends), max(lengths))


@given(paths, st.integers(1, 30))
def test_the_first_pass_over_a_tree_has_a_longest_text_and_is_the_largest(paths, tokens):
    texts = TokenizedTexts.of(paths)
    passes = list(groups(PREFIX_TREE, texts, tokens, None))
    assert sorted(np.concatenate(passes).tolist()) == list(range(len(paths)))
    # Counted as `groups` counts them: a prefix is shared with the neighbour only.
    nodes = [int((texts[chosen].lengths - texts[chosen].in_common()).sum()) for chosen in passes]
    assert nodes[0] == max(nodes)
    assert nodes[0] <= max(tokens, *map(len, paths))
    assert max(texts.lengths[passes[0]]) == max(texts.lengths)


@given(paths)
def test_a_common_beginning_is_stored_once(paths):
    pack = Pack()
    for path in paths:
        pack.add(path)
    assert len(pack.tokens) == len({path[: k + 1] for path in paths for k in range(len(path))})


@given(st.lists(st.integers(1, 40), min_size=1, max_size=60), st.integers(1, 100))
def test_no_row_is_wider_than_the_first_and_every_text_is_in_one(lengths, tokens):
    texts = TokenizedTexts.of([(0,) * length for length in lengths])
    rows = list(groups(PACKED_ROW, texts, tokens, None))
    assert sorted(np.concatenate(rows).tolist()) == list(range(len(lengths)))
    widths = [int(texts.lengths[row].sum()) for row in rows]
    assert widths[0] == max(widths)
    assert max(lengths) in texts.lengths[rows[0]]
    assert widths[0] <= max(tokens, *lengths) + 2 * max(lengths)


@pytest.mark.parametrize("width", [170, 10_000], ids=["several-rows", "one-row"])
def test_attention_in_blocks_is_attention_under_the_mask_of_the_tree(width):
    drawn = np.random.default_rng(0)
    made = packed([drawn.integers(0, 4, size).tolist() for size in drawn.integers(3, 14, 120)], width)
    rows, nodes = made.ends.shape
    place = np.arange(nodes)
    seen = (place[:, None] >= place) & (place[:, None] < made.ends[:, None])
    blocks = Blocks.of(made.ends, torch.float32)
    mask = blocks.whole
    assert torch.equal(mask == 0, torch.from_numpy(seen)[:, None])
    assert torch.all(mask[mask != 0] < -1e30)
    assert blocks.mask.shape[-1] < nodes / 2
    torch.manual_seed(0)
    query, key, value = (torch.randn(rows, heads, nodes, 8) for heads in (6, 2, 2))
    module: Any = SimpleNamespace(num_key_value_groups=3)
    for given_mask in (mask, torch.zeros_like(mask)):  # with another mask, every node is compared with every other
        expected, _ = sdpa_attention_forward(module, query, key, value, given_mask, scaling=0.4)
        found, _ = blocks.attend(module, query, key, value, given_mask, scaling=0.4)
        torch.testing.assert_close(found, expected, atol=1e-6, rtol=0)


def test_rows_that_are_one_long_text_are_not_cut_into_blocks():
    made = packed([tuple(range(300))], 10_000)
    assert Blocks.of(made.ends, torch.float32) is None
