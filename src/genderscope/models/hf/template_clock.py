"""The clock of chat templates: `strftime_now` of transformers, which gives them the date, set to a time of our choice.

Transformers takes no function for a template, so the one in the compiled template is replaced while it is rendered.
Where that is not possible the template has today's date; no answer is mixed up, since prompts are part of their key.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

NAME = "strftime_now"

#: the compiled template belongs to all threads, and to the caller where the model does
_LOCK = Lock()


@contextmanager
def template_clock(template: str | None, strftime_now: Callable[[str], str]) -> Iterator[None]:
    """Make the template call this function for the date."""
    functions = _functions(template) if template is not None and NAME in template else None
    if functions is None:
        yield
        return
    with _LOCK:
        functions[NAME] = strftime_now
        try:
            yield
        finally:
            del functions[NAME]  # uncovers that of transformers


def _functions(template: str) -> Any:
    """Return what a compiled template may call, before what all templates may; None if it cannot be compiled."""
    try:
        from transformers.utils.chat_template_utils import _compile_jinja_template

        return _compile_jinja_template(template).globals
    except Exception:  # rendering it says what is wrong
        return None
