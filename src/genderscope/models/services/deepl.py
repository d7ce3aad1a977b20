"""DeepL through its own client: `deepl`, with the key from DEEPL_AUTH_KEY."""

import os
from collections.abc import Sequence

import deepl
import deepl.http_client

from genderscope.core.errors import UserError
from genderscope.core.languages import LANGUAGES
from genderscope.models.http.requests import TransientError
from genderscope.models.services.base import BoundedAdapter, Service, codes_of
from genderscope.models.settings import Settings

#: targets for which DeepL requires a regional code
REGIONS = {code: language.deepl for code, language in LANGUAGES.items() if language.deepl}


class DeepL(Service):
    """DeepL's text translation."""

    vendor = "DeepL"
    package = "deepl"
    endpoint_variable = "DEEPL_SERVER_URL"
    secrets = ("DEEPL_AUTH_KEY",)
    most_texts = 50
    #: DeepL's limit is 128 KiB including the rest of the request
    most_size = 100 * 1024

    def __init__(self, _reference: str, settings: Settings) -> None:
        super().__init__("deepl", settings.remote)
        remote = self.remote
        # Retries are handled by `RetryPolicy`, so that all services count and report them in the same way.
        deepl.http_client.max_network_retries = 0
        deepl.http_client.min_connection_timeout = remote.timeout
        self._client = deepl.DeepLClient(os.environ["DEEPL_AUTH_KEY"].strip(), server_url=self.endpoint)
        # The client has no parameter for a custom adapter.
        BoundedAdapter(self.vendor, remote).mount_on(self._client._client._session)

    def size(self, text: str) -> int:
        return len(text.encode()) + 4

    def targets(self) -> set[str]:
        codes = codes_of(map(vars, self._client.get_target_languages()), "code")
        return {code for code in codes if len(code) == 2} | {two for two, code in REGIONS.items() if code in codes}

    def left(self) -> int | None:
        used = self._client.get_usage().character
        return used.limit - used.count if isinstance(used.limit, int) and isinstance(used.count, int) else None

    def send(self, texts: Sequence[str], source: str, target: str) -> Sequence[object]:
        results = self._client.translate_text(
            list(texts), source_lang=source.upper(), target_lang=REGIONS.get(target, target).upper()
        )
        return [result.text for result in (results if isinstance(results, list) else [results])]

    def trouble(self, error: Exception) -> TransientError | UserError | None:
        if isinstance(error, deepl.QuotaExceededException):
            return self.exhausted()
        if isinstance(error, deepl.AuthorizationException):
            return self.key_refused()
        if isinstance(error, deepl.ConnectionException):
            return TransientError(f"the connection failed: {self.clean(error)[:120]}")
        if isinstance(error, deepl.DeepLException):
            status = error.http_status_code or 0
            if status == 429 or status >= 500:
                return TransientError(f"HTTP {status}", refused=True)
            return self.refused(status, error)
        return None
