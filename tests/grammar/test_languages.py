"""The table of languages and the readers it promises."""

from importlib import import_module

from genderscope.grammar.speaker.language_file import language_files
from genderscope.languages import ADJECTIVE_LANGUAGES, LANGUAGES, SPEAKER_LANGUAGES


def test_every_language_in_the_table_has_its_readers():
    assert set(SPEAKER_LANGUAGES) <= set(language_files())
    for code in ADJECTIVE_LANGUAGES:
        assert import_module(f"genderscope.grammar.adjectives.{LANGUAGES[code].adjectives}").GRAMMAR


def test_no_two_languages_share_a_code_or_a_name():
    names = [name for language in LANGUAGES.values() for name in (language.iso3, *language.names)]
    assert len(set(names)) == len(names)
    assert all(len(code) == 2 and len(language.iso3) == 3 for code, language in LANGUAGES.items())
    scripts = {script for language in LANGUAGES.values() for script in language.scripts}
    assert scripts == {"Arab", "Cyrl", "Deva", "Grek", "Latn"}
