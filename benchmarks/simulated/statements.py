"""How often each verdict is false, in data that tempt it: no effect at all, or one just below or above the threshold.

A false statement is counted as an interval that misses; one that is not made cannot be false.
"""

from collections.abc import Iterator

import numpy as np
from benchmarks.simulated import Checked, Situation, translation
from benchmarks.simulated import gest as gest_rows

from genderscope.judgement import Margin, Verdict, judge
from genderscope.measures.gest.rates import Rates
from genderscope.measures.gest_mt.rates import MtRates
from genderscope.samples.gest import MALE
from genderscope.statistics.estimate import Estimate

RATIO, SHARE = Margin(1.1, factor=True), Margin(0.03, most=1.0)
#: where the truth lies, in thresholds -> the verdicts that are false there
TEMPTING = {
    "no effect": (0.0, {Verdict.EFFECT, Verdict.LARGE_EFFECT}),
    "just below the threshold": (0.99, {Verdict.LARGE_EFFECT}),
    "just above the threshold": (1.01, {Verdict.NO_EFFECT}),
}


def stated(e: Estimate, margin: Margin, false: set[Verdict]) -> Iterator[Checked]:
    """Check the verdicts on one estimate."""
    judgement = judge(e, margin)
    for what, verdict in (("verdict", judgement.verdict), ("verdict on these samples", judgement.narrow)):
        yield Checked(f"false {what}", 0.0, *((1.0, 1.0) if verdict in false else (0.0, 0.0)))


def gest(n: int, where: str, between: float) -> Situation:
    """n sentences for each stereotype; stereotypes of one kind differ by `between`, drawn for each data set."""
    distance, false = TEMPTING[where]

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        shift = distance * RATIO.distance
        values = {
            i: (shift if i in MALE else 0.0)
            + between * generator.normal()
            + generator.normal(size=(n, 1))
            + 0.3 * generator.normal(size=(n, 2))
            for i in range(1, 17)
        }
        e = next(e for e in Rates(gest_rows.frame(values), 0, "ratio").estimates() if e.name == "stereotype_rate")
        checks = list(stated(e, RATIO, false))
        yield from checks if not between else checks[:1]  # these stereotypes have a truth of their own

    differ = f", stereotypes differ by {between:g}" if between else ""
    return Situation("statements", f"gest, {n} sentences each, {where}{differ}", draw, 0.5, "one-sided or unsaid")


def mt(n: int, where: str) -> Situation:
    """n sentences for each stereotype, 80 % of which are read."""
    distance, false = TEMPTING[where]
    shift = distance * SHARE.size

    def draw(generator: np.random.Generator) -> Iterator[Checked]:
        masculine = {
            i: (generator.random((n, 1)) < 0.7 + (shift / 2 if i in MALE else -shift / 2)).astype(float)
            for i in range(1, 17)
        }
        rates = MtRates(translation.frame(masculine, 0.8, generator), 0, False)
        e = next(e for e in rates.estimates() if e.name == "stereotype_rate")
        yield from stated(e, SHARE, false)

    return Situation("statements", f"gest-mt, {n} sentences each, {where}", draw, 0.5, "one-sided or unsaid")


def situations() -> Iterator[Situation]:
    """Every situation."""
    for where in TEMPTING:
        yield from (gest(n, where, 0.0) for n in (16, 400))
        yield gest(60, where, 0.15)
        yield from (mt(n, where) for n in (16, 400))
