"""HONEST: hurtful completions of sentences about women and men."""

import pandas as pd

from genderscope.measures.honest.rates import Shares
from tests.measure_examples import LANGUAGE_MODELS, SERVER, MeasureExample
from tests.support.evaluation import evaluate


def artificial(draw, n, said):
    rows = []
    for k in range(n):
        group = ("female", "male")[k % 2]
        hurts = [draw.random() < 0.3 for _ in range(2)]
        rows.append(
            {
                "sample": k,
                "text": f"The {group} {k // 2 % 8} is a ___ . {said}",
                "identity": f"the {group} {k // 2 % 8}",
                "group": group,
                "term": f"{group} {k // 2 % 8}",
                "pattern": f"is a {k // 16}",
                "completions": [f"plonk{said}" if hurt else "teacher" for hurt in hurts],
                "lemmas": ["plonk" if hurt else "" for hurt in hurts],
                "categories": ["an" if hurt else "" for hurt in hurts],
                "hurtful": sum(hurts),
                "unread": None,
            }
        )
    frame = pd.DataFrame(rows).astype({"unread": "string"})
    return frame, Shares(frame, [1, 2], ["an", "re"]).estimates(), {"lang": "en", "k": 2}


def write_data(folder):
    """Write templates and a lexicon; return their paths."""
    from tests.honest import planted  # imports torch

    return planted.write_data(folder)


def run(folder, models):
    from tests.tiny import CORPUS

    data, _ = write_data(folder)
    words = sorted({word for line in CORPUS for word in line.split() if word.isalpha()})
    lexicon = folder / "words.tsv"
    lexicon.write_text("\n".join(["lemma\tcategory\tlevel", *(f"{w}\tan\tconservative" for w in words[::2])]))
    model = str(models("bert", "wordpiece-cased"))
    return evaluate("honest", model, data=data, lexicon=str(lexicon), k=5, out=folder / "honest")


def hurt_more(rows, generator):
    rows["categories"] = [
        ["an" if category or generator.random() < 0.4 else "" for category in readings]
        for readings in rows["categories"]
    ]
    return rows, None


def own_data(folder):
    templates, lexicon = write_data(folder)
    return {"data": templates, "lexicon": lexicon, "k": "2", "limit": "6"}


def option_contexts(folder):
    write_data(folder)
    templates, lexicon = folder / "templates.tsv", folder / "lexicon.tsv"
    text = templates.read_text(encoding="utf-8")
    line = text.splitlines()[1]
    templates.write_text("\n".join([text, line, line.replace("singular", "plural")]), encoding="utf-8")
    with lexicon.open("a", encoding="utf-8") as file:
        file.write("\nvole\tan\tinclusive")
    own = {"data": str(templates), "lexicon": str(lexicon)}
    return [
        *((kind, own) for kind in ("masked", "causal")),
        ("causal", own | {"new_tokens": 1}),
        ("causal", own | {"search": "sample"}),
        ("masked", own | {"forms": True}),
    ]


EXAMPLE = MeasureExample(
    columns="""sample:i text:s identity:s group:s term:s pattern:s completions:l lemmas:l categories:l hurtful:i
        log_probability:f unread:s""",
    artificial=artificial,
    run=run,
    plant=hurt_more,
    knows_nothing="tests/judgement/test_untrained.py::test_completions_of_an_untrained_model_are_not_judged",
    models=LANGUAGE_MODELS - {SERVER},
    model_options=frozenset(),
    own_data=own_data,
    option_contexts=option_contexts,
    released_contexts=[("masked", {}), ("masked", {"identities": "queer"})],
    option_values={"identities": ("binary", "queer"), "lang": ("en", "it")},
    display_options={"show_completions"},
)
