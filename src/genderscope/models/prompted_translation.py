"""Translation by a chat model: the prompt, and the translation in its reply."""

from dataclasses import dataclass, field, replace

from genderscope.core.errors import UserError
from genderscope.core.languages import LANGUAGES
from genderscope.core.questions import Reply, ReplyAnswer, Translation, TranslationAnswer
from genderscope.models.chat import Chat, chat_of, file_text
from genderscope.models.digest import short_hash
from genderscope.models.options import Remote
from genderscope.models.translation_reply import REFUSED, unwrapped

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
