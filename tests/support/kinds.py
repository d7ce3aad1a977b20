"""Says of which kind a model is."""

from typing import TypeVar

from genderscope.models import Model

Kind = TypeVar("Kind", bound=Model)


def of_kind(model: Model, kind: type[Kind]) -> Kind:
    """Return the model, which must be of this kind, so that what only this kind has is checked as well."""
    assert isinstance(model, kind)
    return model
