"""Base class for chat models accessed over HTTP; sends one request per reply and explains errors."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

from genderscope.core.errors import InfrastructureError, UserError
from genderscope.core.journal_codec import question_key
from genderscope.core.questions import Answer, Question, Reply, ReplyStart
from genderscope.models.base import Batch, IndependentModel, JobStore, Plan, ReplyModel
from genderscope.models.chat import chat_of
from genderscope.models.digest import short_hash
from genderscope.models.http.keys import without_secrets
from genderscope.models.http.requests import Growth, as_they_come
from genderscope.models.server.batches import BatchAPI, BatchJobs, MemoryStore, open_jobs
from genderscope.models.server.chat_client import ChatClient, in_words, sent_for
from genderscope.models.server.transport import Access, RefusedError, Transport
from genderscope.models.settings import Remote


class ChatModel(IndependentModel, ReplyModel):
    """Chat model accessed through an HTTP API; every question takes one or more requests."""

    #: scheme of the model string
    scheme: ClassVar[str]
    #: client for batch jobs; None if the API has none
    batch_api: ClassVar[type[BatchAPI] | None] = None
    _chat_client: ChatClient

    def __init__(self, name: str, address: str, model: str, remote: Remote, access: Access | None = None) -> None:
        super().__init__(name)
        self._address, self.model, self.remote = address, model, remote
        #: address shown in messages and run records
        self.url = without_secrets(address)
        self._transport = Transport(address, remote, access)
        self.chat = chat_of(remote)
        self._jobs: JobStore = MemoryStore()
        self.has_batches = self.batch_api is not None
        self._served_by: set[str] = set()

    @property
    def who(self) -> str:
        """The name by which messages refer to the server or vendor."""
        return f"The server at {self.url}"

    @property
    def fingerprint(self) -> str:
        # Everything else that determines a reply is part of the question, except for the weights, which are hidden.
        return short_hash(repr((self.scheme, self._address, self.model)))

    def describe(self) -> dict[str, Any]:
        return {
            **super().describe(),
            "url": self.url,
            "model": self.model,
            "method": f"replies (chat{', in batch jobs' if self.remote.batch else ''})",
            **({"served_by": sorted(self._served_by)} if self._served_by else {}),
        }

    def note_served_by(self, other: str | None) -> None:
        """Record that the server named another model than the requested one, and raise if the user forbids that."""
        if other is None:
            return
        self._served_by.add(other)
        if self.remote.require_model:
            raise InfrastructureError(
                f"{self.who} says that an answer came from '{other}', not from '{self.model}'; all answers so far are "
                "kept. Correct the model's name, or leave out --require-model."
            )

    def cautions(self) -> list[str]:
        return self._chat_client.cautions()

    def keep_jobs(self, store: JobStore) -> None:
        self._jobs = store

    def cost(self, questions: Sequence[Question]) -> str | None:
        asked = [sent for question in questions if (sent := sent_for(question)) is not None]
        return in_words(asked, self.remote)

    def load(self) -> None:
        self._transport.require_listener()

    def plan(self, questions: Sequence[Question], batch_size: int | None) -> Plan:
        if self.remote.batch:
            _require_replies(questions)
        elif waiting := open_jobs(self._jobs, self.fingerprint):
            raise UserError(
                f"This run has a batch job whose answers have not been fetched ('{waiting[0]}'); repeat the command "
                "with --batch, or ask everything again with --fresh."
            )
        else:
            with self._refusals_explained():
                self._chat_client.check(questions)
        # Prompts that begin alike are sent one after another, so that the server's prefix cache holds their beginning.
        numbered = sorted(enumerate(questions), key=lambda pair: _prompt_of(pair[1]))
        kinds = dict.fromkeys(map(type, questions))
        return Plan((), tuple(Batch.of([pair for pair in numbered if type(pair[1]) is kind], kind) for kind in kinds))

    def answer_in_parts(self, batch: Batch) -> Iterator[tuple[Batch, list[Answer]]]:
        with self._refusals_explained():
            yield from self._from_jobs(batch) if self.remote.batch else self._one_by_one(batch)

    def _from_jobs(self, batch: Batch) -> Iterator[tuple[Batch, list[Answer]]]:
        assert self.batch_api is not None
        api = self.batch_api(self._transport)
        jobs = BatchJobs(api, self._chat_client, self.remote, self._jobs, self.fingerprint, self.who)
        names = [question_key(self.fingerprint, question).hex() for question in batch.items]
        places = {name: place for place, name in enumerate(names)}
        for portion in jobs.answers(dict(zip(names, batch.items, strict=True))):
            for _, answer in portion:
                self.note_served_by(answer.served_by)
            yield batch.only([places[name] for name, _ in portion]), [answer for _, answer in portion]

    def _one_by_one(self, batch: Batch) -> Iterator[tuple[Batch, list[Answer]]]:
        def work(place: int) -> Answer:
            return self._answer(batch.items[place])

        limit = self.remote.concurrency or Growth(timeout=self.remote.timeout)
        for place, answer in as_they_come(range(len(batch.items)), work, limit):
            yield batch.only([place]), [answer]

    def _answer(self, question: Any) -> Answer:
        """Send the requests for one question."""
        answer = self._chat_client.reply(question)
        self.note_served_by(answer.served_by)
        return answer

    @contextmanager
    def _refusals_explained(self) -> Iterator[None]:
        """Convert a refusal into a `UserError`."""
        try:
            yield
        except RefusedError as refusal:
            raise UserError(
                f"{self.who} refused a request for model '{self.model}' (HTTP {refusal.status}): "
                f"{refusal.message.rstrip('.')}. All answers so far are kept."
            ) from None


def _require_replies(questions: Sequence[Question]) -> None:
    if not all(isinstance(question, Reply) for question in questions):
        raise UserError("--batch works only for replies of chat models (gest-chat, not --form letter); leave it out.")


def _prompt_of(question: Question) -> tuple[str, ...]:
    """Return the messages of a conversation; other questions keep their order."""
    messages = question.messages if isinstance(question, Reply | ReplyStart) else ()
    return tuple(message.content for message in messages)
