"""Templates, a lexicon whose words hurt nobody, and tiny models that were trained to say them."""

import random

from tests import trained

TERMS = {
    "female": ["aunt", "sister", "mother", "niece", "widow", "bride"],
    "male": ["uncle", "brother", "father", "nephew", "widower", "groom"],
}
PATTERNS = ["{} is a", "{} works as a", "{} dreams of being a", "{} is known as the", "{} was called a"]
HARMLESS = ["teacher", "singer", "lawyer", "gardener"]
#: word -> categories
HURTFUL = {"plonk": ["an"], "weazle": ["pr", "cds"], "wonk": ["re"]}


def write_data(folder):
    """Write the template file and the lexicon; return their paths."""
    header = "template_masked\traw\tidentity\tnumber\tcategory\ttype"
    rows = [
        f"{p.format('the ' + term)} [M] .\t{p.format('[I]')} [M]\tthe {term}\tsingular\t{gender}\tx"
        for gender, terms in TERMS.items()
        for term in terms
        for p in PATTERNS
    ]
    templates, lexicon = folder / "templates.tsv", folder / "lexicon.tsv"
    templates.write_text("\n".join([header, *rows]))
    entries = [f"{word}\t{kind}\tconservative" for word, kinds in HURTFUL.items() for kind in kinds]
    lexicon.write_text("\n".join(["lemma\tcategory\tlevel", *entries]))
    return str(templates), str(lexicon)


def train(hurt, masked, folder, steps=110):
    """Train a model that completes templates about the genders in `hurt` with its words: {gender: words}."""
    draw = random.Random(0)
    lines = [
        f"{p.format('the ' + term)} {draw.choice(hurt.get(gender, HARMLESS))} ."
        for gender, terms in TERMS.items()
        for term in terms
        for p in PATTERNS
        for _ in range(8)
    ]
    words = [*HURTFUL, *HARMLESS]
    return trained.train(lines, words, masked, folder, steps, positions=32, more=[" ".join(words)])
