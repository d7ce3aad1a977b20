"""How much faster many replies at a time are than one at a time: SmolLM2, the starter set, in one run.

    python benchmarks/chat.py [--limit N] [--max-tokens N] [--letter-only] [--model SPEC] [--device cuda]

`ask`: transformers' own `generate`, prompt by prompt, against the measure's way; greedy, so that the replies can be
compared. `letter`: one forward pass a prompt with all its logits against the prefix tree. The slow ways are timed on
every eighth prompt. For `letter` the limit is told as well: how many times fewer operations there are to be done when
every beginning is read once and only the letters' logits are computed. Times are the process's own (set
OMP_NUM_THREADS=1 to count one core), since machines may be busy; on a graphics card they are the clock's.
"""

import argparse
import math
import time

import torch
from transformers import GenerationConfig

from genderscope.measures.gest_chat.measure import ORDERS
from genderscope.measures.gest_chat.wordings import LETTERS, built_in
from genderscope.models import Chat, open_model
from genderscope.models.hf.model_classes import CausalModel
from genderscope.samples.gest import load

EVERY = 8
STARTS = tuple(f"({letter}" for letter in LETTERS)


def now(model):
    """Return the time of the processor, or of the clock where a graphics card does the work."""
    if model.device.type == "cpu":
        return time.process_time()
    torch.cuda.synchronize()
    return time.perf_counter()


def answered(model, questions):
    """Answer the questions as a run does; return the answers, the seconds of planning and of answering."""
    start = now(model)
    plan = model.plan(questions, None)
    planned = now(model)
    found = dict(plan.immediate)
    for batch in plan.batches:
        found.update(zip(batch.indices, model.answer(batch), strict=True))
    return [found[k] for k in range(len(questions))], planned - start, now(model) - planned


def told(what, slow, fast):
    print(f"{what}, here {fast:.3f} s: {slow / fast:.1f}x", flush=True)


def limit_of(model, prompts):
    """Return tokens of a prompt, tokens not shared with others, and the ratio of the operations of both ways."""
    asked = sum(len(ids) + 1 for ids in prompts)  # the parenthesis before the letter is read as well
    read = len({ids[:k] for ids in prompts for k in range(1, len(ids) + 1)}) + len(prompts)
    head = model.model.get_output_embeddings().weight.numel()
    body = sum(each.numel() for each in model.model.parameters()) - head
    apart = asked * (body + head)
    together = read * body + 2 * len(prompts) * head
    return asked / len(prompts), read / len(prompts), apart / together


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", type=int, default=256)
    parser.add_argument("--max-tokens", type=int, default=300)
    parser.add_argument("--letter-only", action="store_true")
    parser.add_argument("--model", default="smollm2")
    parser.add_argument("--device", default="cpu")
    given = parser.parse_args()
    model, chat = open_model(given.model, device=given.device), Chat(temperature=0.0)
    assert isinstance(model, CausalModel)
    model.load()
    wording = built_in("en", "ask", 1, False)[0]
    samples = load("starter").limited(given.limit).samples
    texts = [wording.ask(sample.sentence, order) for sample in samples for order in ORDERS]
    prompts = [model.conversation.prompt(chat.ask(text, given.max_tokens, 0)).ids for text in texts[::EVERY]]

    if not given.letter_only:
        ask(model, chat, texts, prompts, given.max_tokens)
    letter(model, chat, texts, prompts)


def ask(model, chat, texts, prompts, max_tokens):
    """Let the model reply to all, and to every eighth by `generate`."""
    own, ends = model.model, sorted(model.model.generation_config.eos_token_id)
    greedy = GenerationConfig(do_sample=False, max_new_tokens=max_tokens, eos_token_id=ends, pad_token_id=ends[0])
    replies, planning, seconds = answered(model, [chat.ask(text, max_tokens, 0) for text in texts])
    print(f"ask: {len(texts)} prompts, {planning:.1f} s to plan and try, {seconds:.1f} s to answer", flush=True)
    same, start = 0, now(model)
    with torch.inference_mode():
        for ids, reply in zip(prompts, replies[::EVERY], strict=True):
            row = torch.tensor([ids], device=model.device)
            made = own.generate(row, generation_config=greedy)
            same += model.tokenizer.decode(made[0, len(ids) :], skip_special_tokens=True).strip() == reply.text
    alone = (now(model) - start) / len(prompts)
    told(f"ask, by generate {alone:.2f} s a prompt", alone, seconds / len(texts))
    print(f"ask: {same} of {len(prompts)} replies are the same")


def letter(model, chat, texts, prompts):
    """Ask for the letters' probabilities: all in prefix trees, every eighth alone."""
    own = model.model
    scores, planning, seconds = answered(model, [chat.ask_start(text, STARTS) for text in texts])
    worst, start = 0.0, now(model)
    tokens = [model.tokenizer(each, add_special_tokens=False)["input_ids"] for each in STARTS]
    with torch.inference_mode():
        for ids, score in zip(prompts, scores[::EVERY], strict=True):
            rows = own(torch.tensor([[*ids, tokens[0][0]]], device=model.device)).logits[0].log_softmax(-1)
            for each, found in zip(tokens, score.scores, strict=True):
                naive = float(rows[-2, each[0]]) + float(rows[-1, each[1]])
                worst = max(worst, abs(naive - (found - score.log_normaliser)))
    alone = (now(model) - start) / len(prompts)
    print(
        f"letter: {alone:.2f} s a prompt alone, {seconds / len(texts):.3f} s here: {alone * len(texts) / seconds:.1f}x"
    )
    print(f"letter: log-probabilities differ by {worst:.1e} at most; {planning:.1f} s to plan and try")
    assert math.isfinite(worst)
    each, read, ratio = limit_of(model, [tuple(model.conversation.prompt(chat.messages(t)).ids) for t in texts])
    print(f"letter: {each:.1f} tokens a prompt, {read:.1f} of them its own; at most {ratio:.2f}x by operations")


if __name__ == "__main__":
    main()
