"""CrowS-Pairs: which of two sentences is likelier."""

from functools import partial

from tests.measure_examples import LANGUAGE_MODELS, UNTRAINED, MeasureExample, PinnedData, stereoset
from tests.support.evaluation import evaluate


def run(folder, models):
    model = str(models("roberta", "bytes-mask"))
    return evaluate("crows", model, set="negation", limit=30, out=folder / "crows")


def own_sentences():
    """Return our own sentences in the form of the released file, by path."""
    lines = [
        ",".join(f"{who} was {no}{word} {k} times." for k in range(2) for word in ("there", "tired", "old", "heavy"))
        for no in ("", "not ")
        for who in ("He", "She")
    ]
    return {"wordfill/crows_negation.csv": "\n".join(lines)}


EXAMPLE = MeasureExample(
    columns=stereoset.COLUMNS,
    artificial=partial(stereoset.artificial, keywords=False),
    run=run,
    plant=stereoset.raise_scores,
    from_mirror=True,
    knows_nothing=UNTRAINED,
    models=LANGUAGE_MODELS,
    model_options=frozenset(),
    own_data=lambda folder: {},
    pinned_data=PinnedData("wordfill", own_sentences),
    released_contexts=[("masked", {}), ("masked", {"set": "original"}), ("masked", {"set": "matched"})],
    option_values={"set": ("original", "revised"), "scores": ("cs", "f"), "lang": ("nl", "fr")},
)
