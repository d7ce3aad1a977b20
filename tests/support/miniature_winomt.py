"""WinoMT in miniature: six sentences of our own, with planted translations, readings, logs and scores.

The translator follows the stereotype: nurses are women, cooks and guards are men.
"""

import hashlib
from dataclasses import replace

from genderscope.samples import registry
from genderscope.samples.registry import DataFile
from tests.support.tables import lines, table

SENTENCES = (
    ("male", "The nurse saw the cook because he was late.", "nurse"),
    ("female", "The nurse saw the cook because she was late.", "nurse"),
    ("male", "The nurse paid the cook for his soup.", "cook"),
    ("female", "The nurse paid the cook for her soup.", "cook"),
    ("neutral", "The guard told someone that they were late.", "guard"),
    ("neutral", "Someone thanked the guard because they were safe.", "someone"),
)
SPANISH = (
    "La enfermera vio al cocinero porque llegaba tarde.",
    "La enfermera vio al cocinero porque llegaba tarde.",
    "La enfermera pagó al cocinero por su sopa.",
    "La enfermera pagó al cocinero por su sopa.",
    "El guardia le dijo a alguien que llegaba tarde.",
    "Alguien dio las gracias al guardia porque estaba a salvo.",
)
#: what the original script reads; it leaves the last sentence out
READINGS = ("male", "female", "male", "unknown", "male", "ignore")
LOG = """#total = 10;
defaultdict(<function at 0x1>, {<GENDER.male: 0>: defaultdict(<function at 0x2>, {<GENDER.male: 0>: 4,
 <GENDER.unknown: 3>: 1}), <GENDER.female: 1>: defaultdict(<function at 0x3>, {<GENDER.male: 0>: 3,
 <GENDER.female: 1>: 1}), <GENDER.neutral: 2>: defaultdict(<function at 0x4>, {<GENDER.neutral: 2>: 1})})
"""


def install(folder, monkeypatch):
    """Write the files into a folder and let the loaders use it as the mirror."""
    monkeypatch.setenv("GENDERSCOPE_MIRROR", str(folder))
    for name, texts in _datasets().items():
        listed = []
        for path, text in texts.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(text.encode())
            sha256 = hashlib.sha256(text.encode()).hexdigest()
            listed.append(DataFile(path, "http://127.0.0.1:9/", sha256, len(text.encode())))
        monkeypatch.setitem(registry.DATASETS, name, replace(registry.DATASETS[name], files=tuple(listed)))


def _datasets():
    parts = {"en": range(6), "en_pro": (1, 2), "en_anti": (0, 3)}
    changed = ["Another sentence." if k == 3 else source for k, (_, source, _) in enumerate(SENTENCES)]
    unread = [text if k != 3 else "Le pagó por la sopa." for k, text in enumerate(SPANISH)]
    return {
        "winomt": {f"winomt/aggregates/{name}.txt": _aggregate(chosen) for name, chosen in parts.items()},
        "winomt-translations": {"winomt/translations/google/en-es.txt": _outputs(changed, SPANISH)},
        "winomt-logs": {"winomt/logs/google/es.log": LOG},
        "winomt-2025": {
            "winomt-2025/translations/opus/en-es.txt": _outputs([source for _, source, _ in SENTENCES], unread),
            "winomt-2025/predicted/opus/es.csv": table(
                ("Sentence", "Predicted gender"), *zip(unread, READINGS, strict=True)
            ),
        },
        "winomt-wmt20": {
            "winomt/wmt_results/de.csv": "Ours.12\n60.0,70.0,50.0\n80.0,80.0,80.0\n55.5,70.0,40.0\n",
            "winomt/wmt_results/ru.csv": table(
                ("Translation System", "acc", "delta-G", "delta-S"),
                ("newstest2020-enru-online-x.ru.sgm.7", 40.0, 30.0, 10.0),
            ),
        },
    }


def _aggregate(chosen):
    return lines(f"{gender}\t1\t{source}\t{entity}" for gender, source, entity in (SENTENCES[k] for k in chosen))


def _outputs(sources, translations):
    return lines(f"{source} ||| {translation}" for source, translation in zip(sources, translations, strict=True))
