"""Amazon Translate through boto3: `amazon`, with keys and region from the standard AWS environment variables."""

import os
import time
from collections.abc import Sequence
from typing import Any

import boto3
from botocore.awsrequest import AWSResponse
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError, NoRegionError

from genderscope.core.errors import UserError
from genderscope.models.http.keys import check_key
from genderscope.models.http.requests import FIRST, TransientError, retry_after
from genderscope.models.services.base import Service, codes_of, whole
from genderscope.models.settings import Settings

#: Amazon's error codes for an invalid key
KEY_CODES = ("expiredtoken", "unrecognizedclient", "invalidsignature", "accessdenied", "invalidclienttoken")
PASSING_CODES = ("throttl", "toomanyrequests", "internal", "serviceunavailable", "requestlimit")


class Amazon(Service):
    """Amazon's real-time translation, with one text per request."""

    vendor = "Amazon Translate"
    package = "boto3"
    endpoint_variable = "AWS_ENDPOINT_URL_TRANSLATE"
    secrets = ("AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID", "AWS_SESSION_TOKEN")
    most_texts = 1
    most_size = 10_000

    def __init__(self, _reference: str, settings: Settings) -> None:
        super().__init__("amazon", settings.remote)
        remote = self.remote
        for name in self.secrets:  # boto3 uses them unchanged, so even a trailing line break matters
            if key := os.environ.get(name):
                check_key(name, key)
        config = Config(
            retries={"total_max_attempts": 1},  # retries are handled by `RetryPolicy`
            connect_timeout=min(10.0, remote.timeout),
            read_timeout=remote.timeout,
            max_pool_connections=remote.concurrency or FIRST,
        )
        session = boto3.Session()
        region = session.region_name or os.environ.get("AWS_REGION")
        try:
            # boto3 itself reads the endpoint from `endpoint_variable`.
            self._client = session.client("translate", region_name=region, config=config)
        except NoRegionError:
            raise UserError("Amazon Translate needs a region; set AWS_DEFAULT_REGION, e.g. to eu-west-1.") from None
        except (BotoCoreError, ValueError) as error:
            raise UserError(f"Amazon's client cannot be initialised: {self.clean(error)}") from None
        credentials = session.get_credentials()
        if credentials is None:
            raise UserError("Amazon Translate needs keys; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.")
        secrets = (credentials.access_key, credentials.secret_key, credentials.token)
        self.more_secrets = tuple(key for key in secrets if key)
        # Other variables and AWS's configuration files can set an endpoint too; requests to it include a session token.
        self.require_encryption(self._client.meta.endpoint_url)
        self._client.meta.events.register("before-send.translate", self._exchange)

    def _exchange(self, request: Any, **_: Any) -> AWSResponse:
        """Send a request through the client's own session, bounding the response's size and time."""
        self.remote.spending.count_request(self.remote.max_requests)
        end = time.monotonic() + self.remote.timeout
        request.stream_output = True
        response = self._client._endpoint.http_session.send(request)
        answer = whole(response.raw, self.vendor, end)
        return AWSResponse(request.url, answer.status, answer.headers, answer)

    def size(self, text: str) -> int:
        return len(text.encode())

    def targets(self) -> set[str]:
        languages = self._client.list_languages(MaxResults=500)["Languages"]  # the list has about 75 entries
        return {code for code in codes_of(languages, "LanguageCode") if len(code) == 2}

    def send(self, texts: Sequence[str], source: str, target: str) -> Sequence[object]:
        def one(text: str) -> object:
            response = self._client.translate_text(Text=text, SourceLanguageCode=source, TargetLanguageCode=target)
            return response["TranslatedText"]

        return [one(text) for text in texts]

    def trouble(self, error: Exception) -> TransientError | UserError | None:
        if isinstance(error, NoCredentialsError):
            return self.key_refused()
        if isinstance(error, BotoCoreError):
            return TransientError(f"the connection failed: {self.clean(error)[:120]}")
        return self._refusal(error) if isinstance(error, ClientError) else None

    def _refusal(self, error: Any) -> TransientError | UserError:
        code = str(error.response.get("Error", {}).get("Code", "")).casefold()
        about = error.response.get("ResponseMetadata", {})
        status = int(about.get("HTTPStatusCode") or 0)
        if any(part in code for part in KEY_CODES):
            return self.key_refused()
        if status == 429 or status >= 500 or any(part in code for part in PASSING_CODES):
            wait = retry_after((about.get("HTTPHeaders") or {}).get("retry-after"))
            return TransientError(f"HTTP {status}", wait, refused=True)
        if "limitexceeded" in code and "textsize" not in code:
            return self.exhausted()
        return self.refused(status, error.response.get("Error", {}).get("Message", code))
