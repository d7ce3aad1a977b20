"""Translation by a chat server: building the prompt and parsing the reply."""

from typing import Any

from genderscope.core.errors import UserError
from genderscope.core.languages import LANGUAGES
from genderscope.core.questions import Translation, TranslationAnswer
from genderscope.models.chat import file_text
from genderscope.models.http.response_limits import TooLargeError
from genderscope.models.server.chat_client import TOO_LARGE, ChatClient
from genderscope.models.server.json_access import first_choice, number, part, said
from genderscope.models.server.translation_reply import unwrapped

#: the default prompt
PROMPT = (
    "Translate the following text from {source} into {target}. "
    "Give only the translation: no explanation, no alternatives, no quotation marks around it.\n\n{text}"
)


def wording(prompt: str | None) -> str:
    """Return the prompt template: the user's own, read from a file if it begins with @, or the default."""
    if prompt is None:
        return PROMPT
    if prompt.startswith("@"):
        prompt = file_text(prompt[1:], "prompt").strip()
    if "{text}" not in prompt or "{target}" not in prompt:
        raise UserError(
            "Option --prompt must contain {text} and {target}, the placeholders for the text and the target language."
        )
    return prompt


def translate(client: ChatClient, template: str, temperature: float, question: Translation) -> TranslationAnswer:
    """Request one translation and parse the reply."""
    body = {**request_for(template, question), "temperature": temperature, "seed": 0}
    try:
        response = client.post(body)
    except TooLargeError:
        return TranslationAnswer(None, TOO_LARGE)
    choice = first_choice(response)
    message, ended = part(choice, "message"), choice.get("finish_reason")
    if message.get("refusal") or ended == "content_filter":
        return TranslationAnswer(None, "refused")
    written = number(part(response, "usage").get("completion_tokens"))
    # If the server gives no finish reason, assume that a reply of maximum length was truncated.
    if ended == "length" or (ended is None and written is not None and written >= body["max_tokens"]):
        return TranslationAnswer(None, "the reply was cut off")
    return unwrapped(said(choice) or "", question)


def request_for(template: str, question: Translation) -> dict[str, Any]:
    """Return the request body: the prompt and the token limit for the reply."""
    content = _filled(template, question)
    return {"messages": [{"role": "user", "content": content}], "max_tokens": 128 + 4 * len(question.text)}


def _filled(template: str, question: Translation) -> str:
    # Substitute the text last, so that braces in it stay unchanged.
    parts = {"{source}": question.source, "{target}": question.target}
    before, after = template.split("{text}", 1)
    for mark, code in parts.items():
        name = LANGUAGES[code].name if code in LANGUAGES else code
        before, after = before.replace(mark, name), after.replace(mark, name)
    return f"{before}{question.text}{after.replace('{text}', question.text)}"
