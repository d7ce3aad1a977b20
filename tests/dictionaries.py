"""Index the dictionaries of all speaker readers into one folder: python -m tests.dictionaries FOLDER."""

import os
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from genderscope.core.languages import SPEAKER_LANGUAGES
from genderscope.grammar.dictionaries.lexicon import simplemma_lexicon
from genderscope.grammar.speaker.language_file import read_language
from genderscope.grammar.speaker.registry import draft_languages


def index(code: str) -> None:
    """Look a form up, for which the dictionary is indexed; a reader that needs no dictionary for a text opens none."""
    language = read_language(code)
    if language.dictionary:
        simplemma_lexicon(language.dictionary, code, language.forms).traits("-")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ["GENDERSCOPE_CACHE"] = cache
        (Path(cache) / "grammar").symlink_to(Path(sys.argv[1]).resolve(), target_is_directory=True)
        with ProcessPoolExecutor(os.cpu_count(), max_tasks_per_child=1) as pool:
            list(pool.map(index, [*SPEAKER_LANGUAGES, *draft_languages()]))
