"""Which languages can be read, and the one function that reads them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from genderscope.errors import UserError
from genderscope.grammar.problems import UnknownLanguage
from genderscope.grammar.reading import Reading
from genderscope.languages import SPEAKER_LANGUAGES
from genderscope.plugins import Plugin, plugins


def language_plugins() -> dict[str, Plugin]:
    """The languages that other packages bring: functions as ``reader`` above."""
    return plugins("languages", SPEAKER_LANGUAGES)


def languages() -> list[str]:
    """All languages that can be read, those of plugins among them."""
    return sorted([*SPEAKER_LANGUAGES, *language_plugins()])


def speaker_gender(text: str, language: str) -> Reading:
    """Return the gender that a text in the first person gives its speaker, with the words that show it.

    Args:
        text: The text; words that quote or speak of others do not count.
        language: Two-letter code, such as `sk`.
    """
    return _reader(language)(text)


@cache
def _reader(language: str) -> Callable[[str], Reading]:
    brought = language_plugins()
    if language in brought:
        return _brought(brought[language])
    if language not in languages():
        raise UnknownLanguage(language, languages())
    from genderscope.grammar.speaker.reader_factory import build_reader

    return build_reader(language)


def _brought(plugin: Plugin) -> Callable[[str], Reading]:
    """The reader of a plugin, tried on no text at all, so that a broken one is known before anything is read."""
    try:
        reader: Callable[[str], Reading] = plugin.load()()
        tried = reader("")
    except UserError:
        raise
    except Exception as error:
        raise plugin.broken(f"{type(error).__name__}: {error}") from error
    if not isinstance(tried, Reading):
        raise plugin.broken("its reader returns no genderscope.grammar.Reading")
    return reader
