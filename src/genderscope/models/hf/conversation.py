"""Conversations as chat models see them: messages rendered with the chat template and tokenized."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from threading import Lock
from typing import Any

from genderscope.core.errors import UserError
from genderscope.core.questions import Message, Reply, ReplyStart
from genderscope.models.chat import file_text, no_template
from genderscope.models.hf.checkpoints import one_line
from genderscope.util import clock

NAME = "strftime_now"

#: compiled templates are shared between threads and, for a caller's model, with the caller
_LOCK = Lock()


@contextmanager
def template_clock(template: str | None, strftime_now: Callable[[str], str]) -> Iterator[None]:
    """Make the template use this function for the date."""
    functions = _functions(template) if template is not None and NAME in template else None
    if functions is None:
        yield
        return
    with _LOCK:
        functions[NAME] = strftime_now
        try:
            yield
        finally:
            del functions[NAME]  # restores the function from transformers


def _functions(template: str) -> Any:
    """Return the compiled template's globals, which override the environment's; None if the template is invalid."""
    try:
        from transformers.utils.chat_template_utils import _compile_jinja_template

        return _compile_jinja_template(template).globals
    except Exception:  # rendering reports the error
        return None


#: suffixes of a prompt that opens the model's reasoning
OPENS = ("<think>", "<thinking>", "<thought>", "<reasoning>")


@dataclass(frozen=True)
class Prompt:
    """The model's complete input before its reply."""

    text: str
    ids: tuple[int, ...]
    tokenizer: Any = field(repr=False, compare=False)

    @property
    def thinking(self) -> bool:
        """Whether the prompt opens the model's reasoning."""
        return self.text.rstrip().endswith(OPENS)

    def beginnings(self, starts: Sequence[str]) -> Iterator[tuple[int, ...]]:
        """Yield the tokens of each reply prefix, as tokenized after the prompt."""
        for start in starts:
            whole = encoded(self.tokenizer, self.text + start)
            # If the last token of the prompt and the first of the reply would merge, the reply is encoded separately.
            joined = whole[: len(self.ids)] == self.ids and len(whole) > len(self.ids)
            yield whole[len(self.ids) :] if joined else encoded(self.tokenizer, start)


class Conversation:
    """A model's chat template, its own or from a user-supplied file."""

    def __init__(self, name: str, tokenizer: Any, file: str | None) -> None:
        self.name, self.tokenizer = name, tokenizer
        self._file = file
        #: time used in templates that contain the date: the run's start, so that a resumed run has the same prompts
        self.moment: datetime | None = None
        #: whether a template has used the date
        self.dated = False

    @cached_property
    def template(self) -> str | None:
        """The chat template, or None if the model has none."""
        if self._file is not None:
            return file_text(self._file, "chat template")
        if not self.tokenizer.chat_template:
            return None
        return str(self.tokenizer.get_chat_template())

    @property
    def digest(self) -> str:
        """SHA-256 of the template."""
        return hashlib.sha256((self.template or "").encode()).hexdigest()

    def require(self) -> None:
        """Raise `UserError` if the chat template is missing or invalid, before anything is loaded."""
        if self.template is None:
            raise UserError(no_template(self.name))
        self.render((Message("user", "Hello."),))

    def prompt(self, question: Reply | ReplyStart) -> Prompt:
        """Return the model input: the question's prompt or, if it has none, its messages rendered with the template."""
        text = question.prompt
        if text is None:
            text = self.render(question.messages, question.reasoning_effort)
        return Prompt(text, encoded(self.tokenizer, text), self.tokenizer)

    def _strftime_now(self, form: str) -> str:
        """Format the time of the run, for `strftime_now` in templates."""
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
        except Exception as error:  # templates can raise any exception, e.g. for an unknown role
            whose = f"in '{self._file}'" if self._file is not None else f"of '{self.name}'"
            raise UserError(
                f"The chat template {whose} cannot render this conversation ({one_line(error).rstrip('.')[:160]}); "
                "omit --system or use another template with --chat-template FILE."
            ) from None
        if not isinstance(text, str) or any(m.content.strip() not in text for m in messages if m.role == "user"):
            raise UserError(
                f"The chat template of '{self.name}' omits the user's message, so the model would see no question; "
                "use another template with --chat-template FILE."
            )
        return text


def encoded(tokenizer: Any, text: str) -> tuple[int, ...]:
    """Tokenize a text that already contains its special tokens."""
    return tuple(tokenizer(text, add_special_tokens=False)["input_ids"])
