"""The papers' figures, and their recomputation from released data beside ours."""

#: what can be recomputed -> the function that shows it, given a console and perhaps a CSV file to write
REPRODUCTIONS = {
    "gest-lm": "genderscope.report.reproduction:gest_lm",
    "gest-mt": "genderscope.report.reproduction_mt:gest_mt",
    "dialogue": "genderscope.report.reproduction_dialogue:dialogue",
}
