"""Bounded urllib3 responses for the vendors' clients, without redirects."""

import io
from typing import Any

import urllib3

from genderscope.core.errors import UserError
from genderscope.models.http.response_limits import CHUNK, body_of
from genderscope.models.http.retry import TransientError

#: transport headers that no longer apply once a response has been read and decompressed
OF_THE_WIRE = ("content-encoding", "content-length", "transfer-encoding")


def whole(raw: Any, who: str, end: float) -> urllib3.HTTPResponse:
    """Read and decompress a complete response; it must arrive before `end` (monotonic clock)."""
    if 300 <= raw.status < 400:
        raw.close()
        raise UserError(
            f"{who} redirects requests to another address (HTTP {raw.status}), to which no key is sent; set "
            "the right endpoint, or unset the variable that names it."
        )
    try:
        body = body_of(raw.stream(CHUNK, decode_content=False), raw.headers.get("Content-Encoding"), end, who)
    except urllib3.exceptions.HTTPError as error:
        raise TransientError(f"the connection broke: {type(error).__name__}") from None
    finally:
        raw.close()
    headers = {name: value for name, value in raw.headers.items() if name.lower() not in OF_THE_WIRE}
    return urllib3.HTTPResponse(
        io.BytesIO(body), headers=headers, status=raw.status, reason=raw.reason, preload_content=False
    )
