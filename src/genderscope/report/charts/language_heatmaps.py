"""Heat maps of each stereotype's rate by language, and of correlations between languages."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from genderscope.core.languages import LANGUAGES
from genderscope.report.charts.style import (
    CORRELATION,
    FEMININE,
    MASCULINE,
    PAGE,
    PALE,
    Size,
    Spec,
    counted,
    diverging,
    failure,
    field,
    label,
    marks,
    styled,
    told,
)
from genderscope.samples.gest import STEREOTYPES
from genderscope.statistics.estimate import Estimate


def language_name(code: str) -> str:
    """Return a language's English name and code."""
    return f"{LANGUAGES[code].name} ({code})" if code in LANGUAGES else code


def order_by_similarity(rates: Sequence[Estimate]) -> list[str]:
    """Order languages by average-linkage clustering (distance 1 - r), so that similar languages are adjacent."""
    from scipy.cluster.hierarchy import leaves_list, linkage

    languages = list(dict.fromkeys(str(e.language) for e in rates))
    rate_of = {(e.language, e.stereotype): _log(e) for e in rates if e.value is not None}
    numbers = [i for i in STEREOTYPES if all((language, i) in rate_of for language in languages)]
    if len(languages) < 3 or len(numbers) < 3:
        return languages
    table = np.array([[rate_of[language, i] for i in numbers] for language in languages])
    if not (table.std(axis=1) > 0).all():
        return languages
    return [languages[k] for k in leaves_list(linkage(table, "average", metric="correlation")).tolist()]


def rates_by_language(rates: Sequence[Estimate], order: Sequence[str], size: Size = PAGE) -> Spec:
    """Draw one cell per language and stereotype, coloured by the masculine rate relative to the language's mean.

    A language's mean reflects its scaffold and word forms rather than stereotypes, and would dominate the colours.
    """
    means = {
        language: float(np.mean([_log(e) for e in rates if e.language == language and e.value is not None]))
        for language in {e.language for e in rates if e.value is not None}
    }
    cells = [
        {
            "language": str(e.language) if size.narrow else language_name(str(e.language)),
            "stereotype": _column(e, size),
            "rate": _log(e) - means[e.language],
            "label": _tooltip(e),
            **failure(e),
        }
        for e in rates
        if e.value is not None
    ]
    reach = max(0.1, *(abs(_log(e) - means[e.language]) for e in rates if e.value is not None))
    rows = [code if size.narrow else language_name(code) for code in order]
    columns = list(dict.fromkeys(_column(e, size) for e in sorted(rates, key=lambda e: e.stereotype or 0)))
    encoding = {
        "x": field("stereotype:N", sort=columns, title=None, axis={"labelAngle": -90, "orient": "top"}),
        "y": field("language:N", sort=rows, title=None),
        "color": field("rate:Q", scale=diverging(FEMININE, MASCULINE, reach), title="log q_i minus mean"),
        "description": field("label:N"),
        **({"opacity": PALE} if any("failure" in cell for cell in cells) else {}),
    }
    place = {"width": size.width - (60 if size.narrow else 190), "height": {"step": size.text + 6}}
    return styled({**marks("rect", encoding, cells, stroke=None), **place}, size)


def agreement_of_languages(correlations: Sequence[Estimate], order: Sequence[str], size: Size = PAGE) -> Spec | None:
    """Draw the symmetric matrix of correlations between languages; return None if no correlation has a value."""
    cells = []
    for e in correlations:
        if e.value is None:
            continue
        one, other = str(e.group).removeprefix("languages ").split(" and ")
        text = f"{language_name(one)}, {language_name(other)}\n{told(e)}"
        cells += [{"a": a, "b": b, "r": e.value, "label": label(text)} for a, b in ((one, other), (other, one))]
    if not cells:
        return None
    present = {str(cell["a"]) for cell in cells}
    names = [language for language in order if language in present]
    encoding = {
        "x": field("a:N", sort=names, title=None, axis={"labelAngle": -90}),
        "y": field("b:N", sort=names, title=None),
        "color": CORRELATION,
        "description": field("label:N"),
    }
    step = {"step": min((size.width - 80) // len(names), 40)}
    return styled({**marks("rect", encoding, cells), "width": step, "height": step}, size)


def _log(estimate: Estimate) -> float:
    """Return the distance from neutral: the log of a ratio or the log-odds of a share."""
    value = estimate.value or 0.0
    if estimate.neutral == 1:
        return math.log(value)
    return math.log(value / (1 - value)) if estimate.neutral == 0.5 and 0 < value < 1 else value


def _tooltip(estimate: Estimate) -> str:
    stereotype = f"{estimate.stereotype} {STEREOTYPES[int(estimate.stereotype or 1)]}"
    text = f"{language_name(str(estimate.language))}, {stereotype}\n{told(estimate)}\n{counted(estimate)}"
    return label(text, language=estimate.language, stereotype=stereotype)


def _column(estimate: Estimate, size: Size) -> str:
    number = int(estimate.stereotype or 1)
    return str(number) if size.narrow else f"{number} {STEREOTYPES[number]}"


def by_language(estimates: Sequence[Estimate], name: str) -> Mapping[str, Estimate]:
    """Return the estimates with this name that combine all conditions, keyed by language."""
    return {str(e.language): e for e in estimates if e.name == name and e.language and e.subset is None}
