"""The papers' figures, and their recomputation from released data beside ours."""

#: what can be recomputed -> the function that shows it, given a console, finished runs and an optional CSV target
REPRODUCTIONS = {
    "gest-lm": "genderscope.published.gest_lm:gest_lm",
    "gest-chat": "genderscope.published.gest_chat:gest_chat",
    "gest-mt": "genderscope.published.gest_mt:gest_mt",
    "honest": "genderscope.published.honest:honest",
    "wordfill": "genderscope.published.wordfill:wordfill",
    "gest-validity": "genderscope.published.gest_validity:gest_validity",
    "dialogue": "genderscope.published.dialogue:dialogue",
}
