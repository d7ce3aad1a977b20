"""A model so small that what is measured is everything but the model: one layer, 16 wide, a few hundred words."""

import torch
import transformers as tf
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from genderscope.measures.gest import TEMPLATES
from genderscope.samples.gest import load


def starter_sentences():
    return [sample.sentence for sample in load("starter").samples]


def build(folder, corpus=(), seed=0, wide=16, layers=1):
    """Save a causal model whose tokens are the words of the starter set, the templates and the corpus."""
    templates = (f"{t.before} {t.male} {t.female} {t.after}" for t in TEMPLATES.values())
    tokenizer = Tokenizer(models.WordLevel(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    special = trainers.WordLevelTrainer(special_tokens=["[PAD]", "[UNK]"])
    tokenizer.train_from_iterator([*starter_sentences(), *templates, *corpus], special)
    fast = tf.PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]")
    torch.manual_seed(seed)
    size = {"hidden_size": wide, "num_hidden_layers": layers, "num_attention_heads": 2, "intermediate_size": 2 * wide}
    tf.LlamaForCausalLM(tf.LlamaConfig(vocab_size=len(fast), **size)).save_pretrained(folder)
    fast.save_pretrained(folder)
