"""Controls of the word-filling measures: sentences about a man or a woman with a word of the right or the wrong gender.

A control with keywords is scored by ss (is the masculine word more probable?), one without keywords by cs (are the
other words more probable after the masculine pronoun?). Both are higher if the sentence is about a man.
"""

from collections.abc import Iterator

from genderscope.measures.controls import ControlCase, form_controls, pronouns_in_context
from genderscope.samples.quadruplets import Quadruplet, Sentence, one_word_apart

#: index and subset of a control, which is no sample of the dataset
NO_SAMPLE, SUBSET = -1, "control"


def forms(language: str, limit: int | None) -> Iterator[ControlCase[Quadruplet]]:
    """Yield the sentences whose keyword has a masculine and a feminine form."""
    for form, where in form_controls(language, limit):
        male, female = one_word_apart(form.male, form.female)
        yield ControlCase(Quadruplet(NO_SAMPLE, NO_SAMPLE, SUBSET, male, female, language=language), *where)


def pronouns(samples: int) -> Iterator[ControlCase[Quadruplet]]:
    """Yield English sentences whose keyword is a pronoun, not too many for the number of samples."""
    for each, where in pronouns_in_context("winobias", "en", samples):
        start = len(each.before)
        male, female = (
            Sentence(f"{each.before}{word}{each.after}", (start, start + len(word)))
            for word in (each.male, each.female)
        )
        yield ControlCase(Quadruplet(NO_SAMPLE, NO_SAMPLE, SUBSET, male, female), *where)


def whole_sentences(language: str, samples: int) -> Iterator[ControlCase[Quadruplet]]:
    """Yield pairs of sentences that differ in a pronoun, to be compared by their other words; few for few samples."""
    for each, where in pronouns_in_context("crows", language, samples):
        male, female = (Sentence(f"{each.before}{word}{each.after}") for word in (each.male, each.female))
        sample = Quadruplet(NO_SAMPLE, NO_SAMPLE, SUBSET, male, s2=female, language=language)
        yield ControlCase(sample, *where)
