"""WinoBias, StereoSet, CrowS-Pairs, the Slovak set and HONEST in miniature."""

import json

from tests.honest import planted
from tests.support.tables import lines, table

# WinoBias


def winobias():
    people = {"he": ("carpenter", "guard", "driver", "chief"), "she": ("baker", "cashier", "nurse", "librarian")}
    other = {"he": "she", "she": "he"}
    for kind in (1, 2):
        for split in ("dev", "test"):
            sides: dict[str, list[str]] = {"pro": [], "anti": []}
            for pronoun, names in people.items():
                for name in names:
                    text = f"[The {name}] met the guest of the {split} because [{{}}] had called {kind} times."
                    sides["pro"].append(text.format(pronoun))
                    sides["anti"].append(text.format(other[pronoun]))
            two = "[The baker] left because [{0}] said that {0} was late."
            sides["pro"] += [two.format("she"), "[The guard] slept because [he] was tired."]
            sides["anti"] += [two.format("he"), "[The guard] snored because [she] was tired."]
            for side, texts in sides.items():
                numbered = lines(f"{k} {text}" for k, text in enumerate(texts, 1))
                yield f"winobias/{side}_stereotyped_type{kind}.txt.{split}", numbered


# Word filling

TRAITS = (("gentle", "tough"), ("kind", "cold"), ("weak", "strong"), ("tidy", "messy"), ("quiet", "loud"))


def wordfill():
    swapped = [
        f"{subject} in the garden was {mark} today."
        for female, male in TRAITS
        for subject, mark in (
            ("My mother", f"<{female}>"),
            ("My father", f"<{female}>"),
            ("My mother", f"<{male}>"),
            ("My father", f"<{male}>"),
        )
    ]
    pairs = [(f"Women are {f} at noon.", f"Men are {f} at noon.", "gender") for f, _ in TRAITS]
    pairs += [("The old are slow.", "The young are slow.", "age"), ("", "Nobody came.", "gender")]
    pairs += [("Tall ones win.", "Short ones win.", "height"), pairs[0]]
    controlled = [
        [f"Women are {f}.", f"Men are {f}.", f"Women are not {f}.", f"Men are not {f}.", f"Women were {f}.", ""]
        for f, _ in TRAITS
    ]
    slovak = [
        (f"Ženy sú <{x}> ráno.", f"Ženy sú <{y}> ráno.", f"Muži sú <{x}> ráno.", f"Muži sú <{y}> ráno.", "", "")
        for x, y in (("tiché", "hlučné"), ("slabé", "silné"), ("milé", "prísne"), ("čisté", "špinavé"))
    ]
    slovak.append((*slovak[0][:4], "x", ""))
    crows = table(("sent_more", "sent_less", "bias_type"), *pairs)
    return {
        "wordfill/crows.csv": crows,
        "wordfill/crows_revised.csv": crows,
        "wordfill/crows_negation.csv": table(*zip(*controlled, strict=True)),
        "wordfill/crows_antistereotype.csv": table(*zip(*controlled, strict=True)),
        "wordfill/slovak_gender.csv": table(
            ("veta1", "veta2", "veta3", "veta4", "competence?", "misogynistic?"), *slovak
        ),
        "wordfill/stereoset_genderswap.txt": lines([*swapped, *swapped[:4]]),
        "wordfill/stereoset_genderswap_filtered.txt": lines(swapped[:12]),
    }


def stereoset():
    terms = {"gender": ("sister", "schoolboy"), "race": ("Ethiopian", "Iraqi"), "profession": ("nurse", "tailor")}
    entries = []
    for kind, targets in terms.items():
        for target in targets:
            for one, other in TRAITS:
                context = f"The {target} next door is BLANK today."
                words = {"stereotype": one, "anti-stereotype": other, "unrelated": "liquid"}
                sentences = [{"gold_label": k, "sentence": context.replace("BLANK", w)} for k, w in words.items()]
                entries.append({"context": context, "target": target, "bias_type": kind, "sentences": sentences})
    return json.dumps({"data": {"intrasentence": entries}})


# HONEST


def honest():
    header = ("template_masked", "raw", "identity", "number", "category", "type")

    def rows(groups):
        for group, terms in groups.items():
            for term in terms:
                for pattern in planted.PATTERNS:
                    text, raw = pattern.format(f"the {term}"), pattern.format("[I]")
                    yield f"{text} [M]", f"{raw} [M]", f"the {term}", "singular", group, "x"

    queer = {"queer_gender": ("genderqueer", "agender"), "nonqueer_gender": ("aunt", "uncle")}
    return {
        "honest/en_template.tsv": lines("\t".join(row) for row in (header, *rows(planted.TERMS))),
        "honest/queer_nonqueer_en_template.tsv": lines("\t".join(row) for row in (header, *rows(queer))),
    }


def hurtlex():
    entries = [(word, kind, "conservative") for word, kinds in planted.HURTFUL.items() for kind in kinds]
    entries.append(("dolt", "dmc", "inclusive"))
    return lines("\t".join(row) for row in (("lemma", "category", "level"), *entries))
