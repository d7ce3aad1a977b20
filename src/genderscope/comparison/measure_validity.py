"""`validity`: do two measures agree across the models that both were run on?

Models of the same family are not treated as independent. A model's family is the beginning of its name,
without the organisation, up to the first digit, hyphen, underscore or dot: `bert` for google-bert/bert-base-uncased,
`gpt` for gpt2-medium. Override the family with `--family MODEL=FAMILY`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from genderscope.comparison.comparability import asked_with
from genderscope.core.errors import UserError, unknown
from genderscope.measures import measure_type
from genderscope.runs import Plot, Result, Run, loaded, reading, without_earlier
from genderscope.statistics.correlation import (
    FEWEST,
    FEWEST_FAMILIES,
    FEWEST_FOR_INTERVAL,
    LEAST_RELIABLE,
    Correlation,
    corrected_for_noise,
    correlate,
    reliability,
)
from genderscope.statistics.estimate import Estimate
from genderscope.statistics.quantiles import normal_quantile
from genderscope.util.lazy_imports import HigherLayer

#: below this number of models, intervals are wide regardless of r
FEW = 10
#: below this number of families, a caution warns against firm conclusions
FEW_FAMILIES = 6


class ValidityDisplay(Protocol):
    """How correlations are drawn."""

    def plot(self, shown: "Validity", figure: None, /) -> Plot:
        """Draw a scatter plot of the models."""


DISPLAY: HigherLayer[ValidityDisplay] = HigherLayer("display")


@dataclass(frozen=True, slots=True)
class Quantity:
    """Reference to one of a measure's estimates, written MEASURE:NAME or MEASURE:NAME:SUBSET."""

    measure: str
    name: str
    subset: str | None = None

    def __str__(self) -> str:
        return ":".join(part for part in (self.measure, self.name, self.subset) if part)


@dataclass(frozen=True, slots=True)
class Validity:
    """Correlation of two estimates across models; `points` maps each model to its values of `x` and `y`.

    `corrected` is Pearson's correlation corrected for the noise implied by the values' intervals; None if a value has
    no interval or if more than half of the variance is noise.
    """

    x: Quantity
    y: Quantity
    points: dict[str, tuple[float, float]]
    pearson: Correlation
    spearman: Correlation
    cautions: tuple[str, ...]
    corrected: Correlation | None = None
    #: model -> family
    families: Mapping[str, str] = field(default_factory=dict)

    def plot(self) -> Plot:
        """Draw a scatter plot of the models with the regression line."""
        return DISPLAY().plot(self, None)


def validity(
    *runs: Run,
    x: str | None = None,
    y: str | None = None,
    families: Mapping[str, str] | None = None,
) -> Validity:
    """Correlate two measures across the models that both were run on.

    `x` and `y` name estimates, such as "gest:stereotype_rate" and "winobias:stereotype_rate:type 1 test". If omitted,
    the runs must cover exactly two measures, and the leading estimate of each is used. `families` overrides the
    families of individual models.
    """
    results = without_earlier(loaded(runs))
    with reading(*results):
        first, second, pairs = paired_estimates(results, x, y)
    points = {model: (a.value or 0.0, b.value or 0.0) for model, (a, b) in pairs.items()}
    family_of = _families(points, families or {})
    one, other = zip(*points.values(), strict=True)
    alike = list(family_of.values())
    pearson, spearman = correlate(one, other, "Pearson", alike), correlate(one, other, "Spearman", alike)
    corrected, why_not = _corrected(pearson, list(pairs.values()))
    cautions = [*_cautions(results, points, pearson, family_of), *([why_not] if why_not else [])]
    return Validity(first, second, points, pearson, spearman, tuple(cautions), corrected, family_of)


def model_family(name: str) -> str:
    """Return the family prefix of a model name, e.g. bert for google-bert/bert-base-uncased."""
    base = re.split(r"[/:#]", name)[-1].strip() or name
    start = re.match(r"[^\d\-_.]+", base)
    return (start[0].strip() if start else base).lower()


def _families(models: Iterable[str], given: Mapping[str, str]) -> dict[str, str]:
    models = list(models)
    for model in given:
        if model not in models:
            raise unknown("model", model, models)
    return {model: given.get(model) or model_family(model) for model in models}


def _corrected(
    pearson: Correlation, pairs: Sequence[tuple[Estimate, Estimate]]
) -> tuple[Correlation | None, str | None]:
    """Return the noise-corrected correlation and None, or None and the reason it cannot be computed."""
    if pearson.r != pearson.r:
        return None, None
    shares = []
    for side in zip(*pairs, strict=True):
        widths = [e.high - e.low for e in side if e.low is not None and e.high is not None]
        if len(widths) < len(side):
            return None, "Not corrected for noise: the value of at least one model has no interval."
        errors = [width / 2 / normal_quantile(0.975) for width in widths]
        shares.append(reliability([e.value or 0.0 for e in side], errors))
    corrected = corrected_for_noise(pearson, (shares[0], shares[1]))
    if corrected is not None:
        return corrected, None
    return None, f"Not corrected for noise: more than {1 - LEAST_RELIABLE:.0%} of the variance between models is noise."


def _cautions(
    results: Sequence[Result], models: Iterable[str], correlation: Correlation, families: Mapping[str, str]
) -> Iterator[str]:
    yield from differently_asked(results, models)
    names = sorted(set(families.values()))
    if len(names) < len(families):
        few = "; with so few families, no firm conclusion is possible" if len(names) < FEW_FAMILIES else ""
        if len(names) < FEWEST_FAMILIES:
            few = f"; with fewer than {FEWEST_FAMILIES} families, there is no interval or p-value"
        yield (
            f"Models of the same family are not treated as independent. Families of the {len(families)} models: "
            f"{', '.join(names)}{few}. Override a family with --family MODEL=FAMILY."
        )
    if correlation.r != correlation.r:
        yield "One of the two estimates has the same value for every model, so the correlation is undefined."
    elif correlation.n < FEWEST_FOR_INTERVAL:
        yield (
            f"{correlation.n} models are too few to generalise from: with fewer than {FEWEST_FOR_INTERVAL}, there is "
            "no interval or p-value."
        )
    elif correlation.n < FEW:
        yield f"With only {correlation.n} models, a correlation is very uncertain; see its interval."


def differently_asked(results: Sequence[Result], models: Iterable[str]) -> Iterator[str]:
    """Yield a caution for each measure whose estimates use different templates for different models."""
    selected = [result for result in results if str(result.config["model"]["name"]) in set(models)]
    for measure in sorted({result.measure for result in selected}):
        over = {
            str(asked_with(r)["templates"]) for r in selected if r.measure == measure and "templates" in asked_with(r)
        }
        if len(over) > 1:
            yield f"The models' estimates of '{measure}' are based on different templates: {', '.join(sorted(over))}."


def paired_estimates(
    results: Sequence[Result], x: str | None, y: str | None
) -> tuple[Quantity, Quantity, dict[str, tuple[Estimate, Estimate]]]:
    """Return the two quantities and, for each model that has values for both, the pair of estimates."""
    by_measure: dict[str, dict[str, Result]] = {}
    for result in results:
        model = str(result.config["model"]["name"])
        by_model = by_measure.setdefault(result.measure, {})
        if model in by_model:
            raise UserError(f"There are two runs of '{result.measure}' for the model '{model}'; give only one of them.")
        by_model[model] = result
    first, second = _quantities(by_measure, x, y)
    models = [m for m in by_measure[first.measure] if m in by_measure[second.measure]]
    points = {}
    for model in models:
        a, b = (_estimate(by_measure[q.measure][model], q) for q in (first, second))
        if a.value is not None and b.value is not None:
            points[model] = (a, b)
    if len(points) < FEWEST:
        raise UserError(
            f"The correlation between {first} and {second} needs at least {FEWEST} models with both estimates; only "
            f"{len(points)} of the given models {'has' if len(points) == 1 else 'have'} both."
        )
    return first, second, points


def _quantities(by_measure: dict[str, dict[str, Result]], x: str | None, y: str | None) -> tuple[Quantity, Quantity]:
    if x is not None and y is not None:
        return _parsed(x, by_measure), _parsed(y, by_measure)
    if x is not None or y is not None:
        raise UserError("Give both --x and --y, or neither.")
    if len(by_measure) != 2:
        raise UserError(
            f"The runs cover {', '.join(sorted(by_measure))}; give runs of exactly two measures, or choose two "
            "estimates with --x and --y."
        )
    one, other = (Quantity(name, measure_type(name).headline[0]) for name in sorted(by_measure))
    return one, other


def _parsed(text: str, by_measure: dict[str, dict[str, Result]]) -> Quantity:
    parts = text.split(":", 2)
    if len(parts) < 2:
        raise UserError(f"'{text}' does not name an estimate; write MEASURE:NAME, e.g. gest:stereotype_rate.")
    if parts[0] not in by_measure:
        raise unknown("measure", parts[0], by_measure)
    return Quantity(*parts)


def _estimate(result: Result, wanted: Quantity) -> Estimate:
    """Return the requested estimate aggregated over all stereotypes and, if no subset is given, all other keys."""
    estimates = result.as_estimates()
    matching = [e for e in estimates if e.is_called(wanted.name) and (e.scope or None) == wanted.subset]
    matching = [e for e in matching if e.stereotype is None]
    if not matching:
        names = {f"{e.name}:{e.scope}" if e.scope else e.name for e in estimates if e.stereotype is None}
        raise unknown(f"{wanted.measure} estimate", str(wanted).partition(":")[2], names)
    return matching[0]
