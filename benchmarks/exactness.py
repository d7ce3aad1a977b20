"""How far are float32 log-probabilities from float64 ones, per token and summed over a text?

    python benchmarks/exactness.py [--model smollm2]

The reference runs the same weights in float64, one text at a time, with a float64 softmax. The texts are the sentences
of the starter set, alone and joined to longer texts. `log_softmax` is the usual computation in float32, for comparison.
"""

import argparse

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from genderscope.core.questions import TokenLikelihood
from genderscope.models import open_model
from genderscope.models.hf import smollm2
from genderscope.samples.gest import load

#: how many sentences are joined to one text, and how many such texts are read
TEXTS = {1: 64, 4: 16, 16: 4}


def log_probabilities(model, tokenizer, text):
    """Return log P(token | before) of every token but the first, one text at a time."""
    ids = tokenizer(text, return_tensors="pt")["input_ids"]
    with torch.no_grad():
        table = model(ids).logits[0, :-1].log_softmax(-1)
    return table.gather(1, ids[0, 1:, None])[:, 0].double()


def answered(model, texts):
    """Return the same numbers as Genderscope computes them."""
    model.load()
    plan = model.plan([TokenLikelihood(text, (), False) for text in texts], None)
    found = dict(plan.immediate)
    for batch in plan.batches:
        found |= zip(batch.indices, model.answer(batch), strict=True)
    return [
        torch.tensor([p for p in found[k].log_probabilities if p is not None], dtype=torch.float64)
        for k in range(len(texts))
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="smollm2")
    sentences = [sample.sentence for sample in load("starter").samples]
    name = parser.parse_args().model
    folder = smollm2.folder() if name == "smollm2" else name
    model, tokenizer = open_model(name), AutoTokenizer.from_pretrained(folder)
    naive, exact = (
        AutoModelForCausalLM.from_pretrained(folder, dtype=dtype).eval() for dtype in (torch.float32, torch.float64)
    )
    print("| sentences | tokens | way | per token, largest | mean | per text, largest |\n|---|---|---|---|---|---|")
    for joined, count in TEXTS.items():
        step = len(sentences) // count
        texts = [" ".join(sentences[k * step : k * step + joined]) for k in range(count)]
        wanted = [log_probabilities(exact, tokenizer, text) for text in texts]
        ways = {
            "Genderscope": answered(model, texts),
            "log_softmax": [log_probabilities(naive, tokenizer, text) for text in texts],
        }
        longest = max(map(len, wanted))
        for way, found in ways.items():
            errors = [a - b for a, b in zip(found, wanted, strict=True)]
            each, sums = torch.cat(errors), torch.stack([error.sum() for error in errors])
            print(
                f"| {joined} | up to {longest} | {way} | {each.abs().max():.1e} | {each.mean():+.1e} "
                f"| {sums.abs().max():.1e} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
