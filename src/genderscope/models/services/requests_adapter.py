"""`requests` adapter for the sessions of the DeepL and Google clients."""

import time
from typing import Any

import requests
from requests.adapters import HTTPAdapter

from genderscope.models.http.options import RequestOptions
from genderscope.models.http.response_limits import ENCODINGS
from genderscope.models.services.http import whole


class BoundedAdapter(HTTPAdapter):
    """Session adapter that bounds the size and time of responses."""

    def __init__(self, who: str, remote: RequestOptions) -> None:
        super().__init__()
        self._who, self._remote = who, remote

    def send(self, request: requests.PreparedRequest, *arguments: Any, **options: Any) -> requests.Response:
        """Send a request and read its complete response within the limits."""
        self._remote.spending.count_request(self._remote)
        end = time.monotonic() + self._remote.timeout
        request.headers["Accept-Encoding"] = ENCODINGS
        response = super().send(request, *arguments, **{**options, "stream": True, "timeout": self._remote.timeout})
        return self.build_response(request, whole(response.raw, self._who, end))

    def mount_on(self, session: requests.Session) -> None:
        """Use this adapter for all of a session's requests."""
        for scheme in ("http://", "https://"):
            session.mount(scheme, self)
