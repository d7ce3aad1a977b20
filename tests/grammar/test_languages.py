"""The table of languages and the readers it promises."""

import re
from importlib import import_module
from pathlib import Path

from genderscope.core.languages import ADJECTIVE_LANGUAGES, LANGUAGES, SPEAKER_LANGUAGES
from genderscope.grammar.speaker.language_file import read_language

ROOT = Path(__file__).parents[2]


def test_every_language_in_the_table_has_its_readers():
    for code in SPEAKER_LANGUAGES:
        assert read_language(code).words, code
    for code in ADJECTIVE_LANGUAGES:
        assert import_module(f"genderscope.grammar.adjectives.{LANGUAGES[code].adjectives}").GRAMMAR


def test_no_two_languages_share_a_code_or_a_name():
    names = [name for language in LANGUAGES.values() for name in (language.iso3, *language.names)]
    assert len(set(names)) == len(names)
    assert all(len(code) == 2 and len(language.iso3) == 3 for code, language in LANGUAGES.items())
    scripts = {script for language in LANGUAGES.values() for script in language.scripts}
    assert scripts == {"Arab", "Cyrl", "Deva", "Grek", "Latn"}


def test_readme_and_docs_count_and_list_the_languages_rightly():
    pages = ["README.md", "docs/how-to/your-translations.md"]
    text = "\n".join((ROOT / page).read_text(encoding="utf-8") for page in pages)
    lists = re.findall(r"\bbe, bg, [a-z, ()]+\buk\b", text)
    assert len(lists) == len(pages)
    for listed in lists:
        assert re.findall(r"\b[a-z]{2}\b", re.sub(r"\(.*?\)", "", listed)) == sorted(SPEAKER_LANGUAGES)
    assert re.findall(r"gest-mt.*MT into (\d+) languages", text) == [str(len(SPEAKER_LANGUAGES))]
