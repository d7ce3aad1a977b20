"""The papers' figures, and their recomputation from released data beside ours."""

#: what can be recomputed -> the function that shows it, given a console, finished runs and perhaps a CSV file to write
REPRODUCTIONS = {
    "gest-lm": "genderscope.published.layout.gest_lm:gest_lm",
    "gest-mt": "genderscope.published.layout.gest_mt:gest_mt",
    "honest": "genderscope.published.layout.honest:honest",
    "wordfill": "genderscope.published.layout.wordfill:wordfill",
    "gest-validity": "genderscope.published.layout.gest_validity:gest_validity",
    "dialogue": "genderscope.published.layout.dialogue:dialogue",
}
