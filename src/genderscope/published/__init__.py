"""Published results, recomputed from released data or compared with our runs."""

#: name -> function that prints the comparison, given a console, finished runs and an optional CSV target
REPRODUCTIONS = {
    "gest-lm": "genderscope.published.gest_lm:gest_lm",
    "gest-chat": "genderscope.published.genderbench_report:gest_chat",
    "gest-mt": "genderscope.published.gest_mt_tables:gest_mt",
    "winomt": "genderscope.published.winomt_tables:winomt",
    "honest": "genderscope.published.honest_tables:honest",
    "wordfill": "genderscope.published.wordfill_tables:wordfill",
    "crows-nl-fr": "genderscope.published.crows_tables:crows",
    "gest-validity": "genderscope.published.gest_validity:gest_validity",
    "dialogue": "genderscope.published.wmt24_tables:dialogue",
}
