"""MT-GenEval's accuracy, written from its description (Currey et al. 2022, section 3): plain, one line after another.

References and output are lower-cased, ASCII punctuation becomes spaces, words are what white space separates. An output
is incorrect if it holds a word that only the reference of the wrong gender holds, else correct.
"""

PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"


def bag(line):
    cleaned = ""
    for character in line.lower():
        cleaned += " " if character in PUNCTUATION else character
    return set(cleaned.split())


def correct(output, reference, flipped):
    said, right = bag(output), bag(reference)
    return not any(word in said and word not in right for word in bag(flipped))


def contextual(outputs, references, flipped):
    decisions = [correct(*line) for line in zip(outputs, references, flipped, strict=True)]
    return sum(decisions) / len(decisions)


def counterfactual(masculine, feminine, his, hers):
    """A segment is correct if both of its versions are."""
    decisions = [
        correct(m, he, she) and correct(f, she, he)
        for m, f, he, she in zip(masculine, feminine, his, hers, strict=True)
    ]
    return sum(decisions) / len(decisions)
