"""The vendors' clients use urllib3: its answers are read up to a size and a time, and no redirect is followed."""

import io
from typing import Any

import urllib3

from genderscope.errors import UserError
from genderscope.models.http.bounded import CHUNK, body_of
from genderscope.models.http.retry import TransientError

#: headers that are no longer true of an answer that was read and unpacked
OF_THE_WIRE = ("content-encoding", "content-length", "transfer-encoding")


def whole(raw: Any, who: str, end: float) -> urllib3.HTTPResponse:
    """Read an answer and return it as if it had come at once and unpacked; `end` is when it must be there."""
    if 300 <= raw.status < 400:
        raw.close()
        raise UserError(
            f"{who} redirects requests to another address (HTTP {raw.status}), where no key is sent unasked; "
            "name the right endpoint, or leave out the variable that names one."
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
