"""The clients of DeepL and Google send through `requests`: an adapter for their sessions."""

import time
from typing import Any

import requests
from requests.adapters import HTTPAdapter

from genderscope.models.http.bounded import ENCODINGS
from genderscope.models.services.http import whole


class BoundedAdapter(HTTPAdapter):
    """Carries the requests of a session in place of its own adapter, and bounds their answers."""

    def __init__(self, who: str, seconds: float) -> None:
        super().__init__()
        self._who, self._seconds = who, seconds

    def send(self, request: requests.PreparedRequest, *arguments: Any, **options: Any) -> requests.Response:
        """Send a request and read all of its answer, as far as it may be read."""
        end = time.monotonic() + self._seconds
        request.headers["Accept-Encoding"] = ENCODINGS
        response = super().send(request, *arguments, **{**options, "stream": True, "timeout": self._seconds})
        return self.build_response(request, whole(response.raw, self._who, end))

    def mount_on(self, session: requests.Session) -> None:
        """Take over all requests of a session."""
        for scheme in ("http://", "https://"):
            session.mount(scheme, self)
