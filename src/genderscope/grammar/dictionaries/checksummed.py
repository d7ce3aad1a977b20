"""A checksum at the end of a file in the cache: a damaged file is noticed and made again, never believed."""

from __future__ import annotations

from hashlib import blake2b

SIZE = 16


def with_checksum(content: bytes) -> bytes:
    """The content with its checksum behind it."""
    return content + _checksum(content)


def without_checksum(content: bytes | memoryview) -> bytes | memoryview:
    """The content without its checksum; ValueError where the two do not fit."""
    body = content[:-SIZE]
    if _checksum(body) != bytes(content[-SIZE:]):
        raise ValueError("the file is not as it was written")
    return body


def _checksum(content: bytes | memoryview) -> bytes:
    return blake2b(content, digest_size=SIZE).digest()
