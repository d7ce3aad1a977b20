"""HTTP transport for OpenAI-compatible servers: requests, error handling and retries."""

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

from genderscope.core.errors import InfrastructureError, UserError
from genderscope.core.network import host_of, is_this_machine, require_connection, require_encryption
from genderscope.models.http.keys import (
    OPENAI_KEY,
    SERVER_HOSTS,
    SERVER_KEY,
    key_of,
    masked,
    server_key_names,
    without_secrets,
)
from genderscope.models.http.requests import MOST, NoAnswerError, RetryPolicy, TransientError, first_pause, retry_after
from genderscope.models.http.response_limits import ENCODINGS, LATE, TooLargeError, body_of, within
from genderscope.models.server.json_access import most_tokens, used_tokens
from genderscope.models.settings import RequestOptions

#: wait time in the body of an error from Google's APIs, which send no Retry-After header
RETRY_DELAY = re.compile(rb'"retryDelay":\s*"(\d+(?:\.\d+)?)s"')
#: transient status codes: the server is busy, starting or failing
PASSING = {408, 409, 425, 429}
#: seconds for a file's transfer, at least, and its maximum size
FILE_TIMEOUT, FILE_LIMIT = 900.0, 512 * 1024 * 1024
#: attempts for optional requests; if they all fail, the caller asks for less
FEW = 3


@dataclass(frozen=True)
class Access:
    """How requests are authenticated: environment variables to try for the key, its header, and further headers."""

    names: tuple[str, ...] = ()
    header: str = "Authorization"
    prefix: str = "Bearer "
    more: Mapping[str, str] = field(default_factory=dict)

    def headers(self, key: str | None) -> dict[str, str]:
        """Return the headers sent with every request."""
        shown = {self.header: f"{self.prefix}{key}"} if key else {}
        return {"Accept-Encoding": ENCODINGS, **self.more, **shown}


class RefusedError(Exception):
    """The server refused a request; `status` and `message` come from its response."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message


class TooLongError(RefusedError):
    """The server refused a request because its text is too long; other questions can still be answered."""


def refusal_of(status: int, message: str) -> RefusedError:
    """Return the refusal for a status and message, recognising texts that are too long."""
    words = message.casefold()
    about_length = any(sign in words for sign in ("context", "too long", "maximum", "tokens or less", "less than"))
    return (TooLongError if status in (400, 413, 422) and about_length else RefusedError)(status, message)


class Transport:
    """HTTP client for one server. Thread-safe."""

    def __init__(self, url: str, remote: RequestOptions, access: Access | None = None) -> None:
        self._address = url
        #: address shown in messages and run records
        self.url = without_secrets(url)
        self._who = f"The server at {self.url}"
        # Parse the host with httpx, which also sends the key, so that the key goes to exactly this host.
        at = httpx.URL(url)
        self._access = access or Access(server_key_names(at.scheme, at.host, remote.key_env))
        named_key = key_of(self._access.names)
        self._key = named_key[1] if named_key else None
        if named_key and not remote.allow_http:
            require_encryption(url, named_key[0], ", or pass --allow-http if you trust the network in between")
        self._patience = RetryPolicy(remote.retries, first_pause())
        self._timeout = remote.timeout
        self._remote = remote
        remote.require_prices("price_in", "price_out")
        headers = self._access.headers(self._key)
        # The number of threads limits concurrency; an abandoned request must not block another.
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=remote.concurrency or MOST)
        timeout = httpx.Timeout(remote.timeout, connect=min(10.0, remote.timeout))
        here = is_this_machine(at.host)  # unreachable through a proxy, which must not see the key either
        if not here:
            require_connection("socksio")
        # Redirects are not followed: they could carry the key and the texts to another address.
        try:
            self._client = httpx.Client(
                headers=headers,
                limits=limits,
                timeout=timeout,
                follow_redirects=False,
                verify=_certificates(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))
                if at.scheme == "https"
                else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
                trust_env=not here,
            )
        except (ValueError, ImportError, httpx.InvalidURL) as error:
            raise UserError(f"The environment's proxy settings are invalid ({error}); correct or unset them.") from None

    def post(self, path: str, body: dict[str, Any], most: int | None = None) -> dict[str, Any]:
        """Send a request and return its JSON response of at most `most` bytes, retrying transient failures."""
        return self._patience.call(lambda: self._once("POST", path, body, most), self._who)

    def if_possible(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any] | None:
        """Send a request that the server may not be able to handle; return None if it keeps failing."""
        few = RetryPolicy(min(FEW - 1, self._patience.retries), self._patience.first)
        try:
            return few.call(lambda: self._once(method, path, body), self._who)
        except (NoAnswerError, TooLargeError):
            return None

    def transfer(
        self, method: str, path: str, retries: int | None = None, most: int = FILE_LIMIT, **content: Any
    ) -> bytes:
        """Send a request that is not billed, such as a file or a status query; return the response's body."""
        seconds = max(self._timeout, FILE_TIMEOUT)

        def once() -> bytes:
            response, body = within(seconds, lambda: self._exchange(method, path, most, seconds, **content))
            self._check(response, body)
            return body

        policy = self._patience if retries is None else RetryPolicy(retries, self._patience.first)
        return policy.call(once, self._who)

    def require_listener(self) -> None:
        """Raise at once if nothing is listening at the address: the most common mistake, which no retry can fix."""
        try:
            within(self._timeout, self._reach)
        except httpx.ConnectError as error:
            raise InfrastructureError(
                f"No server responds at {self.url} ({self.clean(str(error))}); is it running, and is its URL correct?"
            ) from None
        except (httpx.HTTPError, TransientError):
            return  # something is listening; other failures are retried later

    def _reach(self) -> None:
        self._remote.spending.count_request(self._remote.max_requests)
        with self._client.stream("GET", f"{self._address}/models"):
            return

    def _once(self, method: str, path: str, body: dict[str, Any] | None, most: int | None = None) -> dict[str, Any]:
        remote = self._remote
        with remote.spending.reserved(remote.max_cost, remote.tokens_cost(*most_tokens(body))) as bill:
            remote.spending.count_request(remote.max_requests)
            response, content = within(self._timeout, lambda: self._exchange(method, path, most, json=body))
            if response.status_code >= 300:  # errors are not billed
                bill.cost = 0.0
            parsed = self._read(response, content)
            if (used := used_tokens(parsed)) is not None:
                bill.cost = remote.tokens_cost(*used)
            return parsed

    def _check(self, response: httpx.Response, content: bytes) -> None:
        """Raise for a response that reports a failure."""
        status = response.status_code
        if status in PASSING or (status >= 500 and status != 501):
            raise TransientError(f"HTTP {status}", _asked_to_wait(response, content))
        if status in (401, 403):
            raise UserError(self._forbidden(status))
        if 300 <= status < 400:
            raise UserError(self._sent_on(status, response.headers.get("Location", "")))
        if status >= 400:
            raise refusal_of(status, self._message(status, content))

    def _read(self, response: httpx.Response, content: bytes) -> dict[str, Any]:
        self._check(response, content)
        try:
            parsed = json.loads(content)
        except (ValueError, RecursionError):
            raise TransientError("its response is not complete JSON") from None
        if not isinstance(parsed, dict):
            raise TransientError("its response is not a JSON object")
        if parsed.get("error") and "choices" not in parsed:  # some servers report errors with a success status
            raise refusal_of(response.status_code, self._message(response.status_code, content))
        return parsed

    def _exchange(
        self, method: str, path: str, most: int | None, seconds: float | None = None, **content: Any
    ) -> tuple[httpx.Response, bytes]:
        end = time.monotonic() + (seconds or self._timeout)
        try:
            with self._client.stream(method, f"{self._address}{path}", **content) as response:
                encoding = response.headers.get("Content-Encoding")
                return response, body_of(response.iter_raw(), encoding, end, self._who, most)
        except httpx.TimeoutException:
            raise TransientError(LATE) from None
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            raise TransientError(f"the connection failed: {self.clean(str(error)) or type(error).__name__}") from None

    def _forbidden(self, status: int) -> str:
        # The body is not shown because some servers echo the key in it.
        names = " or ".join(self._access.names)
        if self._key:
            return f"{self._who} rejected the key in {names} (HTTP {status}); has it expired?"
        if not names:
            return f"{self._who} requires a key (HTTP {status}), but {SERVER_HOSTS} does not list its host; add it."
        wants = f"{self._who} requires a key (HTTP {status}); set {names}"
        if names == SERVER_KEY and os.environ.get(OPENAI_KEY):
            return f"{wants}. {OPENAI_KEY} is sent only to OpenAI's own host, over https."
        return f"{wants}, or name another variable with --key-env." if names == SERVER_KEY else f"{wants}."

    def _sent_on(self, status: int, location: str) -> str:
        to = self.clean(without_secrets(location.partition("?")[0])) or "another address"
        return (
            f"{self._who} redirects requests to {to} (HTTP {status}), and no key is sent there; "
            "if you trust that address, use it directly."
        )

    def _message(self, status: int, body: bytes) -> str:
        """Return the server's error message on one line."""
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
        """Shorten untrusted text to one line and mask the key."""
        return masked(text, [self._key] if self._key else [])


@cache
def _certificates(file: str | None, folder: str | None) -> ssl.SSLContext:
    """Return httpx's SSL context for the values of these environment variables; all clients share it."""
    try:
        return httpx.create_ssl_context()  # takes 20 ms
    except OSError as error:  # includes SSLError
        name, path = ("SSL_CERT_FILE", file) if file else ("SSL_CERT_DIR", folder)
        raise UserError(
            f"Cannot read the certificates in '{path}' ({error.strerror or error}); correct or unset {name}."
        ) from None


def _asked_to_wait(response: httpx.Response, content: bytes) -> float | None:
    """Return how many seconds a busy server asks clients to wait, in its header or, for Google, its error message."""
    told = RETRY_DELAY.search(content[:20_000])
    return retry_after(response.headers.get("Retry-After") or (told[1].decode() if told else None))


def server_url(reference: str) -> str:
    """Return the API's base URL; reject credentials in it, which would end up in the run's files."""
    if host_of(reference) is None:
        raise UserError("Write a server as server:http://localhost:8000/v1#MODEL, with http:// or https://.")
    parts = urlsplit(reference)
    if "@" in parts.netloc or parts.query:
        raise UserError(
            "The server's URL contains a password or a query; remove it and set the key in an environment "
            f"variable: {SERVER_KEY}, or {OPENAI_KEY} for OpenAI's own host."
        )
    path = parts.path.rstrip("/") or "/v1"
    url = f"{parts.scheme}://{parts.netloc}{path}"
    try:
        httpx.URL(url)
    except httpx.InvalidURL as error:
        raise UserError(f"'{without_secrets(url)}' is not a valid server URL ({error}).") from None
    return url
