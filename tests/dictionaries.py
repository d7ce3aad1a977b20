"""Index the dictionaries of all speaker readers into one folder: python -m tests.dictionaries FOLDER."""

import os
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from genderscope import speaker_gender
from genderscope.grammar import languages


def index(language: str) -> None:
    """Read one sentence, for which the reader opens its dictionary."""
    speaker_gender("-", language)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ["GENDERSCOPE_CACHE"] = cache
        (Path(cache) / "grammar").symlink_to(Path(sys.argv[1]).resolve(), target_is_directory=True)
        with ProcessPoolExecutor(os.cpu_count(), max_tasks_per_child=1) as pool:
            list(pool.map(index, languages()))
