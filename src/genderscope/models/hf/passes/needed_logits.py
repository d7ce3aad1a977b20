"""Language-model forward passes that compute only the required logits.

The model's own code runs. Hooks restrict the hidden states that enter its head to the required positions, and its
output layer to the required rows of the matrix. Everything in between (a transform, a layer norm, a soft cap) runs
unchanged. BERT-like encoders can be narrowed earlier: after the last attention, positions no longer interact.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from copy import copy
from functools import partial
from typing import Any, NamedTuple

import torch
from torch import nn

from genderscope.models.hf.passes.attention import attending, segmented_attention
from genderscope.models.hf.passes.base import ALL, EARLIEST, NEEDED, CachedPass

#: rows per log-sum-exp on a CPU: few enough to fit into the cache, which makes the computation several times faster
NORMALISED_AT_ONCE = 4


class _CannotCutError(Exception):
    """Raised if the hidden states differ in shape from the input, e.g. because the body pads rows to whole blocks."""


class Needed(NamedTuple):
    """The logits needed: position k is (rows[k], columns[k]); `tokens=None` means all tokens."""

    rows: torch.Tensor
    columns: torch.Tensor
    tokens: torch.Tensor | None = None

    def select(self, states: torch.Tensor) -> torch.Tensor:
        """Return the states at these positions, on the device of the last layers if the model is on several devices."""
        return states[self.rows.to(states.device), self.columns.to(states.device)]


@contextmanager
def narrowed(
    model: Any, shape: torch.Size, needed: Needed, soon: bool, kept: CachedPass | None = None
) -> Iterator[None]:
    """Reduce `model(...).logits` for an input of this shape to [1, positions, tokens].

    With `soon`, positions are selected directly after the last attention. If `kept` contains hidden states, they
    replace the model's own; otherwise, the model's are stored in it.
    """
    selected = False

    def select(module: nn.Module, _args: Any, output: Any) -> Any:
        nonlocal selected
        if selected:
            return output
        selected = True
        states = output[0]
        if states.shape[:2] != shape:
            raise _CannotCutError  # the body has padded or shortened the rows
        if kept is not None and kept.hidden is None:
            kept.module, kept.output, kept.hidden = module, copy(output), states
        hidden = needed.select(states).unsqueeze(0)
        if isinstance(output, tuple):
            return (hidden, *output[1:])
        output.last_hidden_state = hidden
        return output

    with ExitStack() as stack:
        # Some architectures bypass the base model and call an inner decoder: narrow whichever runs first.
        bodies = [b for b in (model.base_model, model.get_decoder()) if b not in (None, model)]
        if soon:
            bodies.append(model.base_model.encoder.layer[-1].attention)
        if kept is not None and kept.hidden is not None:
            output = kept.output
            stack.enter_context(_instead(kept.module, lambda *_args, **_kwargs: copy(output)))
            if soon:
                stack.enter_context(_only_last_layer(model.base_model.encoder))
        for body in {id(b): b for b in bodies}.values():
            stack.callback(body.register_forward_hook(select).remove)
        if needed.tokens is not None:
            stack.enter_context(_only_rows(model.get_output_embeddings(), needed.tokens))
        yield


@contextmanager
def _only_rows(layer: Any, token_ids: torch.Tensor) -> Iterator[None]:
    """Restrict the output layer to the rows of these tokens."""
    if layer.weight.device.type == "meta":  # offloaded to disk; accelerate loads it on each call
        whole = layer.forward
        with _instead(layer, lambda hidden: whole(hidden)[..., token_ids.to(hidden.device)]):
            yield
        return
    rows = token_ids.to(layer.weight.device)
    weight = layer.weight[rows]
    bias = None if layer.bias is None else layer.bias[rows]
    with _instead(layer, lambda hidden: nn.functional.linear(hidden.to(weight.device), weight, bias)):
        yield


@contextmanager
def _only_last_layer(encoder: Any) -> Iterator[None]:
    """Skip layers whose output is cached: launching their kernels would take the host as long as a whole pass."""
    layers = encoder.layer
    encoder.layer = layers[-1:]
    try:
        yield
    finally:
        encoder.layer = layers


@contextmanager
def _instead(module: Any, forward: Callable[..., Any]) -> Iterator[None]:
    """Temporarily replace a module's `forward`."""
    own = module.__dict__.get("forward")  # set by accelerate
    module.forward = forward
    try:
        yield
    finally:
        if own is None:
            del module.forward
        else:
            module.forward = own


def needed_logits(
    model: Any, inputs: dict[str, Any], needed: Needed, kept: CachedPass | None = None, soon: bool = False
) -> torch.Tensor:
    """Return the needed logits [positions, tokens] of one forward pass.

    A cached pass is not run again: the model runs on a single token, and its head receives the cached states.
    """
    ran = inputs if kept is None or kept.hidden is None else _one_token(inputs)
    try:
        with narrowed(model, inputs["input_ids"].shape, needed, soon, kept):
            logits = _all_logits(model, ran)
        if logits.shape[:2] != (1, len(needed.rows)):
            raise _CannotCutError
    except _CannotCutError:
        if kept is not None:
            kept.hidden = None
        return plain_logits(model, inputs, needed)
    return logits[0].float()


def _one_token(inputs: dict[str, Any]) -> dict[str, Any]:
    first = {"input_ids": inputs["input_ids"][:1, :1]}
    return {**first, "use_cache": False} if "use_cache" in inputs else first


def _all_logits(model: Any, inputs: dict[str, Any]) -> torch.Tensor:
    """Run the model; `ends` separates texts packed in one row, `blocks` speeds up attention in a prefix tree."""
    own = {name: value for name, value in inputs.items() if name not in ("ends", "blocks")}
    attention: AbstractContextManager[None] = nullcontext()
    if "ends" in inputs:
        attention = segmented_attention(inputs["ends"])
    if "blocks" in inputs:
        attention = attending(inputs["blocks"].attend)
        own["attention_mask"] = inputs["blocks"].whole
    with attention:
        logits: torch.Tensor = model(**own).logits
    return logits


def plain_logits(model: Any, inputs: dict[str, Any], needed: Needed, _kept: CachedPass | None = None) -> torch.Tensor:
    """Select the required logits from the model's full output, for architectures that cannot be narrowed."""
    logits = _all_logits(model, inputs)
    selected = needed.select(logits).float()
    return selected if needed.tokens is None else selected[:, needed.tokens.to(logits.device)]


#: point at which logits are narrowed -> function that computes them
LOGITS: dict[str, Callable[[Any, dict[str, Any], Needed, CachedPass | None], torch.Tensor]] = {
    EARLIEST: partial(needed_logits, soon=True),
    NEEDED: needed_logits,
    ALL: plain_logits,
}


def log_normalisers(logits: torch.Tensor) -> torch.Tensor:
    """Return the log-sum-exp of each row of logits."""
    if logits.device.type != "cpu":
        return logits.logsumexp(-1)
    return torch.cat([rows.logsumexp(-1) for rows in torch.split(logits, NORMALISED_AT_ONCE)])
