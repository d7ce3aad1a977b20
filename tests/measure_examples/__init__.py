"""What the tests over all measures need from each measure: one file per measure, named after it.

`tests/measure_examples/gate.py` defines `EXAMPLE`, a `MeasureExample`. The tests find it by the measure's name in the
registry; `docs/design.md`, section "Adding a measure", shows the smallest one.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from genderscope.measures import MEASURES

#: kinds of models of tests/test_matrix.py
SERVER, MARIAN = "server: all", "marian"
LANGUAGE_MODELS = frozenset({"masked", "causal", "chat", "gguf", SERVER})
#: a choice between words can be asked of servers that give the next tokens, or only replies
NEXT_TOKENS = LANGUAGE_MODELS | {"server: next tokens", "server: chat"}
CHATS = frozenset({"chat", "gguf", SERVER, "server: chat", "anthropic", "gemini"})
TRANSLATORS = CHATS | {"seq2seq", "ct2", MARIAN, "apertium", "deepl", "google", "amazon", "file"}

KINDS = tuple(dict.fromkeys((*sorted(NEXT_TOKENS), *sorted(TRANSLATORS))))

#: options of models that change what is asked or how it is charged
CHOICES = frozenset({"samples", "temperature"})
_REPLIES = {"temperature", "top_p", "max_tokens", "system", "reasoning_effort", "chat_template", "yes"}
REPLIES = frozenset({"batch", *_REPLIES})
TRANSLATIONS = frozenset({"beams", "prompt", "price", *_REPLIES})

Options = dict[str, Any]


@dataclass(frozen=True)
class Alike:
    """A translator that says the same of everything: the source texts with the measure's options, and what it says."""

    sources: Callable[[Path], tuple[Sequence[str], Options]]
    translation: str


@dataclass(frozen=True)
class PinnedData:
    """Our own sentences in place of the released files of a measure that takes no data of the user's, by path."""

    dataset: str
    texts: Callable[[], Mapping[str, str]]


#: the small run asks a model with random weights, whose result must not be judged
UNTRAINED = "untrained"


@dataclass(frozen=True, kw_only=True)
class MeasureExample:
    """All that the tests over all measures need from one measure; entries without a default are required."""

    #: the columns of its rows, in order, as name:type with b(ool), o(ptional bool), f(loat), i(nt), s(tring) or
    #: l(ist of strings)
    columns: str
    #: (random.Random, about how many rows, a text to put into all texts) -> rows, their estimates, options
    artificial: Callable[..., tuple[Any, Sequence[Any], Options]]
    #: (folder, fixture `models`) -> the result of a run that takes seconds, and whose outcomes differ
    run: Callable[[Path, Any], Any]
    #: (rows, numpy generator) -> the rows with a higher leading estimate, and by how much if that is known
    plant: Callable[[Any, Any], tuple[Any, float | None]]
    #: UNTRAINED, what a translator says that always says the same, or "FILE::TEST", the test that asks a model that
    #: knows nothing
    knows_nothing: str | Alike
    #: kinds of models that it runs on; the others refuse it in one sentence
    models: frozenset[str]
    #: options of models that its help page shows
    model_options: frozenset[str]
    #: folder -> the options with which it measures a small file of our own; {} if it takes none
    own_data: Callable[[Path], Options]

    #: every item has one row
    one_row: bool = False
    #: a run -> the same with several rows per item, for measures whose small run has one
    repeat_items: Callable[[Any], Any] | None = None
    #: its data are part of the program, so that every audit asks it, also without a starter set
    needs_no_download: bool = False
    #: the small run needs the mirror of the datasets
    from_mirror: bool = False
    #: the only interval generalises over units as well
    every_interval_is_wide: bool = False
    #: the column and value of a row that has no reading
    lost: tuple[str, str] = ("unread", "lost")
    #: in place of the released files, for a measure that takes no data of the user's
    pinned_data: PinnedData | None = None
    #: the measure whose simulation in benchmarks/simulated covers this one, since it computes the same
    simulated_as: str | None = None

    #: for translators: the language of `own_data`, its source texts, and which of Czech and Slovak an audit asks for
    target: str | None = None
    own_sources: Callable[[Mapping[str, Any]], Sequence[str]] | None = None
    audited_in: tuple[str, ...] = ()

    #: folder -> kinds of models and options beside which every other option has an effect or is refused; None if it
    #: has no options but those of every measure, `to` and `data`
    option_contexts: Callable[[Path], list[tuple[str, Options]]] | None = None
    #: the same with released data; None if no option needs these
    released_contexts: list[tuple[str, Options]] | None = None
    #: the translations of the texts in `option_contexts`
    option_translations: Mapping[str, str] | None = None
    #: option -> values of which one has an effect; those of tests/test_options.py are the default
    option_values: Mapping[str, tuple[Any, ...]] | None = None
    #: options that have no effect on own data, and those that only change how results are shown
    options_of_released_data: Collection[str] = ()
    display_options: Collection[str] = ()


@cache
def example_of(measure: str) -> MeasureExample:
    """Return the examples of a measure."""
    stem = measure.replace("-", "_")
    file = f"tests/measure_examples/{stem}.py"
    how = "docs/design.md, section 'Adding a measure', shows a small one."
    assert find_spec(f"{__name__}.{stem}"), f"The measure '{measure}' has no examples: write {file}; {how}"
    try:
        return import_module(f"{__name__}.{stem}").EXAMPLE
    except AttributeError as error:
        raise AssertionError(f"{file} defines no EXAMPLE = MeasureExample(…); {how}") from error
    except TypeError as error:
        if "MeasureExample" not in str(error):
            raise
        required = ", ".join(field.name for field in fields(MeasureExample) if field.default is MISSING)
        raise AssertionError(f"EXAMPLE in {file} needs {required}: {error}; {how}") from error


def answered_by(kind: str) -> set[str]:
    """Return the measures that run on a kind of model."""
    return {name for name in MEASURES if kind in example_of(name).models}
