"""EuroGEST's controls: forms whose context tells the speaker's gender, and quoted sentences that tell it."""

from collections.abc import Sequence

from genderscope.measures.controls import ControlCase, form_controls, sentence_controls
from genderscope.measures.eurogest.texts import GENDERED, Sample, Texts
from genderscope.measures.gest.measure import NO_SAMPLE, NO_STEREOTYPE
from genderscope.samples.eurogest import EuroGest, EuroPair, EuroSentence


def control_cases(data: EuroGest, samples: Sequence[Sample]) -> list[ControlCase[Sample]]:
    """Return the controls for each language and condition of the samples, as far as the language has any.

    All are asked even if samples are limited, because small models respond so weakly to scaffolds that a dozen pairs
    would be too few.
    """
    texts = Texts(data, None, every_pair=True)
    found = []
    for language, condition in dict.fromkeys((sample.language, sample.condition) for sample in samples):
        if condition == GENDERED:
            for form, (kind, pair, side, _) in form_controls(language, limit=None):
                row = EuroPair(NO_SAMPLE, form.male, form.female, NO_STEREOTYPE, "")
                found.append(ControlCase(texts.sample(language, condition, row), kind, pair, side, language))
            continue
        for text, kind, pair, side, _ in sentence_controls(language, None, limit=None):
            sentence = EuroSentence(NO_SAMPLE, text, NO_STEREOTYPE, text)
            # negative, because forms and sentences have pairs with the same numbers
            found.append(ControlCase(texts.sample(language, condition, sentence), kind, -pair, side, language))
    return found
