"""How well the readers of the speaker's gender do on EuroGEST: pairs of sentences, and sentences without gender.

    python benchmarks/eurogest_readers.py [--list es]

Of the pairs about the speaker: the share where both forms are read right, and where one is read wrong. Of the
sentences that the two translations agree on: the share that is read as gendered; many of those are, since Google wrote
the masculine for both. `eurogest_not_speaker.csv` names the pairs that are not about the speaker (row of the dataset,
why); they were judged by hand, among those that are not read right.
"""

import argparse
import csv
import gzip
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from genderscope.grammar import speaker_gender
from genderscope.languages import LANGUAGES
from genderscope.samples.download import path_of

LANGUAGES_HERE = ("bg", "el", "es", "fr", "it", "lt", "lv", "pt", "ro")
EXCLUDED = Path(__file__).with_name("eurogest_not_speaker.csv")
