"""Supported languages, and the entry point for detecting the speaker's gender."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

from genderscope.core.errors import UserError
from genderscope.core.languages import SPEAKER_LANGUAGES
from genderscope.core.plugins import Plugin, plugins
from genderscope.grammar.problems import UnknownLanguage
from genderscope.grammar.reading import Reading


def draft_languages() -> list[str]:
    """Return the languages not yet validated on labelled sentences, which `all` does not include."""
    files = (Path(__file__).parent / "data").glob("??.toml")
    return sorted({path.stem for path in files} - set(SPEAKER_LANGUAGES))


def language_plugins() -> dict[str, Plugin]:
    """Return the languages provided by other packages."""
    return plugins("languages", [*SPEAKER_LANGUAGES, *draft_languages()])


def languages() -> list[str]:
    """Return all languages in which the speaker's gender can be detected, including drafts and plugins."""
    return sorted([*SPEAKER_LANGUAGES, *draft_languages(), *language_plugins()])


def speaker_gender(text: str, language: str) -> Reading:
    """Detect the speaker's gender in a first-person text, and the words that reveal it.

    Args:
        text: The text; quotations of other people and words about other people are ignored.
        language: Two-letter code, such as `sk`.
    """
    return _reader(language)(text)


@cache
def _reader(language: str) -> Callable[[str], Reading]:
    provided = language_plugins()
    if language in provided:
        return _plugin_reader(provided[language])
    if language not in languages():
        raise UnknownLanguage(language, languages())
    from genderscope.grammar.speaker.reader_factory import build_reader

    return build_reader(language)


def _plugin_reader(plugin: Plugin) -> Callable[[str], Reading]:
    """Return a plugin's reader after checking that it accepts an empty text."""
    try:
        reader: Callable[[str], Reading] = plugin.load()()
        reading = reader("")
    except UserError:
        raise
    except Exception as error:
        raise plugin.broken(f"{type(error).__name__}: {error}") from error
    if not isinstance(reading, Reading):
        raise plugin.broken("its reader does not return a genderscope.grammar.Reading")
    return reader
