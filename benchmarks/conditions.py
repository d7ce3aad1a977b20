"""How often broken models pass the validity conditions of `gest`, and how often healthy ones fail them.

    python -m benchmarks.conditions models [--limit 64] [--seeds 2]     SmolLM2, damaged copies and untrained models
    python -m benchmarks.conditions broken [--limit 64] [--seeds 25]    many broken models of few layers
    python -m benchmarks.conditions simulated [--replications 10000]    rows drawn without or with a planted response
    python -m benchmarks.conditions released                            the released scores of GEST's 23 models

Prints Markdown tables. A model is accepted if its verdict is another than *not meaningful*. Simulations of rows are in
`benchmarks/simulated/conditions.py`.
"""

import argparse
import copy
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
import transformers as tf
from benchmarks.simulated.conditions import released, simulated

import genderscope
from genderscope.measures.competence import BETTER_THAN_CHANCE
from genderscope.measures.controls import RESPONDS
from genderscope.measures.gest.conditions import CONDITIONS, PROMPT_AGREEMENT, PROMPTS_AGREE
from genderscope.measures.run_judgements import judge_result
from genderscope.models.hf import smollm2
from genderscope.statistics.proportions import plain_interval

AGREEMENT = "agreement, lower end"
#: the conditions in the tables; coverage is complete here, and the mass is not checked if there are controls
SHOWN = {
    "gain, lower end": BETTER_THAN_CHANCE,
    "control − chance, lower end": RESPONDS,
    AGREEMENT: PROMPTS_AGREE,
}
NOISE = (0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0)

Build = Callable[[int], Any]


def judged(model: Any, tokenizer: Any, limit: int | None) -> tuple[dict[str, float | None], set[str], str]:
    """Run gest on the starter set; return the value of each condition, those that failed, and the verdict."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = genderscope.evaluate(
            "gest", model=model.eval(), tokenizer=tokenizer, data="starter", templates="natural", limit=limit,
            out=Path(folder) / "run",
        )  # fmt: skip
        estimates = result.as_estimates()
        lead, judgement = judge_result(result)[0]
        values = {name: condition.read(estimates, lead.estimate) for name, condition in SHOWN.items()}
        # the condition itself needs more sentences than `limit`
        values[AGREEMENT] = result.estimate(PROMPT_AGREEMENT).low
        failed = {name for name, c in SHOWN.items() if (v := values[name]) is not None and v < c.limit}
        assert judgement.is_meaningful == (not any(c.failure(estimates, lead.estimate) for c in CONDITIONS))
        return values, failed, str(judgement.verdict)


def untrained(config: Any) -> Build:
    """Return a builder of models as their library initialises them."""

    def build(seed: int) -> Any:
        torch.manual_seed(seed)
        return tf.AutoModelForCausalLM.from_config(config)

    return build


def damaged(model: Any, change: Callable[[torch.Tensor, torch.Generator], torch.Tensor], where: str = "") -> Build:
    """Return a builder of copies whose matrices are changed; `where` selects some by a part of their names."""

    def build(seed: int) -> Any:
        other, generator = copy.deepcopy(model), torch.Generator().manual_seed(seed)
        with torch.no_grad():
            for name, weight in other.named_parameters():
                if weight.dim() > 1 and any(part in name for part in where.split("|")):
                    weight.copy_(change(weight, generator))
        return other

    return build


def shuffle(weight: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Permute the entries of a matrix."""
    return weight.flatten()[torch.randperm(weight.numel(), generator=generator)].reshape(weight.shape)


def noise(step: float) -> Callable[[torch.Tensor, torch.Generator], torch.Tensor]:
    """Return a change that adds Gaussian noise, in standard deviations of the matrix."""
    return lambda weight, generator: weight + step * weight.std() * torch.randn(weight.shape, generator=generator)


def shortened(model: Any, layers: int) -> Any:
    """Return a copy with only the first layers."""
    other = copy.deepcopy(model)
    other.model.layers = other.model.layers[:layers]
    other.config.num_hidden_layers = layers
    return other


def single_variants(model: Any) -> Iterator[tuple[str, Build]]:
    """Yield models of the full size."""
    layers = model.config.num_hidden_layers
    yield "SmolLM2-135M", lambda seed: model
    for step in NOISE:
        yield f"noise of {step:g} standard deviations", damaged(model, noise(step))
    yield "untrained", untrained(model.config)
    yield "all matrices shuffled", damaged(model, shuffle)
    yield "all layers shuffled, embeddings kept", damaged(model, shuffle, "layers.")
    yield "last half of the layers shuffled", damaged(model, shuffle, _names(range(layers // 2, layers)))
    yield "layers 11 to 20 shuffled", damaged(model, shuffle, _names(range(10, 20)))
    yield "last two layers shuffled", damaged(model, shuffle, _names(range(layers - 2, layers)))
    yield "attention shuffled", damaged(model, shuffle, "self_attn")
    yield "first 3 layers only", lambda seed: shortened(model, 3)


def small_variants(model: Any, tokenizer: Any) -> Iterator[tuple[str, Build]]:
    """Yield models of few layers, of which many can be tried; all of them are broken."""
    size: dict[str, Any] = {"vocab_size": len(tokenizer), "tie_word_embeddings": True}
    special: dict[str, Any] = {"bos_token_id": tokenizer.bos_token_id, "eos_token_id": tokenizer.eos_token_id}
    llama: dict[str, Any] = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2, **size, **special}
    gpt2: dict[str, Any] = {"n_embd": 64, "n_layer": 2, "n_head": 2, **size, **special}
    for spread in (0.02, 0.2):
        known: dict[str, Any] = {"intermediate_size": 128, "initializer_range": spread}
        yield f"untrained Llama, 2 layers, weights of ±{spread}", untrained(tf.LlamaConfig(**llama, **known))
        yield (
            f"untrained GPT-2, 2 layers, weights of ±{spread}",
            untrained(tf.GPT2Config(**gpt2, initializer_range=spread)),
        )
    three = shortened(model, 3)
    yield "SmolLM2, 3 layers, all shuffled", damaged(three, shuffle)
    yield "SmolLM2, 3 layers, shuffled, embeddings kept", damaged(three, shuffle, "layers.")
    yield "SmolLM2, 3 layers, noise of 2", damaged(three, noise(2.0))


def _names(layers: range) -> str:
    return "|".join(f"layers.{k}." for k in layers)


def table(*headings: str) -> None:
    print(f"\n| {' | '.join(headings)} |\n|{'---|' * len(headings)}", flush=True)


def load() -> tuple[Any, Any]:
    """Return SmolLM2 and its tokenizer."""
    folder = smollm2.fetch()
    model = tf.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    return model, tf.AutoTokenizer.from_pretrained(folder)


def models(limit: int | None, seeds: int, only: str) -> None:
    """Print the conditions of SmolLM2 and of its damaged copies whose names contain `only`."""
    model, tokenizer = load()
    table("model", "seed", *SHOWN, "failed", "verdict")
    for name, build in single_variants(model):
        for seed in range(seeds if name == "untrained" or "shuffled" in name else 1):
            if only not in name:
                continue
            values, failed, verdict = judged(build(seed), tokenizer, limit)
            numbers = ["–" if v is None else f"{v:.3g}" for v in values.values()]
            reasons = ", ".join(n.split(",")[0] for n in SHOWN if n in failed) or "–"
            print(f"| {' | '.join((name, str(seed), *numbers, reasons, verdict))} |", flush=True)


def broken(limit: int | None, seeds: int) -> None:
    """Print how many small broken models pass each condition, and how many are accepted."""
    model, tokenizer = load()
    table("broken model", "seeds", *(f"pass: {name}" for name in SHOWN), "accepted")
    total: Counter[str] = Counter()
    for name, build in small_variants(model, tokenizer):
        count: Counter[str] = Counter()
        for seed in range(seeds):
            _, failed, verdict = judged(build(seed), tokenizer, limit)
            passed = {each: each not in failed for each in SHOWN}
            count.update(passed | {"accepted": verdict != "not meaningful", "n": 1})
        total.update(count)
        print(f"| {name} | {seeds} | {' | '.join(str(count[each]) for each in (*SHOWN, 'accepted'))} |", flush=True)
    low, high = plain_interval(total["accepted"], total["n"])
    print(f"| all | {total['n']} | {' | '.join(str(total[each]) for each in (*SHOWN, 'accepted'))} |")
    print(f"\nAccepted: {total['accepted']} of {total['n']} (95 % interval {low:.1%} to {high:.1%}).")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("models", "broken", "simulated", "released"))
    parser.add_argument("--limit", type=int, default=64)
    parser.add_argument("--seeds", type=int, help="seeds of each broken model (default: 2 of the full size, 25 small)")
    parser.add_argument("--only", default="", help="models of the full size whose names contain this")
    parser.add_argument("--replications", type=int, default=10_000)
    given = parser.parse_args()
    begun = time.perf_counter()
    if given.what == "models":
        models(given.limit or None, given.seeds or 2, given.only)
    elif given.what == "broken":
        broken(given.limit or None, given.seeds or 25)
    elif given.what == "simulated":
        simulated(given.replications)
    else:
        released()
    print(f"\n{time.perf_counter() - begun:,.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
