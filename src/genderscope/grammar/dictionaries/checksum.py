"""Checksum appended to cached files, so that damaged files are detected and rebuilt."""

from hashlib import blake2b

SIZE = 16


def with_checksum(content: bytes) -> bytes:
    """Return the content followed by its checksum."""
    return content + _checksum(content)


def without_checksum(content: bytes | memoryview) -> bytes | memoryview:
    """Return the content without its checksum; raise ValueError if the checksum does not match."""
    body = content[:-SIZE]
    if _checksum(body) != bytes(content[-SIZE:]):
        raise ValueError("the file has changed since it was written")
    return body


def _checksum(content: bytes | memoryview) -> bytes:
    return blake2b(content, digest_size=SIZE).digest()
