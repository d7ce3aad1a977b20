"""A conversation as a chat model sees it: messages rendered with its chat template, in token ids."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from genderscope import clock
from genderscope.errors import UserError
from genderscope.models.chat import file_text
from genderscope.models.hf.template_clock import template_clock
from genderscope.models.hf.weights import one_line
from genderscope.questions import Message, Reply, ReplyStart

#: a template that ends like this has opened the model's reasoning
OPENS = ("<think>", "<thinking>", "<thought>", "<reasoning>")


@dataclass(frozen=True)
class Prompt:
    """The whole input of the model before its reply."""

    text: str
    ids: tuple[int, ...]
    tokenizer: Any = field(repr=False, compare=False)

    @property
    def thinking(self) -> bool:
        """Whether the model is to begin with its thoughts."""
        return self.text.rstrip().endswith(OPENS)

    def beginnings(self, starts: Sequence[str]) -> Iterator[tuple[int, ...]]:
        """Yield the tokens with which a reply begins as each of these texts."""
        for start in starts:
            whole = encoded(self.tokenizer, self.text + start)
            # Where the template's last token and the reply's first would be one, the model still begins anew.
            joined = whole[: len(self.ids)] == self.ids and len(whole) > len(self.ids)
            yield whole[len(self.ids) :] if joined else encoded(self.tokenizer, start)


class Conversation:
    """The chat template of a model: its own, or the one in the user's file."""

    def __init__(self, name: str, tokenizer: Any, file: str | None) -> None:
        self.name, self.tokenizer = name, tokenizer
        self._file = file
        #: the time for templates that contain the date: that of the run, so that a resumed one has the same prompts
        self.moment: datetime | None = None
        #: whether a template contained it
        self.dated = False

    @cached_property
    def template(self) -> str | None:
        """The template; None where the model has none."""
        if self._file is not None:
            return file_text(self._file, "chat template")
        if not self.tokenizer.chat_template:
            return None
        return str(self.tokenizer.get_chat_template())

    @property
    def digest(self) -> str:
        """A hash of the template."""
        return hashlib.sha256((self.template or "").encode()).hexdigest()

    def require(self) -> None:
        """Refuse a model whose chat template is missing or invalid, before anything is loaded."""
        if self.template is None:
            raise UserError(
                f"'{self.name}' has no chat template; if it is a chat model, pass --chat-template FILE, "
                "otherwise measure it with 'gest'."
            )
        self.render((Message("user", "Hello."),))

    def prompt(self, question: Reply | ReplyStart) -> Prompt:
        """Return what the model reads: the prompt of the question or, without one, its messages in the template."""
        text = question.prompt
        if text is None:
            text = self.render(question.messages, question.reasoning_effort)
        return Prompt(text, encoded(self.tokenizer, text), self.tokenizer)

    def _strftime_now(self, form: str) -> str:
        """Return the date of the run for a template."""
        self.dated = True
        return (self.moment or clock.now()).replace(tzinfo=None).strftime(form)

    def render(self, messages: Sequence[Message], reasoning_effort: str | None = None) -> str:
        """Render messages with the template, up to the start of the reply."""
        turns = [{"role": message.role, "content": message.content} for message in messages]
        more = {} if reasoning_effort is None else {"reasoning_effort": reasoning_effort}
        try:
            with template_clock(self.template, self._strftime_now):
                text = self.tokenizer.apply_chat_template(
                    turns, chat_template=self.template, tokenize=False, add_generation_prompt=True, **more
                )
        except (MemoryError, KeyboardInterrupt, ModuleNotFoundError):
            raise
        except Exception as error:  # templates raise any exception, e.g. for an unknown role
            whose = f"in '{self._file}'" if self._file is not None else f"of '{self.name}'"
            raise UserError(
                f"The chat template {whose} does not take this conversation ({one_line(error).rstrip('.')[:160]}); "
                "leave out --system, or give another template with --chat-template FILE."
            ) from None
        if not isinstance(text, str) or any(m.content.strip() not in text for m in messages if m.role == "user"):
            raise UserError(
                f"The chat template of '{self.name}' leaves out the user's message, so nothing would be asked; give "
                "another with --chat-template FILE."
            )
        return text


def encoded(tokenizer: Any, text: str) -> tuple[int, ...]:
    """Return the token ids of a text that holds its own special tokens."""
    return tuple(tokenizer(text, add_special_tokens=False)["input_ids"])
