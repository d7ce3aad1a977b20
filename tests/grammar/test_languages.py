"""The one table of languages, and what stands on it."""

from importlib import import_module
from pathlib import Path

import genderscope.grammar.speaker
from genderscope.languages import ADJECTIVE_LANGUAGES, LANGUAGES, SPEAKER_LANGUAGES


def test_every_reader_that_the_table_names_exists_and_every_reader_is_in_the_table():
    for code in SPEAKER_LANGUAGES:
        assert callable(import_module(f"genderscope.grammar.speaker.{code}").reader)
    for code in ADJECTIVE_LANGUAGES:
        assert import_module(f"genderscope.grammar.adjectives.{LANGUAGES[code].adjectives}").GRAMMAR
    files = {path.stem for path in Path(genderscope.grammar.speaker.__file__).parent.glob("??.py")}
    assert files == set(SPEAKER_LANGUAGES)


def test_no_two_languages_share_a_code_or_a_name():
    names = [name for language in LANGUAGES.values() for name in (language.iso3, *language.names)]
    assert len(set(names)) == len(names)
    assert all(len(code) == 2 and len(language.iso3) == 3 for code, language in LANGUAGES.items())
    scripts = {script for language in LANGUAGES.values() for script in language.scripts}
    assert scripts == {"Arab", "Cyrl", "Deva", "Grek", "Latn"}
