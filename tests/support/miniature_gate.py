"""GATE in miniature: the layout of its files, with sentences of our own."""

from tests.support.tables import lines

#: English -> German, Portuguese and Russian with both genders
_APPLE = {
    "The teacher slept.": (
        "[[Der Lehrer/Die Lehrerin]] schlief.",
        "[[O professor/A professora]] dormiu.",
        "[[Учитель/Учительница]] [[спал/спала]].",
    ),
    "The baker sang.": (
        "[[Der Bäcker/Die Bäckerin]] sang.",
        "[[O padeiro/A padeira]] cantou.",
        "[[Пекарь/Пекарша]] [[пел/пела]].",
    ),
}
_ONE = ("labels", "source", "f", "m", "kw_s", "kw_f", "kw_m", "data_split")
_TWO = ("labels", "source", "ff", "fm", "mf", "mm", "kw_s", "kw_f", "kw_m", "data_split")
_MICROSOFT = {
    "ES": [
        ("SUBJ;PROF", "The teacher slept.", "La maestra durmió.", "El maestro durmió.", "teacher", "la [maestra]",
         "el [maestro]", "test"),
        ("DOBJ;PROF", "We saw the baker.", "Vimos a la panadera.", "Vimos al panadero.", "baker", "a la [panadera]",
         "al [panadero]", "test"),
        ("SUBJ;NHUM", "The cat slept.", "La gata durmió.", "El gato durmió.", "cat", "la [gata]", "el [gato]", "test"),
    ],
    "FR": [
        ("SUBJ;PROF", "The baker sang.", "La boulangère a chanté.", "Le boulanger a chanté.", "baker",
         "la [boulangère]", "le [boulanger]", "test"),
    ],
    "IT": [
        ("SUBJ;PROF", "The teacher slept.", "La maestra ha dormito.", "Il maestro ha dormito.", "teacher",
         "la [maestra]", "il [maestro]", "test"),
    ],
}  # fmt: skip
_COUPLE = {
    "ES": ("SUBJ;PROF;DOBJ;PROF", "The teacher met the baker.", *(f"{k}" for k in range(4)), "teacher;baker",
           "la [maestra];a la [panadera]", "el [maestro];al [panadero]", "test"),
    "FR": ("SUBJ;PROF;OPRP;OTH", "The baker spoke to you.", *(f"{k}" for k in range(4)), "baker;you",
           "la [boulangère];vous", "le [boulanger];vous", "test"),
    "IT": ("SUBJ;PROF;DOBJ;PROF", "The teacher met the baker.", *(f"{k}" for k in range(4)), "teacher;baker",
           "la [maestra];la [fornaia]", "il [maestro];il [fornaio]", "test"),
}  # fmt: skip


def gate():
    """Return Microsoft's files, with one or two people in a sentence, and an empty one for three."""
    files = {}
    for folder, rows in _MICROSOFT.items():
        files[f"gate/{folder}/{folder}_2_variants.tsv"] = _tabbed(_ONE, *rows)
        files[f"gate/{folder}/{folder}_4_variants.tsv"] = _tabbed(_TWO, _COUPLE[folder])
        files[f"gate/{folder}/{folder}_8_variants.tsv"] = _tabbed(_TWO)
    return files


def gate_apple():
    """Return Apple's files, with a sentence that is marked as invalid."""
    english = ("source", "source with headwords", "gender labels of headwords", "gender alignments")
    header = (*english, "translation with gender structures", "invalid")
    files = {}
    for place, language in enumerate(("de", "pt", "ru")):
        rows = [
            (source, source.replace("The ", "The [[", 1).replace(" s", "]] s", 1), "Amb", _aligned(found[place]),
             found[place], "No")
            for source, found in _APPLE.items()
        ]  # fmt: skip
        files[f"gate-apple/gate.en-{language}.tsv"] = _tabbed(header, *rows, ("The cook ate.", "", "", "", "", "Yes"))
    return files


def _aligned(text):
    return ",".join(f"0-{k}" for k in range(text.count("[[")))


def _tabbed(*rows):
    return lines("\t".join(row) for row in rows)
