"""Google Cloud Translation (Basic API, which needs no project) through its own client: `google`."""

import os
from collections.abc import Sequence
from typing import Any

import google.auth
import requests
from google.api_core.exceptions import GoogleAPICallError
from google.auth.api_key import Credentials
from google.auth.exceptions import GoogleAuthError, TransportError
from google.auth.transport.requests import AuthorizedSession, Request
from google.cloud import translate_v2

from genderscope.core.errors import UserError
from genderscope.models.http.requests import TransientError, retry_after
from genderscope.models.services.base import BoundedAdapter, Service, codes_of
from genderscope.models.settings import Settings


class Google(Service):
    """Google's neural translation."""

    vendor = "Google Cloud Translation"
    package = "google-cloud-translate"
    endpoint_variable = "GOOGLE_TRANSLATE_ENDPOINT"
    secrets = ("GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS")
    most_texts = 128
    most_size = 30_000

    def __init__(self, _reference: str, settings: Settings) -> None:
        super().__init__("google", settings.remote)
        remote = self.remote
        adapter = BoundedAdapter(self.vendor, remote)
        tokens = requests.Session()  # fetches short-lived tokens for a service account
        session = AuthorizedSession(_credentials(), auth_request=Request(tokens))  # type: ignore[no-untyped-call]
        for client in (tokens, session):
            adapter.mount_on(client)
        options = {"api_endpoint": self.endpoint.rstrip("/")} if self.endpoint else None
        self._client = translate_v2.Client(_http=session, client_options=options)

    def targets(self) -> set[str]:
        return {code for code in codes_of(self._client.get_languages(), "language") if len(code) == 2}

    def send(self, texts: Sequence[str], source: str, target: str) -> Sequence[object]:
        results = self._client.translate(list(texts), target_language=target, source_language=source, format_="text")
        return [result["translatedText"] for result in results]

    def trouble(self, error: Exception) -> TransientError | UserError | None:
        if isinstance(error, requests.JSONDecodeError):
            return None
        if isinstance(error, TransportError | requests.RequestException):
            return TransientError(f"the connection failed: {self.clean(error)[:120]}")
        if isinstance(error, GoogleAuthError):
            return self.key_refused()
        if isinstance(error, GoogleAPICallError):
            return self._refusal(error)
        return None

    def _refusal(self, error: Any) -> TransientError | UserError:
        status, message = int(error.code or 0), str(error.message)
        words = message.casefold().replace(" ", "")
        if "dailylimit" in words or "quotaexceeded" in words:
            return self.exhausted()
        if status == 429 or status >= 500 or "ratelimitexceeded" in words:
            headers = getattr(error.response, "headers", None) or {}
            return TransientError(f"HTTP {status}", retry_after(headers.get("Retry-After")), refused=True)
        if status in (401, 403) or "apikey" in words:
            return self.key_refused()
        return self.refused(status, message)


def _credentials() -> Any:
    key = os.environ.get("GOOGLE_API_KEY", "").strip()
    if key:
        return Credentials(key)  # type: ignore[no-untyped-call]
    try:
        return google.auth.default(scopes=translate_v2.Client.SCOPE)[0]
    except GoogleAuthError:
        raise UserError("GOOGLE_APPLICATION_CREDENTIALS does not name a usable credentials file.") from None
