from hypothesis import given
from hypothesis import strategies as st

from genderscope.models.packing import Pack

paths = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=6).map(tuple), min_size=1, max_size=12)


@given(paths)
def test_every_path_sees_itself_and_nothing_else(paths):
    pack = Pack()
    nodes = [pack.add(path) for path in paths]
    visible = pack.visible()
    for path, route in zip(paths, nodes, strict=True):
        assert tuple(pack.tokens[node] for node in route) == path
        assert [pack.depths[node] for node in route] == list(range(len(path)))
        for depth, node in enumerate(route):
            assert sorted(visible[node].nonzero()[0]) == sorted(route[: depth + 1])


@given(paths)
def test_a_common_beginning_is_stored_once(paths):
    pack = Pack()
    for path in paths:
        expected = len(pack.tokens) + pack.new_nodes(path)
        pack.add(path)
        assert len(pack.tokens) == expected
    assert len(pack.tokens) == len({path[: k + 1] for path in paths for k in range(len(path))})
