"""HTTP to an OpenAI-compatible server: requests, the meaning of failures, and retries."""

import json
import os
import re
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import httpx

from genderscope.errors import UserError
from genderscope.models.http.bounded import ENCODINGS, TooLargeError, body_of, within
from genderscope.models.http.keys import key_of, masked
from genderscope.models.http.options import Remote, first_pause
from genderscope.models.http.retry import NoAnswerError, RetryPolicy, TransientError, retry_after

#: the first that is set is used
KEYS = ("GENDERSCOPE_API_KEY", "OPENAI_API_KEY")
#: how Google's APIs say in an error how long to wait, in place of a header
RETRY_DELAY = re.compile(rb'"retryDelay":\s*"(\d+(?:\.\d+)?)s"')
#: temporary statuses: the server is busy, starting, or failing
PASSING = {408, 409, 425, 429}
#: attempts for optional requests: a server that fails on one is asked for less
FEW = 3


@dataclass(frozen=True)
class Access:
    """How requests show a key: the variables that may hold it, the header, and what else every request carries."""

    names: tuple[str, ...] = KEYS
    header: str = "Authorization"
    prefix: str = "Bearer "
    more: Mapping[str, str] = field(default_factory=dict)

    def headers(self, key: str | None) -> dict[str, str]:
        """Return the headers of every request."""
        shown = {self.header: f"{self.prefix}{key}"} if key else {}
        return {"Accept-Encoding": ENCODINGS, **self.more, **shown}


class RefusedError(Exception):
    """The server refused a request: the status and its message."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message

    @property
    def too_long(self) -> bool:
        """Whether this text is too long for the model; the others can still be asked."""
        words = self.message.casefold()
        told = ("context", "too long", "maximum", "tokens or less", "less than")
        return self.status in (400, 413, 422) and any(each in words for each in told)


class Transport:
    """Requests to one server. Threads may share it."""

    def __init__(
        self, url: str, remote: Remote, patience: RetryPolicy | None = None, access: Access | None = None
    ) -> None:
        self.url = url
        self._who = f"The server at {url}"
        self._access = access or Access()
        self._key = key_of(self._access.names)
        self._patience = patience or RetryPolicy(remote.retries, first_pause())
        self._timeout = remote.timeout
        headers = self._access.headers(self._key)
        # The threads limit concurrency; an abandoned request must not keep another waiting.
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=remote.concurrency)
        timeout = httpx.Timeout(remote.timeout, connect=min(10.0, remote.timeout))
        # Redirects are not followed: they could carry the key and the texts to another address.
        self._client = httpx.Client(
            headers=headers, limits=limits, timeout=timeout, follow_redirects=False, verify=_trusted()
        )

    def post(self, path: str, body: dict[str, Any], most: int | None = None) -> dict[str, Any]:
        """Send a request and return its JSON answer of at most `most` bytes, with retries if they may help."""
        return self._patience.call(lambda: self._once("POST", path, body, most), self._who)

    def if_possible(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any] | None:
        """Send a request that may be too much for the server; None if it keeps failing."""
        few = RetryPolicy(min(FEW - 1, self._patience.retries), self._patience.first)
        try:
            return few.call(lambda: self._once(method, path, body), self._who)
        except (NoAnswerError, TooLargeError):
            return None

    def get(self, path: str) -> dict[str, Any]:
        """Return the JSON at a path."""
        return self._patience.call(lambda: self._once("GET", path, None), self._who)

    def knock(self) -> None:
        """Fail at once if nothing listens at the address: the most common mistake, which no retry fixes."""
        try:
            within(self._timeout, self._reach)
        except httpx.ConnectError as error:
            raise UserError(
                f"Nothing answers at {self.url} ({self.clean(str(error))}); is the server running, and is that its URL?"
            ) from None
        except (httpx.HTTPError, TransientError):
            return  # it listens; other failures are retried

    def _reach(self) -> None:
        with self._client.stream("GET", f"{self.url}/models"):
            return

    def _once(self, method: str, path: str, body: dict[str, Any] | None, most: int | None = None) -> dict[str, Any]:
        response, content = within(self._timeout, lambda: self._exchange(method, path, body, most))
        status = response.status_code
        if status in PASSING or (status >= 500 and status != 501):
            raise TransientError(f"HTTP {status}", _asked_to_wait(response, content))
        if status in (401, 403):
            raise UserError(self._forbidden(status))
        if 300 <= status < 400:
            raise UserError(self._sent_on(status, response.headers.get("Location", "")))
        if status >= 400:
            raise RefusedError(status, self._message(status, content))
        try:
            found = json.loads(content)
        except (ValueError, RecursionError):
            raise TransientError("its answer is not complete JSON") from None
        if not isinstance(found, dict):
            raise TransientError("its answer is not a JSON object")
        if found.get("error") and "choices" not in found:  # some servers refuse with a success status
            raise RefusedError(status, self._message(status, content))
        return found

    def _exchange(
        self, method: str, path: str, body: dict[str, Any] | None, most: int | None
    ) -> tuple[httpx.Response, bytes]:
        end = time.monotonic() + self._timeout
        try:
            with self._client.stream(method, f"{self.url}{path}", json=body) as response:
                encoding = response.headers.get("Content-Encoding")
                return response, body_of(response.iter_raw(), encoding, end, self._who, most)
        except httpx.TimeoutException:
            raise TransientError("no answer in time") from None
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            raise TransientError(f"the connection broke: {self.clean(str(error)) or type(error).__name__}") from None

    def _forbidden(self, status: int) -> str:
        # The body is not shown: some servers repeat the key in it.
        names = " or ".join(self._access.names)
        if self._key:
            return f"The server at {self.url} does not accept the key in {names} (HTTP {status}); is it expired?"
        return f"The server at {self.url} wants a key (HTTP {status}); put it into {names}."

    def _sent_on(self, status: int, location: str) -> str:
        to = self.clean(location.partition("?")[0]) or "another address"
        return (
            f"The server at {self.url} redirects requests to {to} (HTTP {status}), where no key is sent unasked; "
            "if you trust that address, name it in place of this one."
        )

    def _message(self, status: int, body: bytes) -> str:
        """Return the server's message on one line."""
        try:
            content = json.loads(body)
            for name in ("error", "message", "detail"):
                if isinstance(content, dict) and content.get(name):
                    content = content[name]
            said = str(content)
        except (ValueError, RecursionError):
            said = body.decode(errors="replace")
        return self.clean(said) or f"HTTP {status}"

    def clean(self, text: str) -> str:
        """Make one short line of untrusted text, without the key."""
        return masked(text, [self._key] if self._key else [])


def _trusted() -> ssl.SSLContext:
    """Return the certificates that httpx trusts in this environment; all clients share them."""
    return _read_certificates(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


@cache
def _read_certificates(_file: str | None, _folder: str | None) -> ssl.SSLContext:
    return httpx.create_ssl_context()  # takes 20 ms


def _asked_to_wait(response: httpx.Response, content: bytes) -> float | None:
    """Return the seconds that a busy server asks to wait, in its header or, as Google does, in its message."""
    told = RETRY_DELAY.search(content[:20_000])
    return retry_after(response.headers.get("Retry-After") or (told[1].decode() if told else None))


def server_url(reference: str) -> str:
    """Return the base URL of the API; refuse credentials in it, which would end up in the run's files."""
    parts = urlsplit(reference)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UserError("A server is named like server:http://localhost:8000/v1#MODEL, with http:// or https://.")
    if "@" in parts.netloc or parts.query:
        raise UserError(
            f"The server's URL contains a password or a query; leave it out and put the key into {' or '.join(KEYS)}."
        )
    path = parts.path.rstrip("/") or "/v1"
    return f"{parts.scheme}://{parts.netloc}{path}"
