import pytest


@pytest.fixture(autouse=True)
def own_cache():
    """Indexes of dictionaries take long to build: these tests use the user's cache, as a user would."""
