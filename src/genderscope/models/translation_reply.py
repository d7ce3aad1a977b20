"""Extraction of the translation from a chat model's reply.

Wrapping that can be removed safely (a code fence, a label, quotation marks, a sentence before or after) is removed and
noted. A reply that refuses, offers alternatives or discusses the translation counts as unread, with the reason. In both
cases, the whole reply is stored.
"""

import re
from collections.abc import Callable

from genderscope.core.languages import LANGUAGES
from genderscope.core.questions import Translation, TranslationAnswer

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
    known = sum(word in _ENGLISH or _CONTRACTED.fullmatch(word) is not None for word in words)
    return bool(words) and known >= 0.2 * len(words)


def _without_markup(text: str, source: str) -> str:
    found = _MARKUP.match(text)
    return found[2] if found and not source.startswith(found[1]) and found[1] not in found[2] else text


def _without_lead_in(text: str, source: str) -> str:
    """Drop a lead-in such as "Sure! Here is the translation:", but not the beginning of the translation itself."""
    found = _LEAD_IN.match(text)
    return text[found.end() :] if found and text[found.end() :].strip() and _is_lead_in(found[0], source) else text


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
