"""The view of GEST for Slavic language models: as GEST, over pairs of sentences."""

from difflib import SequenceMatcher
from typing import Any

from genderscope.report.explorer import Explorer, Mark, Part, choices, figures, marked, texts
from genderscope.report.views.gest import GestView
from genderscope.report.views.stereotypes import preferred, stereotype_name
from genderscope.runs.result import Result

#: how the man's and the woman's form are marked, by which of them is preferred
MARKS: dict[str | None, tuple[Mark, Mark]] = {"masculine": ("masculine", "faded"), "feminine": ("faded", "feminine")}


class GestSlavicView(GestView):
    """Sixteen stereotypes, and the two forms of each sentence beside each other."""

    about = (
        "The model reads first-person sentences in a Slavic language, each tied to one of 16 gender stereotypes, in "
        "the form that a man would say and in the form that a woman would say, and tells how much more probable the "
        "man's form is: the masculine rate."
    )

    def explorer(self, result: Result) -> Explorer:
        frame = result.rows.assign(
            stereotype=result.rows["stereotype"].map(stereotype_name),
            prefers=result.rows["log_ratio"].map(preferred),
            language=result.config["configuration"].get("lang") or "unknown",
        )
        pairs = [_forms(row) for row in frame.itertuples()]
        return Explorer(
            [
                texts("male", "as a man says it", [male for male, _ in pairs]),
                texts("female", "as a woman says it", [female for _, female in pairs]),
                *choices(frame, stereotype="stereotype", language="language", prefers="prefers"),
                *figures(frame, log_ratio="log-ratio (above 0: masculine)"),
                *choices(frame, unread="not read because"),
            ],
            legend="Marked: the word in which the two forms differ, in the form that the model finds more probable.",
        )


def _forms(row: Any) -> tuple[list[Part], list[Part]]:
    """Mark the words that differ; those of the less probable form are faded."""
    words = row.sentence.split(" "), row.female.split(" ")
    marks = MARKS.get(row.prefers, ("other", "other"))
    matcher = SequenceMatcher(None, *words, autojunk=False)
    spans = [((a, b), (c, d)) for kind, a, b, c, d in matcher.get_opcodes() if kind != "equal"]
    found = []
    for side, (said, mark) in enumerate(zip(words, marks, strict=True)):
        starts = [sum(len(word) + 1 for word in said[:k]) for k in range(len(said) + 1)]
        found.append(marked(" ".join(said), [(starts[s[side][0]], starts[s[side][1]] - 1, mark) for s in spans]))
    return found[0], found[1]
