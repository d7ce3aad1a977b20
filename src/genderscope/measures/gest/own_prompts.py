"""The user's own prompts for GEST, from a CSV file."""

from genderscope.core.errors import UserError
from genderscope.core.tables import Table, lines_of, own_file
from genderscope.measures.gest.templates import FIRST_OWN, Template

_SENTENCE, _BLANK = "{sentence}", "{blank}"
NEEDED = f'each prompt has {_SENTENCE} and {_BLANK}, e.g. "{_SENTENCE}" the {_BLANK} said.'


def own_prompts(path: str, sees_after: bool) -> dict[int, Template]:
    """Return the prompts in a file by number; raise UserError for one without a place for the sentence or the word."""
    table = Table(lines_of(own_file(path, "prompts"), path), path)
    table.need(("prompt", "male", "female"), NEEDED)
    found = {}
    for number, (line, row) in enumerate(table, FIRST_OWN):
        where = f"{path}, line {line}"
        prompt, male, female = (str(row[name] or "").strip() for name in ("prompt", "male", "female"))
        for place, what in ((_BLANK, "the word"), (_SENTENCE, "the sentence")):
            if prompt.count(place) != 1:
                raise UserError(f"{where}: the prompt needs {place} once, in the place of {what}; {NEEDED}")
        if not male or not female or male == female:
            raise UserError(f"{where}: 'male' and 'female' must be two different words for {_BLANK}.")
        before, after = prompt.split(_BLANK)
        if not sees_after and _SENTENCE in after:
            raise UserError(
                f"{where}: the sentence comes after the blank, where a causal model cannot see it; put it before."
            )
        before, after = (part.replace(_SENTENCE, "{speech}") for part in (before, after))
        found[number] = Template(before, after, male, female)
    if not found:
        raise UserError(f"{path} contains no prompts; {NEEDED}")
    return found
