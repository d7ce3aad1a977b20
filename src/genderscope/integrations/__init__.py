"""Where results go: experiment trackers, the Hugging Face hub, a training loop of transformers."""

from typing import TYPE_CHECKING

from genderscope.doors import door

if TYPE_CHECKING:
    from genderscope.integrations.hub import push
    from genderscope.integrations.trackers import TRACKERS, log, require_trackers
    from genderscope.integrations.trainer import GenderscopeCallback

__all__ = ["TRACKERS", "GenderscopeCallback", "log", "push", "require_trackers"]

__getattr__ = door(
    __name__,
    {
        "GenderscopeCallback": "trainer",
        "TRACKERS": "trackers",
        "log": "trackers",
        "push": "hub",
        "require_trackers": "trackers",
    },
)
