"""Sentences in Belarusian and Serbian, which EuroGEST does not cover: GEST's released translations by Google.

Only translations that do not reveal the speaker's gender are used, as found by the speaker gender reader.
"""

import csv
import io

from genderscope.core.tables import decoded
from genderscope.grammar import speaker_gender
from genderscope.models import normalised
from genderscope.samples import fetch
from genderscope.samples.dataset import SampleSet
from genderscope.samples.gest import GEST, GestSample, load
from genderscope.samples.registry import dataset

LANGUAGES = ("be", "sr")


def neutral_translations(language: str) -> SampleSet[GestSample]:
    """Return the translations that do not reveal the speaker's gender, numbered as in GEST."""
    file = dataset("gest-translations").file(f"gest/translations/google_translate/{language}.csv")
    rows = csv.DictReader(io.StringIO(decoded(fetch.read(file), "GEST's translations"), newline=""))
    translations = {normalised(row["from"]): " ".join(row["to"].split()) for row in rows}
    samples = (
        GestSample(sample.index, text, sample.stereotype)
        for sample in load().samples
        if (text := translations.get(normalised(sample.sentence))) is not None
        and speaker_gender(text, language).status == "neutral"
    )
    return GEST.loaded(f"gest-translated-{language}", file.sha256, samples)
