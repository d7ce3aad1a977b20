"""Limits the size and time of responses: a server may send endless data, a zip bomb, or one byte per minute."""

import queue
import threading
import time
import zlib
from collections.abc import Callable, Iterable
from typing import TypeVar

from genderscope.errors import UserError
from genderscope.models.http.retry import TransientError

T = TypeVar("T")

#: Bytes of a response after decompression; all next tokens of a vocabulary of 256,000 take about 25 million.
LIMIT = 64 * 1024 * 1024
#: The same for one chat reply: 100,000 tokens with every character escaped take less.
REPLY_LIMIT = 4 * 1024 * 1024
#: The only encodings that are requested and decompressed: others can expand without bound from a few bytes.
ENCODINGS = "gzip, deflate"
CHUNK = 64 * 1024
LATE = "no answer in time"


class TooLargeError(UserError):
    """A response is larger than any legitimate one."""


def body_of(chunks: Iterable[bytes], encoding: str | None, end: float, who: str, most: int | None = None) -> bytes:
    """Assemble and decompress a body of at most `most` bytes; `end` is when it must be complete (monotonic clock)."""
    most = most or LIMIT
    unpack = _unpacker(encoding)
    body = bytearray()
    for chunk in chunks:
        if time.monotonic() > end:
            raise TransientError(LATE)
        body += unpack(chunk, most + 1 - len(body))
        if len(body) > most:
            raise TooLargeError(f"{who} sends an answer of more than {most >> 20} MiB; is that the right address?")
    return bytes(body)


def _unpacker(encoding: str | None) -> Callable[[bytes, int], bytes]:
    packed = (encoding or "identity").strip().lower()
    if packed in ("", "identity"):
        return lambda chunk, _: chunk
    if packed not in ("gzip", "x-gzip", "deflate"):
        raise TransientError(f"its answer is encoded as '{packed[:40]}', which was not requested")
    stream = zlib.decompressobj(zlib.MAX_WBITS | 32)  # gzip and zlib alike

    def unpack(chunk: bytes, room: int) -> bytes:
        try:
            return stream.decompress(chunk, room)
        except zlib.error:
            raise TransientError("its answer cannot be decompressed") from None

    return unpack


def within(seconds: float, call: Callable[[], T]) -> T:
    """Return what `call` returns, or give up after this many seconds in all.

    A client's own timeout restarts with every byte received. The abandoned thread ends by itself: when the next part
    of a body comes too late, or with the process.
    """
    outcome: queue.SimpleQueue[tuple[T, None] | tuple[None, BaseException]] = queue.SimpleQueue()

    def work() -> None:
        try:
            outcome.put((call(), None))
        except BaseException as error:  # any exception is passed to the waiting thread
            outcome.put((None, error))

    threading.Thread(target=work, daemon=True).start()
    try:
        value, error = outcome.get(timeout=seconds)
    except queue.Empty:
        raise TransientError(LATE) from None
    try:
        if error is not None:
            raise error
    finally:
        error = None  # it refers to this frame, which would keep the unfinished body until garbage is collected
    return value  # type: ignore[return-value]
