"""The option that leaves controls out, for measures that ask controls of their own."""

from typing import Literal

from pydantic import Field

from genderscope.measures.base import PublishedOptions
from genderscope.samples.controls import NONE

NO_EFFECT = "--controls has no effect here, because {}; leave it out."


class ControlOptions(PublishedOptions):
    """Options of measures that ask controls with known answers."""

    controls: Literal["none"] | None = Field(
        None, description="Leave out the controls, which have known answers ('none')."
    )

    @property
    def asks_controls(self) -> bool:
        """Whether controls are asked: not if the user leaves them out, nor for published numbers."""
        return self.controls != NONE and not self.as_published

    def ineffective(self) -> str | None:
        if self.controls is not None and self.as_published:
            return NO_EFFECT.format("no controls are asked with --as-published")
        return super().ineffective()

    @property
    def control_settings(self) -> dict[str, str]:
        """The signature entry for controls that were left out."""
        return {} if self.controls is None else {"controls": self.controls}
