"""Size and time limits for responses, against endless data, zip bombs and very slow servers."""

import queue
import threading
import time
import zlib
from collections.abc import Callable, Iterable
from typing import TypeVar

from genderscope.core.errors import UserError
from genderscope.models.http.requests import TransientError

T = TypeVar("T")

#: Maximum bytes of a decompressed response; a list of all tokens in a 256,000-token vocabulary takes about 25 million.
LIMIT = 64 * 1024 * 1024
#: Maximum bytes of a chat reply; 100,000 tokens with every character escaped take less.
REPLY_LIMIT = 4 * 1024 * 1024
#: The only encodings requested and decompressed, as others can expand a few bytes without bound.
ENCODINGS = "gzip, deflate"
CHUNK = 64 * 1024
LATE = "the request timed out"


class TooLargeError(UserError):
    """The response is larger than any legitimate one."""


def body_of(chunks: Iterable[bytes], encoding: str | None, end: float, who: str, most: int | None = None) -> bytes:
    """Assemble and decompress a body of at most `most` bytes, which must be complete by `end` (monotonic clock)."""
    most = most or LIMIT
    unpack = _unpacker(encoding)
    body = bytearray()
    for chunk in chunks:
        if time.monotonic() > end:
            raise TransientError(LATE)
        body += unpack(chunk, most + 1 - len(body))
        if len(body) > most:
            raise TooLargeError(f"{who} sent a response larger than {most >> 20} MiB; is that the right address?")
    return bytes(body)


def _unpacker(encoding: str | None) -> Callable[[bytes, int], bytes]:
    packed = (encoding or "identity").strip().lower()
    if packed in ("", "identity"):
        return lambda chunk, _: chunk
    if packed not in ("gzip", "x-gzip", "deflate"):
        raise TransientError(f"its response is encoded as '{packed[:40]}', which was not requested")
    stream = zlib.decompressobj(zlib.MAX_WBITS | 32)  # handles both gzip and zlib

    def unpack(chunk: bytes, room: int) -> bytes:
        try:
            return stream.decompress(chunk, room)
        except zlib.error:
            raise TransientError("its response cannot be decompressed") from None

    return unpack


def within(seconds: float, call: Callable[[], T]) -> T:
    """Return the result of `call`, or raise `TransientError` after this many seconds in total.

    A client's own timeout is not enough, because it restarts with every byte received. A late thread is abandoned; it
    ends when the next part of the body arrives, or with the process.
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
        # The exception refers to this frame, which would keep the partial body alive until garbage collection.
        error = None
    return value  # type: ignore[return-value]
