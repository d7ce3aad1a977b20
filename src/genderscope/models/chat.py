"""Chat settings, the separation of reasoning from answers, and translation by a chat model.

Wrapping of a translation that can be removed safely (a code fence, a label, quotation marks, a sentence before or
after) is removed and noted. A reply that refuses, offers alternatives or discusses the translation counts as unread,
with the reason. In both cases, the whole reply is stored.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from genderscope.core.errors import UserError
from genderscope.core.languages import LANGUAGES
from genderscope.core.questions import (
    Message,
    Question,
    Reply,
    ReplyAnswer,
    ReplyStart,
    StructuredReply,
    Translation,
    TranslationAnswer,
)
from genderscope.core.tables import own_text
from genderscope.models.digest import short_hash
from genderscope.models.settings import ChatOptions, Remote

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


EMPTY, REFUSED, ENGLISH = "empty reply", "refused", "replied in English"
ALTERNATIVES, MORE = "two alternatives", "more than a translation"

_REFUSAL = re.compile(
    r"(i[’']?m|i am) (very )?(sorry|afraid|unable|not able)|(i )?apologi[sz]e|sorry[,. ]|as an ai\b|as a language model"
    r"|i (can(no|[’'])?t|can not|won[’']t|do not|don[’']t) (help|assist|translate|provide|do|fulfil|comply|have)",
    re.IGNORECASE,
)
_THOUGHT = re.compile(r"^\s*<think(?:ing)?>.*?</think(?:ing)?>\s*", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"^```[^\n`]*\n(.*?)\n?```$", re.DOTALL)
_MARKUP = re.compile(r"^(\*\*|__|\*|`)(?!\s)(.+?)(?<!\s)\1$", re.DOTALL)
_LANGUAGES = "|".join(name for code, language in LANGUAGES.items() if code != "en" for name in language.names)
_LABEL = re.compile(rf"^\W*((the )?translation\b[^:\n]{{0,40}}|({_LANGUAGES})( translation)?):[*_]*\s*", re.IGNORECASE)
_LEAD_IN = re.compile(
    r"^(sure|certainly|of course|okay|ok|absolutely|here|the (translation|text|sentence)|this (is|translates)|in \w+)\b"
    r"[^\n]{0,160}?:\s*",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r"\n[^\S\n]*+[*_(\[]*+(note|explanation|please note|let me know|i hope|if you|this translation|feel free|in this"
    r"|literal|the (word|phrase|translation|verb|sentence)|here,)\b.*$",
    re.DOTALL | re.IGNORECASE,
)
_QUOTES = {'"': '"', "“": "”", "„": "“”", "«": "»", "»": "«", "'": "'", "‘": "’"}
_DOUBLE_FORM = re.compile(r"\w\(\w{1,4}\)|\w/-?\w|\s/\s|\w\(-?\w{1,4}\)")
_NUMBERED = re.compile(r"^[^\S\n]*+(\d++[.)]|[-*•])\s", re.MULTILINE)
_EITHER = re.compile(r"\((or|masculine|feminine|male|female)\b|\n[^\S\n]*+(or|alternatively)\b", re.IGNORECASE)
#: frequent English words that do not occur in the target languages
_ENGLISH = frozenset(
    ("and", "are", "been", "cannot", "could", "from", "had", "have", "she", "sorry", "that", "the", "they", "this")
) | {"translation", "was", "were", "which", "with", "would", "you", "your"}
_CONTRACTED = re.compile(r"i[’'](m|ve|d|ll)|\w+n[’']t")


def unwrapped(reply: str, question: Translation) -> TranslationAnswer:
    """Return the translation in a reply, noting any removed wrapping, or the reason why there is none."""
    text, notes = reply.strip(), []
    for what, take in _LAYERS:
        if (rest := take(text, question.text).strip()) != text:
            text = rest
            notes.append(what)
    reason = _wrong(text, question)
    if reason is not None:
        return TranslationAnswer(None, reason, reply=reply)
    if not notes:
        return TranslationAnswer(text)
    return TranslationAnswer(text, note=", ".join(dict.fromkeys(notes)), reply=reply)


def _wrong(text: str, question: Translation) -> str | None:
    if not text:
        return EMPTY
    if _REFUSAL.match(text) and _is_english(text):
        return REFUSED
    if _alternatives(text, question.text):
        return ALTERNATIVES
    if question.target != "en" and _is_english(text) and text.casefold() != question.text.casefold():
        return ENGLISH
    if "\n" in text and "\n" not in question.text.strip():
        return MORE
    return None


def _alternatives(text: str, source: str) -> bool:
    if _EITHER.search(text) and not _EITHER.search(source):
        return True
    if _DOUBLE_FORM.search(text) and not re.search(r"[/(]", source):
        return True
    return len(_NUMBERED.findall(text)) > 1 and not _NUMBERED.search(source)


def _is_english(text: str) -> bool:
    words = re.findall(r"[^\W\d_]+(?:[’'][^\W\d_]+)?", text.casefold())
    english_words = sum(word in _ENGLISH or _CONTRACTED.fullmatch(word) is not None for word in words)
    return bool(words) and english_words >= 0.2 * len(words)


def _without_markup(text: str, source: str) -> str:
    match = _MARKUP.match(text)
    return match[2] if match and not source.startswith(match[1]) and match[1] not in match[2] else text


def _without_lead_in(text: str, source: str) -> str:
    """Drop a lead-in such as "Sure! Here is the translation:", but not the beginning of the translation itself."""
    match = _LEAD_IN.match(text)
    return text[match.end() :] if match and text[match.end() :].strip() and _is_lead_in(match[0], source) else text


def _is_lead_in(beginning: str, source: str) -> bool:
    # If the source contains a colon ("The man said: …"), the translation may contain one too.
    words = beginning.casefold()
    return ":" not in source or any(w in words for w in ("translat", "sure", "certainly", "of course"))


def _without_remark(text: str, source: str) -> str:
    """Drop a remark after the translation if the source is a single paragraph."""
    return text if "\n" in source.strip() else _REMARK.sub("", text, count=1)


def _without_quotes(text: str, source: str) -> str:
    closing = _QUOTES.get(text[:1], "")
    if len(text) < 3 or not closing or text[-1] not in closing or source.strip()[:1] in _QUOTES:
        return text
    inner = text[1:-1]
    return text if any(mark in inner for mark in text[0] + closing if mark not in "'’") else inner


_LAYERS: tuple[tuple[str, Callable[[str, str], str]], ...] = (
    ("reasoning", lambda text, _: _THOUGHT.sub("", text)),
    ("a lead-in sentence", _without_lead_in),
    ("a closing remark", _without_remark),
    ("a code fence", lambda text, _: _FENCE.sub(r"\1", text)),
    ("a label", lambda text, _: _LABEL.sub("", text)),
    ("markup", _without_markup),
    ("quotation marks", _without_quotes),
    ("markup", _without_markup),
)


#: the default prompt
PROMPT = (
    "Translate the following text from {source} into {target}. "
    "Give only the translation: no explanation, no alternatives, no quotation marks around it.\n\n{text}"
)
CUT_OFF = "the reply was cut off"


@dataclass(frozen=True)
class TranslationPrompt:
    """The prompt with which a chat model translates, and the chat settings for it; the default temperature is 0."""

    template: str
    chat: Chat
    #: whether `template` is the user's own
    own: bool = field(default=False, compare=False)

    @classmethod
    def of(cls, options: Remote) -> "TranslationPrompt":
        """Return the user's prompt, read from a file if it begins with @, or the default."""
        chat = replace(chat_of(options), temperature=options.temperature or 0.0)
        if options.prompt is None:
            return cls(PROMPT, chat)
        template = file_text(options.prompt[1:], "prompt").strip() if options.prompt[:1] == "@" else options.prompt
        if "{text}" not in template or "{target}" not in template:
            raise UserError(
                "Option --prompt must contain {text} and {target}, the placeholders for the text and the target "
                "language."
            )
        return cls(template, chat, own=True)

    @property
    def digest(self) -> str:
        """A hash of everything that determines the translations, apart from the model."""
        return short_hash(repr((self.template, self.chat)), 8)

    def signature(self) -> dict[str, str]:
        """Return the settings to include in the signature: those that are not defaults."""
        chat, usual = self.chat, Chat()
        shown = {} if chat.temperature == 0 else {"temperature": f"{chat.temperature:g}"}
        if self.own:
            shown["prompt"] = short_hash(self.template, 8)
        if chat.top_p != usual.top_p:
            shown["top_p"] = f"{chat.top_p:g}"
        if chat.max_tokens is not None:
            shown["max_tokens"] = str(chat.max_tokens)
        if chat.system is not None:
            shown["system"] = short_hash(chat.system, 8)
        if chat.reasoning_effort is not None:
            shown["effort"] = chat.reasoning_effort
        return shown

    def ask(self, question: Translation) -> Reply:
        """Return the prompt as a question for a reply."""
        return self.chat.ask(self.text(question), 128 + 4 * len(question.text), seed=0)

    def text(self, question: Translation) -> str:
        """Fill in the template."""
        # Substitute the text last, so that braces in it stay unchanged.
        parts = {"{source}": question.source, "{target}": question.target}
        before, after = self.template.split("{text}", 1)
        for mark, code in parts.items():
            name = LANGUAGES[code].name if code in LANGUAGES else code
            before, after = before.replace(mark, name), after.replace(mark, name)
        return f"{before}{question.text}{after.replace('{text}', question.text)}"


def translation_in(answer: ReplyAnswer, question: Translation) -> TranslationAnswer:
    """Return the translation in a reply, or the reason why there is none."""
    if answer.ended in ("refusal", "filter"):
        return TranslationAnswer(None, REFUSED, reply=answer.text)
    if answer.text is None:
        return TranslationAnswer(None, answer.unread)
    if answer.ended == "length":
        return TranslationAnswer(None, CUT_OFF, reply=answer.text)
    return unwrapped(answer.text, question)
