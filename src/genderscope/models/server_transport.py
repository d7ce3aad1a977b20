"""HTTP to an OpenAI-compatible server: one request, what its failures mean, and when to try again."""

import os
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import httpx

from genderscope.errors import UserError
from genderscope.models.patience import Patience, TransientError, retry_after
from genderscope.models.remote import Remote, first_pause

#: the first that is set is used
KEYS = ("GENDERSCOPE_API_KEY", "OPENAI_API_KEY")
#: statuses that may pass: the server is busy, starting, or in trouble
PASSING = {408, 409, 425, 429}


class RefusedError(Exception):
    """The server understood and says no: the status and its own words."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message

    @property
    def too_long(self) -> bool:
        """Whether this one text is longer than the model takes; then the others can still be asked."""
        words = self.message.casefold()
        return self.status in (400, 413) and ("context" in words or "too long" in words or "maximum" in words)


class Transport:
    """Requests to one server. Threads may share it."""

    def __init__(self, url: str, remote: Remote, patience: Patience | None = None) -> None:
        self.url = url
        self._key = _key()
        self._patience = patience or Patience(remote.retries, first_pause())
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        limits = httpx.Limits(max_connections=remote.concurrency, max_keepalive_connections=remote.concurrency)
        timeout = httpx.Timeout(remote.timeout, connect=min(10.0, remote.timeout), pool=None)
        self._client = httpx.Client(headers=headers, limits=limits, timeout=timeout)

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Send a request and return its JSON answer; tries again where that may help."""
        return self._patience.call(lambda: self._once("POST", path, body), f"The server at {self.url}")

    def get(self, path: str) -> dict[str, Any]:
        """Return the JSON at a path."""
        return self._patience.call(lambda: self._once("GET", path, None), f"The server at {self.url}")

    def knock(self) -> None:
        """Say so at once when nobody listens at all: the first thing to go wrong, and no retry mends it."""
        try:
            self._client.get(f"{self.url}/models")
        except httpx.ConnectError as error:
            raise UserError(
                f"Nothing answers at {self.url} ({self.clean(str(error))}); is the server running, and is that its URL?"
            ) from None
        except httpx.HTTPError:
            return  # it listens; other trouble is met with patience

    def _once(self, method: str, path: str, body: dict[str, Any] | None) -> dict[str, Any]:
        try:
            response = self._client.request(method, f"{self.url}{path}", json=body)
        except httpx.TimeoutException:
            raise TransientError("no answer in time") from None
        except httpx.HTTPError as error:
            raise TransientError(f"the connection broke: {self.clean(str(error)) or type(error).__name__}") from None
        status = response.status_code
        if status in PASSING or (status >= 500 and status != 501):
            raise TransientError(f"HTTP {status}", retry_after(response.headers.get("Retry-After")))
        if status in (401, 403):
            raise UserError(self._forbidden(status))
        if status >= 300:
            raise RefusedError(status, self._message(response))
        try:
            content = response.json()
        except ValueError:
            raise TransientError("its answer is no whole JSON") from None
        if not isinstance(content, dict):
            raise TransientError("its answer is no JSON object")
        return content

    def _forbidden(self, status: int) -> str:
        # The body is not shown: some servers repeat the key in it.
        names = " or ".join(KEYS)
        if self._key:
            return f"The server at {self.url} does not accept the key in {names} (HTTP {status}); is it expired?"
        return f"The server at {self.url} wants a key (HTTP {status}); put it into {names}."

    def _message(self, response: httpx.Response) -> str:
        """Return the server's own words, in one line."""
        try:
            content = response.json()
        except ValueError:
            content = response.text
        for name in ("error", "message", "detail"):
            if isinstance(content, dict) and content.get(name):
                content = content[name]
        return self.clean(str(content)) or f"HTTP {response.status_code}"

    def clean(self, text: str) -> str:
        """Make one short line of a text from outside, without the key."""
        if self._key:
            text = text.replace(self._key, "[key]")
        return " ".join(text.split())[:300]


def server_url(reference: str) -> str:
    """Return the base URL of the API; credentials in a URL would end up in the run, so they are refused."""
    parts = urlsplit(reference)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UserError("A server is named like server:http://localhost:8000/v1#MODEL, with http:// or https://.")
    if "@" in parts.netloc or parts.query:
        raise UserError(
            f"The server's URL holds a password or a query; leave it out and put the key into {' or '.join(KEYS)}."
        )
    path = parts.path.rstrip("/") or "/v1"
    return f"{parts.scheme}://{parts.netloc}{path}"


def _key() -> str | None:
    found = next((os.environ[name].strip() for name in KEYS if os.environ.get(name, "").strip()), None)
    if found is not None and not (found.isascii() and found.isprintable() and " " not in found):
        raise UserError(f"The key in {' or '.join(KEYS)} holds characters that no key has; set it again.")
    return found


Post = Callable[[str, dict[str, Any]], dict[str, Any]]
