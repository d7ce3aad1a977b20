"""The user's own prompts for GEST, from a CSV file."""

from genderscope.core.errors import UserError
from genderscope.core.tables import Table, lines_of, own_file
from genderscope.measures.gest.templates import FIRST_OWN, Template

#: place of the sentence as it is, or as direct speech, and of the word
SENTENCE, SPEECH, BLANK = "{sentence}", "{speech}", "{blank}"
NEEDED = f"""each prompt has {BLANK} and {SENTENCE} or {SPEECH}, as in '"{SPEECH}" said the {BLANK}'"""


def own_prompts(path: str, sees_after: bool) -> dict[int, Template]:
    """Return the prompts in a file by number; raise UserError for one that cannot be asked."""
    table = Table(lines_of(own_file(path, "prompts"), path), path)
    table.need(("prompt", "male", "female"), NEEDED)
    found: dict[int, Template] = {}
    for line, row in table:
        prompt, male, female = (str(row[name] or "").strip() for name in ("prompt", "male", "female"))
        template = _template(prompt, male, female, f"{path}, line {line}")
        if not sees_after and "{" in template.after:
            raise UserError(
                f"{path}, line {line}: the sentence comes after the blank, where a causal model cannot see it; put it "
                "before."
            )
        if template in found.values():
            raise UserError(
                f"{path}, line {line}: the prompt occurs twice; remove one, because it would agree with itself."
            )
        found[FIRST_OWN + len(found)] = template
    if not found:
        raise UserError(f"{path} contains no prompts; {NEEDED}.")
    return found


def _template(prompt: str, male: str, female: str, where: str) -> Template:
    if prompt.count(BLANK) != 1:
        raise UserError(f"{where}: the prompt needs {BLANK} once, in the place of the word; {NEEDED}.")
    if prompt.count(SENTENCE) + prompt.count(SPEECH) != 1:
        raise UserError(f"{where}: the prompt needs {SENTENCE} or {SPEECH} once; {NEEDED}.")
    if not male or not female or male == female:
        raise UserError(f"{where}: 'male' and 'female' must be two different words for {BLANK}.")
    before, after = (part.replace(SENTENCE, "{s}") for part in prompt.split(BLANK))
    if (before + after).count("{") != 1:
        raise UserError(f"{where}: apart from {BLANK} and {SENTENCE} or {SPEECH}, the prompt may contain no braces.")
    return Template(before, after, male, female)
