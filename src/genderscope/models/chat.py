"""Chat settings, and the separation of reasoning from answers in replies."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from genderscope.core.questions import Message, Question, Reply, ReplyStart, StructuredReply
from genderscope.core.tables import own_text
from genderscope.models.settings import ChatOptions

#: types of questions that only chat models can answer
CONVERSATION: frozenset[type[Question]] = frozenset({Reply, StructuredReply, ReplyStart})

#: maximum size of a system prompt, prompt or chat template in bytes; real ones are thousands of times smaller
LARGEST_PROMPT = 10_000_000

_OPENING = re.compile(r"<(think|thinking|thought|reasoning)>", re.IGNORECASE)
_CLOSING = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Chat:
    """The user's chat settings; every question includes them, so that journals distinguish different settings."""

    temperature: float = 1.0
    top_p: float = 1.0
    max_tokens: int | None = None
    system: str | None = None
    reasoning_effort: str | None = None
    #: function that renders messages with a local model's chat template at a given reasoning effort
    render: Callable[[tuple[Message, ...], str | None], str] | None = field(default=None, compare=False, repr=False)

    def messages(self, text: str) -> tuple[Message, ...]:
        """Return a conversation with this user message, preceded by the system prompt if there is one."""
        before = () if self.system is None else (Message("system", self.system),)
        return (*before, Message("user", text))

    def ask(self, text: str, max_tokens: int, seed: int) -> Reply:
        """Return a question whose reply is limited to `max_tokens` tokens, unless the user set a different limit."""
        most, messages = self.max_tokens or max_tokens, self.messages(text)
        effort, prompt = self.reasoning_effort, self._prompt(messages)
        return Reply(messages, most, self.temperature, self.top_p, seed, effort, prompt)

    def ask_structured(self, text: str, max_tokens: int, seed: int, options: tuple[str, ...]) -> StructuredReply:
        """Return a question whose reply the server constrains to a JSON object that names one of the options."""
        most, messages = self.max_tokens or max_tokens, self.messages(text)
        return StructuredReply(
            messages, most, self.temperature, self.top_p, seed, self.reasoning_effort, options=options
        )

    def ask_start(self, text: str, starts: tuple[str, ...]) -> ReplyStart:
        """Return a question that asks for the probabilities of the given reply prefixes."""
        messages = self.messages(text)
        return ReplyStart(messages, starts, self.reasoning_effort, self._prompt(messages))

    def _prompt(self, messages: tuple[Message, ...]) -> str | None:
        return None if self.render is None else self.render(messages, self.reasoning_effort)


def chat_of(options: ChatOptions) -> Chat:
    """Return the chat settings; `system="@FILE"` reads the system prompt from a file."""
    temperature = 1.0 if options.temperature is None else options.temperature
    system = options.system
    if system is not None and system.startswith("@"):
        system = file_text(system[1:], "system prompt").strip()
    return Chat(temperature, options.top_p, options.max_tokens, system, options.reasoning_effort)


def no_template(name: str) -> str:
    """Return the reason why a model without a chat template cannot chat."""
    return (
        f"'{name}' has no chat template; if it is a chat model, pass --chat-template FILE; otherwise, measure it with "
        "'gest'."
    )


def file_text(path: str, what: str) -> str:
    """Read a text file given as an option value."""
    return own_text(path, what, LARGEST_PROMPT).replace("\r\n", "\n")


def without_thoughts(text: str, begun: bool = False) -> tuple[str, str | None]:
    """Split a reply into answer and reasoning; `begun` means that the prompt opened the reasoning.

    Reasoning without a closing tag means that the reply was cut off before the answer.
    """
    thoughts, outside = _closed_thoughts(text)
    rest = ("" if thoughts and not outside[0] else "\n").join(outside)
    if (ends := _CLOSING.search(rest)) is not None:  # opened by the prompt, or by a token omitted from the text
        thoughts.insert(0, rest[: ends.start()])
        rest = rest[ends.end() :]
    elif begun and not thoughts:
        return "", text.strip() or None
    if (opened := _OPENING.search(rest)) is not None:
        thoughts.append(rest[opened.end() :])
        rest = rest[: opened.start()]
    reasoning = "\n".join(part.strip() for part in thoughts if part.strip())
    return rest.strip(), reasoning or None


def _closed_thoughts(text: str) -> tuple[list[str], list[str]]:
    """Return the reasoning inside matching pairs of tags, and the text around them."""
    thoughts: list[str] = []
    outside: list[str] = []
    unclosed: set[str] = set()
    end = 0
    for tag in _OPENING.finditer(text):
        name = tag[1].lower()
        if tag.start() < end or name in unclosed:
            continue
        closing = re.compile(f"</{name}>", re.IGNORECASE).search(text, tag.end())
        if closing is None:
            unclosed.add(name)  # search once per name to keep the time linear in the text length
            continue
        thoughts.append(text[tag.end() : closing.start()])
        outside.append(text[end : tag.start()])
        end = closing.end()
    return thoughts, [part.strip() for part in (*outside, text[end:])]
