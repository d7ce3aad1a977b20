"""`validity`: do two measures agree over the models both were run on?"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from genderscope.comparison.comparable import asked_with
from genderscope.errors import UserError, unknown
from genderscope.measures import measure_type
from genderscope.notebooks import drawn
from genderscope.runs import Plot, Result, load_run, reading, without_earlier
from genderscope.statistics.correlation import FEWEST, FEWEST_FOR_INTERVAL, Correlation, correlate

#: with fewer models than this the intervals are wide, whatever r is
FEW = 10


@dataclass(frozen=True, slots=True)
class Quantity:
    """An estimate of a measure, written MEASURE:NAME or MEASURE:NAME:SUBSET."""

    measure: str
    name: str
    subset: str | None = None

    def __str__(self) -> str:
        return ":".join(part for part in (self.measure, self.name, self.subset) if part)


@dataclass(frozen=True, slots=True)
class Validity:
    """How two estimates correlate over models; `points` are each model's values of `x` and `y`."""

    x: Quantity
    y: Quantity
    points: dict[str, tuple[float, float]]
    pearson: Correlation
    spearman: Correlation
    cautions: tuple[str, ...]

    def plot(self) -> Plot:
        """Draw the models, a dot each, with the regression line."""
        found: Plot = drawn().plot(self, None)
        return found


def validity(*runs: str | Path | Result, x: str | None = None, y: str | None = None) -> Validity:
    """Correlate two measures over the models both were run on.

    `x` and `y` name estimates, such as "gest:g_s" and "winobias:g_s_hat:type 1 test"; without them the runs must be of
    two measures, and the leading estimate of each is used.
    """
    results = without_earlier([run if isinstance(run, Result) else load_run(Path(run)) for run in runs])
    with reading(*results):
        first, second, points = paired(results, x, y)
    one, other = zip(*points.values(), strict=True)
    pearson, spearman = correlate(one, other, "Pearson"), correlate(one, other, "Spearman")
    return Validity(first, second, points, pearson, spearman, tuple(_cautions(results, points, pearson)))


def _cautions(results: Sequence[Result], models: Iterable[str], found: Correlation) -> Iterator[str]:
    yield from differently_asked(results, models)
    if found.r != found.r:
        yield "One of the two is the same for every model, so there is no correlation."
    elif found.n < FEWEST_FOR_INTERVAL:
        yield f"{found.n} models are too few to generalise from: no interval, no p below {FEWEST_FOR_INTERVAL} models."
    elif found.n < FEW:
        yield f"With {found.n} models a correlation is very uncertain: look at the intervals."


def differently_asked(results: Sequence[Result], models: Iterable[str]) -> Iterator[str]:
    """Yield a caution for each measure whose numbers are over different templates for different models."""
    chosen = [result for result in results if str(result.config["model"]["name"]) in set(models)]
    for measure in sorted({result.measure for result in chosen}):
        over = {
            str(asked_with(r)["templates"]) for r in chosen if r.measure == measure and "templates" in asked_with(r)
        }
        if len(over) > 1:
            yield f"The models' numbers of '{measure}' are over different templates: {', '.join(sorted(over))}."


def paired(
    results: Sequence[Result], x: str | None, y: str | None
) -> tuple[Quantity, Quantity, dict[str, tuple[float, float]]]:
    """Return the two quantities, and the two values of each model that has both."""
    by_measure: dict[str, dict[str, Result]] = {}
    for result in results:
        model = str(result.config["model"]["name"])
        known = by_measure.setdefault(result.measure, {})
        if model in known:
            raise UserError(f"There are two runs of '{result.measure}' for the model '{model}'; give one of them.")
        known[model] = result
    first, second = _quantities(by_measure, x, y)
    models = [m for m in by_measure[first.measure] if m in by_measure[second.measure]]
    points = {}
    for model in models:
        a, b = (_value(by_measure[q.measure][model], q) for q in (first, second))
        if a is not None and b is not None:
            points[model] = (a, b)
    if len(points) < FEWEST:
        raise UserError(
            f"A correlation of {first} and {second} needs at least {FEWEST} models with both, but the runs have "
            f"{len(points)}."
        )
    return first, second, points


def _quantities(by_measure: dict[str, dict[str, Result]], x: str | None, y: str | None) -> tuple[Quantity, Quantity]:
    if x is not None and y is not None:
        return _parsed(x, by_measure), _parsed(y, by_measure)
    if x is not None or y is not None:
        raise UserError("Give both --x and --y, or neither.")
    if len(by_measure) != 2:
        raise UserError(
            f"The runs are of {', '.join(sorted(by_measure))}; give runs of exactly two measures, or name what to "
            "correlate with --x and --y."
        )
    one, other = (Quantity(name, measure_type(name).headline[0]) for name in sorted(by_measure))
    return one, other


def _parsed(text: str, by_measure: dict[str, dict[str, Result]]) -> Quantity:
    parts = text.split(":", 2)
    if len(parts) < 2:
        raise UserError(f"'{text}' does not name an estimate; write MEASURE:NAME, e.g. gest:g_s.")
    if parts[0] not in by_measure:
        raise unknown("measure", parts[0], by_measure)
    return Quantity(*parts)


def _value(result: Result, wanted: Quantity) -> float | None:
    """Return the value of the named estimate, over all stereotypes and, without a subset, over everything else too."""
    estimates = result.as_estimates()
    matching = [e for e in estimates if e.name == wanted.name and (e.scope or None) == wanted.subset]
    matching = [e for e in matching if e.stereotype is None]
    if not matching:
        names = {f"{e.name}:{e.scope}" if e.scope else e.name for e in estimates if e.stereotype is None}
        raise unknown(f"{wanted.measure} estimate", str(wanted).partition(":")[2], names)
    return matching[0].value
