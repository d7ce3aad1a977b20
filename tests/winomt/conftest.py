import pytest

from tests.support import miniature as made


@pytest.fixture
def miniature(tmp_path, monkeypatch):
    """Let the loaders read a miniature of the released data, so that these tests need no mirror."""
    return made.install(tmp_path / "mirror", monkeypatch)
