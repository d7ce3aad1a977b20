"""The Slovak quadruplets: which word fits a sentence."""

from functools import partial

from tests.measure_examples import LANGUAGE_MODELS, UNTRAINED, MeasureExample, stereoset

EXAMPLE = MeasureExample(
    columns=stereoset.COLUMNS,
    artificial=stereoset.artificial,
    run=partial(stereoset.run_own, "slovak-gender"),
    plant=stereoset.raise_scores,
    one_row=True,
    knows_nothing=UNTRAINED,
    models=LANGUAGE_MODELS,
    model_options=frozenset(),
    own_data=stereoset.own_data,
    option_contexts=stereoset.option_contexts,
    released_contexts=[("masked", {})],
    option_values={"limit": (1,), "scores": ("ss", "cs")},
    simulated_as="stereoset",
)
