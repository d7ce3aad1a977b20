"""Wide intervals: templates that share their words, languages of one family, few wordings, all drawn at random."""

from collections.abc import Iterator, Sequence

import numpy as np
from benchmarks.simulated import Checked, Situation, wide
from benchmarks.simulated.gest import frame

from genderscope.measures.gest import Rates
from genderscope.samples.gest import MALE
from genderscope.statistics.student_intervals import Error, interval
from genderscope.statistics.wide_intervals import Columns, Scope, column_scope, wide_scope

SIDES = (9, 7)


def templates(numbers: Sequence[int], pair: float, single: float):
    """GEST whose templates differ by their word pair and by themselves; the truth is for what `wide_over` names."""

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        pairs = generator.normal(0, pair, 2)
        effects = np.array([pairs[(k - 1) % 2] for k in numbers]) + generator.normal(0, single, len(numbers))
        values = {}
        for i in range(1, 17):
            male = i in MALE
            centre = 0.4 * male + generator.normal(0, 0.3) + male * effects
            values[i] = centre + generator.normal(0, 0.6, (16, 1)) + generator.normal(0, 0.5, (16, len(numbers)))
        rows = frame(values)
        rows["template"] = np.tile(numbers, len(rows) // len(numbers))
        g_s = Rates(rows, 0, "log").g_s(None)
        yield wide(g_s, 0.4 if "templates" in (g_s.wide_over or "templates") else 0.4 + float(effects.mean()))

    return draw


def table(families: Sequence[int], family: float, single: float, both: float, narrow: float = 0.05):
    """Means by stereotype and language; `families` are the sizes of the language families."""
    labels = [str(k) for k, size in enumerate(families) for _ in range(size)]
    codes = np.array(labels, dtype=int)
    columns = Columns("language", labels, "language family")
    noise = Error(2 * narrow**2, 200)

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        effects = generator.normal(0, family, len(families))[codes] + generator.normal(0, single, len(codes))
        sides = []
        for rows, size in zip((1.0, 0.0), SIDES, strict=True):
            side = rows * effects + generator.normal(0, 0.3, (size, 1))
            side = side + generator.normal(0, both, (size, len(families)))[:, codes]
            side = side + generator.normal(0, both, (size, len(codes)))
            sides.append(side + generator.normal(0, narrow * np.sqrt(size), (size, 1)))
        yield _checked("stereotypes and languages", wide_scope(sides, noise, "stereotype", columns), sides)
        one = effects + generator.normal(0, 0.01)
        scope = column_scope(one, Error(1e-4, 50), columns)
        yield Checked("languages", 0.0, *(interval(float(one.mean()), scope.error) or (None, None)))

    return draw


def _checked(what: str, scope: Scope, sides: Sequence[np.ndarray]) -> Checked:
    value = float(sides[0].mean() - sides[1].mean())
    return Checked(what, 0.0, *(interval(value, scope.error) or (None, None)))


def situations() -> Iterator[Situation]:
    """Every kind of units that are not independent, or few."""
    yield Situation("scopes", "4 templates of 2 word pairs", templates((1, 2, 3, 4), 0.3, 0.05))
    yield Situation("scopes", "2 templates", templates((3, 4), 0.3, 0.05))
    few = "n < 12"
    for name, sizes in (
        ("30 languages of 4 families", (8, 8, 7, 7)),
        ("30 languages of 4 unequal families", (15, 8, 5, 2)),
        ("30 languages of 9 unequal families", (8, 7, 6, 3, 2, 1, 1, 1, 1)),
        ("12 languages of 3 families, one large", (10, 1, 1)),
        ("3 languages of 3 families", (1, 1, 1)),
        ("20 languages, each of its own family", (1,) * 20),
    ):
        shown = few if len(sizes) < 12 else ""
        yield Situation("scopes", f"{name}, families differ", table(sizes, 0.3, 0.1, 0.1), 1, shown)
        yield Situation("scopes", f"{name}, single languages differ", table(sizes, 0.0, 0.3, 0.1), 1, shown)
        yield Situation("scopes", f"{name}, hardly a difference", table(sizes, 0.1, 0.02, 0.1), 1, shown)
