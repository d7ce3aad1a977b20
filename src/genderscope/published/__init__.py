"""The papers' figures, and their recomputation from released data beside ours."""

#: what can be recomputed -> the function that shows it, given a console, finished runs and perhaps a CSV file to write
REPRODUCTIONS = {
    "gest-lm": "genderscope.report.reproduction:gest_lm",
    "gest-mt": "genderscope.report.reproduction_mt:gest_mt",
    "honest": "genderscope.report.reproduction_honest:honest",
    "wordfill": "genderscope.report.reproduction_wordfill:wordfill",
    "gest-validity": "genderscope.report.reproduction_validity:gest_validity",
    "dialogue": "genderscope.report.reproduction_dialogue:dialogue",
}
