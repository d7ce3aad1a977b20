from hypothesis import given
from hypothesis import strategies as st

from genderscope.models.packing import Pack, forest

paths = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=6).map(tuple), min_size=1, max_size=12)


@given(paths, st.integers(1, 20))
def test_every_path_sees_itself_and_nothing_else(paths, width):
    packs, places = forest(paths, width)
    ends = [pack.ends() for pack in packs]
    for path, route in zip(paths, places, strict=True):
        [row] = {row for row, _ in route}
        nodes = [node for _, node in route]
        assert tuple(packs[row].tokens[node] for node in nodes) == path
        assert [packs[row].depths[node] for node in nodes] == list(range(len(path)))
        for depth, node in enumerate(nodes):
            visible = [a for a in range(node + 1) if node < ends[row][a]]
            assert visible == nodes[: depth + 1]


@given(paths, st.integers(1, 20))
def test_rows_keep_their_width(paths, width):
    packs, _ = forest(paths, width)
    assert all(len(pack.tokens) <= max(width, *map(len, paths)) for pack in packs)


@given(paths)
def test_a_common_beginning_is_stored_once(paths):
    pack = Pack()
    for path in paths:
        expected = len(pack.tokens) + pack.new_nodes(path)
        pack.add(path)
        assert len(pack.tokens) == expected
    assert len(pack.tokens) == len({path[: k + 1] for path in paths for k in range(len(path))})
