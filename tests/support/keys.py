"""A service key that is no real one, and a check that it is written nowhere."""

KEY = "sk-not-a-real-key-7f3a9"


def assert_nowhere(secret, folder):
    for path in folder.rglob("*"):
        assert not path.is_file() or secret.encode() not in path.read_bytes(), path
