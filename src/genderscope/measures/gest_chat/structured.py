"""Parse structured replies: a JSON object that names the letter of one option."""

import json
from collections.abc import Sequence

from genderscope.core.questions import FIELD
from genderscope.measures.gest_chat.reading import LETTERS, UNREADABLE, Read

#: the values that the schema allows, written as in the prompt
CHOICES = tuple(f"({letter})" for letter in LETTERS)
NO_JSON = "not JSON: the server did not apply the schema"
OTHER_JSON = "JSON that names none of the options: the server did not apply the schema"


def read_structured(reply: str, order: Sequence[str], letters: Sequence[str] = LETTERS) -> Read:
    """Parse a reply; `order` is the option at (a), (b) and (c). Only replies that follow the schema are read."""
    try:
        content = json.loads(reply)
    except (ValueError, RecursionError):
        return Read(UNREADABLE, None, NO_JSON)
    chosen = content.get(FIELD) if isinstance(content, dict) else None
    choices = [f"({letter})" for letter in letters]
    if not isinstance(chosen, str) or chosen not in choices:
        return Read(UNREADABLE, None, OTHER_JSON)
    place = choices.index(chosen)
    return Read(order[place], letters[place], "structured output")
