"""Replacement of `strftime_now` in chat templates, so that they show a chosen date.

transformers offers no way to pass functions to a template, so `strftime_now` is replaced in the compiled template
during rendering. If that is impossible, the template shows today's date. Answers are not mixed up even then, because
prompts are part of their keys.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

NAME = "strftime_now"

#: compiled templates are shared between threads and, for a caller's model, with the caller
_LOCK = Lock()


@contextmanager
def template_clock(template: str | None, strftime_now: Callable[[str], str]) -> Iterator[None]:
    """Make the template use this function for the date."""
    functions = _functions(template) if template is not None and NAME in template else None
    if functions is None:
        yield
        return
    with _LOCK:
        functions[NAME] = strftime_now
        try:
            yield
        finally:
            del functions[NAME]  # restores the function from transformers


def _functions(template: str) -> Any:
    """Return the compiled template's globals, which override the environment's; None if the template is invalid."""
    try:
        from transformers.utils.chat_template_utils import _compile_jinja_template

        return _compile_jinja_template(template).globals
    except Exception:  # rendering reports the error
        return None
