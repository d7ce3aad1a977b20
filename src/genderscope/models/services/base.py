"""Base class for paid translation services: request limits, cost confirmation, retries and masking of secrets."""

import io
import os
import time
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Any, ClassVar, TypeVar

import requests
import urllib3
from requests.adapters import HTTPAdapter

from genderscope.core.errors import UserError
from genderscope.core.network import host_of, is_this_machine, require_connection, require_encryption, require_network
from genderscope.core.questions import Answer, Question, Translation, TranslationAnswer
from genderscope.models.base import Batch, IndependentModel, Plan, Translator
from genderscope.models.digest import short_hash
from genderscope.models.http.keys import masked, without_secrets
from genderscope.models.http.requests import FIRST, RetryPolicy, TransientError, as_they_come, confirm_cost, first_pause
from genderscope.models.http.response_limits import CHUNK, ENCODINGS, body_of, within
from genderscope.models.settings import RequestOptions

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


T = TypeVar("T")

NOT_WHOLE = "its response is incomplete"


class Service(IndependentModel, Translator):
    """Translation service accessed through its vendor's client."""

    kind = "translation service"
    announces_cost = True

    #: the vendor's name, the client's package, and the environment variable for a custom endpoint
    vendor: ClassVar[str]
    package: ClassVar[str]
    endpoint_variable: ClassVar[str]
    #: environment variables with secrets; their values are masked in every message
    secrets: ClassVar[tuple[str, ...]]
    #: secrets from other sources
    more_secrets: tuple[str, ...] = ()
    #: limits per request
    most_texts: ClassVar[int]
    most_size: ClassVar[int]

    def __init__(self, name: str, remote: RequestOptions) -> None:
        super().__init__(name)
        require_network(f"{self.vendor} is an online service")
        self.remote = remote
        self._assumed = False  # whether the service is not asked for its languages, as in a plan
        self.endpoint = os.environ.get(self.endpoint_variable) or None
        if self.endpoint and ("@" in self.endpoint or "?" in self.endpoint):
            raise UserError(f"{self.endpoint_variable} contains a password or a query; remove it.")
        if self.endpoint and host_of(self.endpoint) is None:
            raise UserError(f"{self.endpoint_variable} must begin with http:// or https:// and name a host.")
        self.require_encryption(self.endpoint)
        if not (self.endpoint and is_this_machine(host_of(self.endpoint) or "")):
            require_connection("socks")
        remote.require_prices("price")
        self._patience = RetryPolicy(remote.retries, first_pause())
        self._pairs: dict[tuple[str, str], None] = {}
        self._loaded = False
        self._texts_per_request = self.most_texts

    def require_encryption(self, endpoint: str | None) -> None:
        """Raise if the key would be sent to this endpoint over unencrypted HTTP."""
        if endpoint and not self.remote.allow_http:
            require_encryption(endpoint, self.secrets[0], ", or pass --allow-http if you trust the network in between")

    @abstractmethod
    def targets(self) -> set[str]:
        """Query the languages that the service translates into, as two-letter codes."""

    @abstractmethod
    def send(self, texts: Sequence[str], source: str, target: str) -> Sequence[object]:
        """Send one request and return the raw result for each text."""

    @abstractmethod
    def trouble(self, error: Exception) -> TransientError | UserError | None:
        """Convert a client's exception to `TransientError` or `UserError`; return None for other exceptions."""

    def size(self, text: str) -> int:
        """Return a text's size in the units of the request limit."""
        return len(text)

    def left(self) -> int | None:
        """Return how many characters the account may still translate; None if the service does not report this."""
        return None

    @property
    def fingerprint(self) -> str:
        return short_hash(f"{self.kind}|{self.vendor}|{self.endpoint}")

    def describe(self) -> dict[str, Any]:
        endpoint = self.endpoint and without_secrets(self.endpoint)
        return {**super().describe(), "endpoint": endpoint, "client": f"{self.package} {version(self.package)}"}

    def cautions(self) -> list[str]:
        return [f"{self.vendor} may change without notice; the signature records the date of the answers."]

    def check(self, source: str, target: str) -> None:
        self._pairs[source, target] = None  # checked against the service's own list on first use

    def assume_capabilities(self, earlier: Sequence[Mapping[str, Any]] = ()) -> str | None:
        self._assumed = True
        return f"{self.vendor} was not asked which languages it supports; --time asks it."

    def translates(self, source: str, targets: Sequence[str]) -> tuple[str, ...]:
        if self._assumed:
            return tuple(targets)
        supported = self.ask(self.targets)  # the service's own list, free of charge
        return self.targets_where(lambda _, target: target in supported, source, targets)

    def load(self) -> None:
        if self._loaded:
            return
        supported = self.ask(self.targets)
        for _, target in self._pairs:
            if target not in supported:
                raise UserError(
                    f"{self.vendor} does not support '{target}'; available: {', '.join(sorted(supported))}."
                )
        self._loaded = True

    def characters(self, questions: Sequence[Question]) -> int:
        return super().characters(self._sent(questions))

    def _sent(self, questions: Sequence[Question]) -> list[Translation]:
        """Return the questions that are sent to the service and billed."""
        return [q for q in questions if isinstance(q, Translation) and self._not_sent(q.text) is None]

    def _not_sent(self, text: str) -> str | None:
        """Return the reason why a text is not sent; None if it is sent."""
        if not text.strip():
            return "empty text"
        return f"longer than {self.vendor} accepts" if self.size(text) > self.most_size else None

    def announce(self, questions: Sequence[Question]) -> None:
        self.load()
        texts = self._sent(questions)
        characters = self.characters(questions)
        targets = ", ".join(dict.fromkeys(question.target for question in texts))
        left = self.ask(self.left)
        if isinstance(left, int) and characters > left:
            raise UserError(
                f"This run needs {characters:,} characters, but {self.vendor} allows only {left:,} more in this "
                "billing period; use --limit or wait for the next period."
            )
        price = self.remote.price
        cost = "" if price is None else f", about {self.remote.characters_cost(characters):,.2f} at the given price"
        confirm_cost(
            f"{self.vendor} will receive {characters:,} characters in {len(texts):,} texts (to {targets}){cost}.",
            self.remote.yes,
        )

    def plan(self, questions: Sequence[Question], batch_size: int | None) -> Plan:
        self._texts_per_request = min(batch_size or self.most_texts, self.most_texts)
        immediate: list[tuple[int, Answer]] = []
        pairs: dict[tuple[str, str], list[tuple[int, Translation]]] = {}
        for index, question in ((k, q) for k, q in enumerate(questions) if isinstance(q, Translation)):
            if (reason := self._not_sent(question.text)) is not None:
                immediate.append((index, TranslationAnswer(None, reason)))
            else:
                pairs.setdefault((question.source, question.target), []).append((index, question))
        return Plan(tuple(immediate), tuple(Batch.of(group, Translation) for group in pairs.values()))

    def answer_in_parts(self, batch: Batch) -> Iterator[tuple[Batch, list[Answer]]]:
        first: Translation = batch.items[0]

        def work(part: Batch) -> list[str | None]:
            return self.translate([question.text for question in part.items], first.source, first.target)

        for part, texts in as_they_come(list(self._requests(batch)), work, self.remote.concurrency or FIRST):
            yield part, [TranslationAnswer(text, None if text else "no translation was given") for text in texts]

    def _requests(self, batch: Batch) -> Iterator[Batch]:
        """Split a batch into requests within the service's limits."""
        places: list[int] = []
        size = 0
        for place, question in enumerate(batch.items):
            more = self.size(question.text)
            if places and (len(places) == self._texts_per_request or size + more > self.most_size):
                yield batch.only(places)
                places, size = [], 0
            places.append(place)
            size += more
        if places:
            yield batch.only(places)

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | None]:
        def call() -> list[str | None]:
            translations = self.send(texts, source, target)
            if len(translations) != len(texts):
                raise TransientError(NOT_WHOLE)
            return [text if isinstance(text, str) and text.strip() else None for text in translations]

        return self.ask(call, self.remote.characters_cost(sum(map(len, texts))))

    def ask(self, call: Callable[[], T], cost: float = 0.0) -> T:
        """Call the service with retries, converting the client's exceptions."""

        def attempt() -> T:
            with self.remote.spending.reserved(self.remote.max_cost, cost) as bill:
                try:
                    return within(self.remote.timeout, call)
                except Exception as error:
                    told = error if isinstance(error, TransientError | UserError) else self._told(error)
                if isinstance(told, UserError) or (isinstance(told, TransientError) and told.refused):
                    bill.cost = 0.0  # errors are not billed
                raise told

        return self._patience.call(attempt, self.vendor)

    def _told(self, error: Exception) -> Exception:
        """Convert any client exception to `TransientError` or `UserError`; clients do not validate responses."""
        if isinstance(error.__cause__, UserError | TransientError):  # our own error, wrapped by the client
            return error.__cause__
        try:
            told = self.trouble(error)
        except Exception:  # the error's content is untrusted too
            told = None
        return told or TransientError(NOT_WHOLE)

    def clean(self, text: object) -> str:
        """Shorten untrusted text to one line and mask secrets."""
        return masked(str(text), [*(os.environ.get(name, "") for name in self.secrets), *self.more_secrets])

    def refused(self, status: int, message: object) -> UserError:
        """Return the error for a permanently refused request."""
        return UserError(
            f"{self.vendor} refused a request (HTTP {status}): {self.clean(message)} All answers so far are kept."
        )

    def key_refused(self) -> UserError:
        """Return the error for a rejected key, omitting the service's message, which may repeat the key."""
        names = " or ".join(self.secrets)
        return UserError(f"{self.vendor} rejected the key in {names}; has it expired? All answers so far are kept.")

    def exhausted(self) -> UserError:
        """Return the error for an exhausted quota."""
        return UserError(
            f"Your {self.vendor} quota is used up; all answers so far are kept. "
            "Run the same command again once the quota resets."
        )


def codes_of(languages: Iterable[object], name: str) -> set[str]:
    """Return the lower-cased language codes in a service's list, read from the given attribute."""
    listed_codes = [language.get(name) for language in languages if isinstance(language, dict)]
    codes = {code.lower() for code in listed_codes if isinstance(code, str)}
    if not codes:
        raise TransientError("it returned no languages")
    return codes
