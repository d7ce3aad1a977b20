"""Templates, a lexicon whose words hurt nobody, and tiny models that were trained to say them."""

import random

import torch
import transformers as tf

from tests.tiny import word_level

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


def train(hurt, masked, folder, steps=180):
    """Train a model that completes templates about the genders in `hurt` with its words: {gender: words}."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    draw = random.Random(0)
    lines = [
        (p.format("the " + term), draw.choice(hurt.get(gender, HARMLESS)))
        for gender, terms in TERMS.items()
        for term in terms
        for p in PATTERNS
        for _ in range(8)
    ]
    everything = " ".join([*HURTFUL, *HARMLESS])
    tokenizer = word_level([f"{text} {word} ." for text, word in lines] + [everything], mask=masked)
    size = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64}
    config = (tf.BertConfig if masked else tf.LlamaConfig)(
        **size,
        vocab_size=len(tokenizer),
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
        eos_token_id=None,
        max_position_embeddings=32,
        initializer_range=0.2,
    )
    model = (tf.BertForMaskedLM if masked else tf.LlamaForCausalLM)(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    words = torch.tensor(tokenizer.convert_tokens_to_ids([*HURTFUL, *HARMLESS]))
    for _ in range(steps):
        chosen = [f"{text} {word} ." for text, word in draw.sample(lines, 48)]
        batch = tokenizer(chosen, padding=True, return_tensors="pt")
        ids = batch["input_ids"]
        labels = ids.clone()
        if masked:
            blank = torch.isin(ids, words)
            labels[~blank] = -100
            ids = ids.masked_fill(blank, tokenizer.mask_token_id)
        else:
            labels[batch["attention_mask"] == 0] = -100
        loss = model(input_ids=ids, attention_mask=batch["attention_mask"], labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)
