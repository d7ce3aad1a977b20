"""Size and time limits for responses to vendors' clients, and an adapter for `requests`; redirects are rejected."""

import io
import time
from typing import Any

import requests
import urllib3
from requests.adapters import HTTPAdapter

from genderscope.core.errors import UserError
from genderscope.models.http.response_limits import CHUNK, ENCODINGS, body_of
from genderscope.models.http.retry import TransientError
from genderscope.models.options import RequestOptions

#: transport headers that no longer apply once a response has been read and decompressed
OF_THE_WIRE = ("content-encoding", "content-length", "transfer-encoding")


def whole(raw: Any, who: str, end: float) -> urllib3.HTTPResponse:
    """Read and decompress a complete response; it must arrive before `end` (monotonic clock)."""
    if 300 <= raw.status < 400:
        raw.close()
        raise UserError(
            f"{who} redirects requests to another address (HTTP {raw.status}), and no key is sent there; "
            "set the right endpoint, or unset the variable that names it."
        )
    try:
        body = body_of(raw.stream(CHUNK, decode_content=False), raw.headers.get("Content-Encoding"), end, who)
    except urllib3.exceptions.HTTPError as error:
        raise TransientError(f"the connection failed: {type(error).__name__}") from None
    finally:
        raw.close()
    headers = {name: value for name, value in raw.headers.items() if name.lower() not in OF_THE_WIRE}
    return urllib3.HTTPResponse(
        io.BytesIO(body), headers=headers, status=raw.status, reason=raw.reason, preload_content=False
    )


class BoundedAdapter(HTTPAdapter):
    """Session adapter that bounds the size and time of responses."""

    def __init__(self, who: str, remote: RequestOptions) -> None:
        super().__init__()
        self._who, self._remote = who, remote

    def send(self, request: requests.PreparedRequest, *arguments: Any, **options: Any) -> requests.Response:
        """Send a request and read its complete response within the limits."""
        self._remote.spending.count_request(self._remote.max_requests)
        end = time.monotonic() + self._remote.timeout
        request.headers["Accept-Encoding"] = ENCODINGS
        response = super().send(request, *arguments, **{**options, "stream": True, "timeout": self._remote.timeout})
        return self.build_response(request, whole(response.raw, self._who, end))

    def mount_on(self, session: requests.Session) -> None:
        """Use this adapter for all of a session's requests."""
        for scheme in ("http://", "https://"):
            session.mount(scheme, self)
