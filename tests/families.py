"""A tiny model of every family that transformers registers as a masked or a causal language model.

The configuration is the family's own default with every size cut down. What a family needs beyond that stands in
`NEEDS`; what cannot be built or asked at all stands in `tests/families.csv` with the reason.
"""

import warnings
from pathlib import Path
from typing import Any

import torch
import transformers as tf
from transformers.models.auto.configuration_auto import CONFIG_MAPPING
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    MODEL_FOR_MASKED_LM_MAPPING_NAMES,
)

REGISTRIES = {"masked": MODEL_FOR_MASKED_LM_MAPPING_NAMES, "causal": MODEL_FOR_CAUSAL_LM_MAPPING_NAMES}
AUTO = {"masked": tf.AutoModelForMaskedLM, "causal": tf.AutoModelForCausalLM}

#: what local, sliding and chunked attention reach; texts of a few tokens more show a wrong window
WINDOW = 16
POSITIONS = 192

#: what every number of a configuration by one of these names is cut down to
_SIZES = (
    (
        64,
        "intermediate_size ffn_dim d_ff decoder_ffn_dim encoder_ffn_dim n_inner ffn_hidden_size dff d_inner hidden_dim",
    ),
    (64, "feed_forward_size expert_ffn_hidden_size dim_ff dense_intermediate_size shared_intermediate_size"),
    (64, "moe_shared_expert_intermediate_size"),
    (
        32,
        "hidden_size d_model n_embd dim n_embed word_embed_proj_dim decoder_hidden_size attention_hidden_size emb_dim",
    ),
    (32, "lru_width moe_intermediate_size shared_expert_intermediate_size qk_head_dim router_hidden_size o_lora_rank"),
    (32, "input_embedding_size output_embedding_size"),
    (WINDOW, "sliding_window_size"),
    (WINDOW, "sliding_window attention_window window_size local_attention attention_window_size attention_chunk_size"),
    (16, "q_lora_rank kv_lora_rank index_head_dim embedding_size"),
    (8, "head_dim d_kv attention_head_dim attn_head_dim qk_rope_head_dim qk_nope_head_dim v_head_dim index_topk"),
    (8, "linear_key_head_dim linear_value_head_dim swa_head_dim dim_head d_head"),
    (8, "state_size mamba_d_state ssm_state_size mamba_n_heads mamba_d_head mamba_num_heads mamba_head_dim"),
    (8, "mamba_chunk_size chunk_size"),
    (4, "num_attention_heads n_head n_heads decoder_attention_heads encoder_attention_heads num_heads block_size"),
    (4, "time_step_rank mamba_dt_rank num_experts num_local_experts n_routed_experts moe_num_experts"),
    (2, "num_hidden_layers n_layer n_layers num_layers decoder_layers encoder_layers num_decoder_layers"),
    (4, "swa_num_attention_heads linear_num_value_heads"),
    (2, "swa_num_key_value_heads linear_num_key_heads"),
    (2, "num_encoder_layers num_blocks num_key_value_heads num_kv_heads num_experts_per_tok index_n_heads"),
    (1, "n_shared_experts"),
    (POSITIONS, "max_position_embeddings n_positions n_ctx max_sequence_length max_seq_len max_target_positions"),
)
SIZES = {name: size for size, names in _SIZES for name in names.split()}

#: families whose heads share no keys
_NOT_GROUPED = ["axk2", "bailing_hybrid", "deepseek_v3", "deepseek_v32", "esmc", "glm4_moe_lite", "glm_moe_dsa"]
_NOT_GROUPED += ["minicpm3", "youtu"]

#: what a family needs beyond smaller numbers, by what its configuration is told
NEEDS: dict[str, dict[str, Any]] = {
    **{family: {"num_key_value_heads": 4} for family in _NOT_GROUPED},
    "axk1": {"num_key_value_heads": 4, "n_group": 2, "topk_group": 1},
    "blt": {"encoder_hash_byte_group_vocab": 100},
    "bamba": {"attn_layer_indices": [1]},
    "big_bird": {"num_random_blocks": 1},
    "esm": {"vocab_size": 500, "pad_token_id": 1, "mask_token_id": 3},
    "cohere_compass_text": {
        "layer_types": ["sliding_attention", "full_attention"],
        "num_hidden_layers": 2,
        "rope_parameters": {
            kind: {"rope_type": "default", "rope_theta": 10_000.0} for kind in ("sliding_attention", "full_attention")
        },
    },
    "codegen": {"rotary_dim": 8},
    "dbrx": {
        "attn_config": {"rope_theta": 10_000.0, "kv_n_heads": 2, "clip_qkv": 8.0},
        "ffn_config": {"ffn_hidden_size": 64},
    },
    "deepseek_v2": {"num_key_value_heads": 4, "num_experts_per_tok": 2},
    "dots1": {"n_shared_experts": 1, "n_routed_experts": 4, "num_experts_per_tok": 2},
    "ernie4_5_moe": {"moe_k": 2},
    "falcon_h1": {"mamba_d_ssm": 64, "mamba_n_heads": 8, "mamba_d_head": 8},
    "funnel": {"block_sizes": (1, 1, 1)},
    "gemma3n_text": {
        "layer_types": ["sliding_attention", "full_attention"] * 2,
        "num_hidden_layers": 4,
        "num_kv_shared_layers": 0,
        "vocab_size_per_layer_input": 500,
        "hidden_size_per_layer_input": 8,
        "intermediate_size": 64,
        "activation_sparsity_pattern": [0.0] * 4,
        "laurel_rank": 8,
    },
    "gemma4_text": {"vocab_size_per_layer_input": 500, "hidden_size_per_layer_input": 8, "global_head_dim": 8},
    "gpt_neo": {"attention_types": [[["global", "local"], 1]]},
    "gptj": {"rotary_dim": 8},
    "granitemoehybrid": {"layer_types": ["linear_attention", "full_attention"], "num_hidden_layers": 2},
    "hunyuan_v1_dense": {"head_dim": 8},
    "hunyuan_v1_moe": {"head_dim": 8},
    "jamba": {"attn_layer_period": 2, "attn_layer_offset": 1},
    "kimi_linear": {
        "num_key_value_heads": 4,
        "num_experts_per_token": 2,
        "linear_head_dim": 8,
        "linear_num_heads": 4,
        "model_max_length": POSITIONS,
    },
    "lfm2_moe": {"layer_types": ["conv", "full_attention"], "num_hidden_layers": 2, "num_dense_layers": 1},
    "longcat_flash": {"qk_head_dim": 16, "num_key_value_heads": 4, "moe_topk": 2, "zero_expert_num": 2, "head_dim": 8},
    "luke": {"entity_vocab_size": 10},
    "mamba2": {"num_heads": 8, "head_dim": 8, "expand": 2, "n_groups": 2},
    "ministral": {"head_dim": 8},
    "nemotron": {"head_dim": 8, "num_key_value_heads": 2},
    "qwen4_exp_text": {
        "indexer_n_heads": 2,
        "indexer_kv_heads": 1,
        "indexer_head_dim": 16,
        "indexer_budget": 8,
        "indexer_compress_ratio": 2,
        "hc_lowrank": 8,
        "ple_embed_dim": 8,
        "ngram_vocab_size_base": 500,
        "split_ngram_parts": 2,
    },
    "reformer": {
        "attention_head_size": 8,
        "axial_pos_embds_dim": (8, 24),
        "axial_pos_shape": (16, 12),
        "attn_layers": ["local", "lsh"],
        "local_attn_chunk_length": 8,
        "lsh_attn_chunk_length": 8,
        "num_hashes": 1,
        "num_buckets": 4,
    },
    "roc_bert": {
        "pronunciation_vocab_size": 10,
        "shape_vocab_size": 10,
        "pronunciation_embed_dim": 8,
        "shape_embed_dim": 8,
    },
    "squeezebert": {"embedding_size": 32},
    "xmod": {"default_language": "en_XX"},
    "xlstm": {"embedding_dim": 32, "num_heads": 4, "qk_dim_factor": 0.5, "v_dim_factor": 1.0},
    "zamba": {
        "layers_block_type": ["linear_attention", "hybrid"] * 2,
        "num_hidden_layers": 4,
        "attention_hidden_size": 64,
        "attention_head_dim": 16,
    },
    "zamba2": {
        "layers_block_type": ["mamba", "hybrid"] * 2,
        "num_hidden_layers": 4,
        "attention_hidden_size": 64,
        "attention_head_dim": 16,
        "mamba_headdim": 8,
        "n_mamba_heads": 8,
        "num_key_value_heads": 4,
        "adapter_rank": 8,
    },
    "neomme": {"head_dim": 16},
    "perceiver": {
        "num_latents": 8,
        "d_latents": 32,
        "d_model": 32,
        "num_blocks": 1,
        "num_self_attends_per_block": 1,
        "num_self_attention_heads": 4,
        "num_cross_attention_heads": 4,
        "qk_channels": 32,
        "v_channels": 32,
    },
}


def configuration(family: str, vocabulary: int, pad: int | None) -> Any:
    """Return the smallest configuration of a family."""
    kind = CONFIG_MAPPING[family]
    return kind(**_cut(kind(), vocabulary, pad, family))


def _cut(config: Any, vocabulary: int, pad: int | None, family: str) -> dict[str, Any]:
    """Return what to tell the configuration of a family, or of a part of a model, so that it becomes small."""
    told: dict[str, Any] = {}
    for name, value in vars(config).items():
        if isinstance(value, tf.PretrainedConfig):
            told[name] = _cut(value, vocabulary, pad, value.model_type)
        elif name == "layer_types" and value:  # every kind of layer once
            told[name] = list(dict.fromkeys(value)) * (1 if len(set(value)) > 1 else 2)
            told["num_hidden_layers"] = len(told[name])
        elif isinstance(value, bool) or not isinstance(value, int):
            continue
        elif name == "vocab_size":
            told[name] = vocabulary
        elif name in {"bos_token_id", "eos_token_id", "pad_token_id", "decoder_start_token_id", "sep_token_id"}:
            told[name] = pad
        elif name in SIZES and name not in told:
            told[name] = min(value, SIZES[name])
    return told | NEEDS.get(family, {})


def build(kind: str, family: str, tokenizer: Any, folder: Path) -> Any:
    """Save a model of a family with random weights and return it."""
    torch.manual_seed(0)
    # A few rows more than tokens, as most models have.
    config = configuration(family, len(tokenizer) + 8, tokenizer.pad_token_id)
    if kind == "causal" and hasattr(config, "is_decoder"):
        config.is_decoder = True
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = AUTO[kind].from_config(config)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1 and not parameter.isnan().any():
                parameter.normal_(std=0.2)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return model
