"""Runs a language model but computes only the logits that are needed.

The model's own code runs unchanged. Two things are narrowed while it does: the hidden states that reach its head are
reduced to the wanted positions, and the output layer to the wanted rows of its matrix. Whatever an architecture does in
between (a transform, a layer norm, a soft cap) is still done by its own code. BERT-like encoders can be cut earlier:
after the attention of the last layer, positions no longer interact.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from functools import partial
from typing import Any

import torch
from torch import nn

from genderscope.models.hf.passes.segmented_attention import segmented_attention
from genderscope.models.hf.passes.ways import ALL, NEEDED, SOONEST


class _CannotCutError(Exception):
    """The hidden states do not have the layout of the input, e.g. if the body pads rows to a multiple of a block.

    Or they are cut to the input's length again before the head.
    """


@contextmanager
def narrowed(
    model: Any,
    shape: torch.Size,
    rows: torch.Tensor,
    columns: torch.Tensor,
    token_ids: torch.Tensor | None,
    soon: bool,
) -> Iterator[None]:
    """Within, `model(...).logits` is [1, positions, tokens]: position (rows[k], columns[k]), all tokens if None.

    `shape` is that of the input.

    `soon` cuts directly after the last attention.
    """
    selected = False

    def select(_module: nn.Module, _args: Any, output: Any) -> Any:
        nonlocal selected
        if selected:
            return output
        selected = True
        # A model may be spread over several devices: the positions go to that of its last layers.
        if output[0].shape[:2] != shape:
            raise _CannotCutError  # the body has padded the rows, or shortened them
        where = output[0].device
        hidden = output[0][rows.to(where), columns.to(where)].unsqueeze(0)
        if isinstance(output, tuple):
            return (hidden, *output[1:])
        output.last_hidden_state = hidden
        return output

    with ExitStack() as stack:
        # Some architectures call an inner decoder and bypass their base model: whichever runs first is cut.
        bodies = [b for b in (model.base_model, model.get_decoder()) if b not in (None, model)]
        if soon:
            bodies.append(model.base_model.encoder.layer[-1].attention)
        for body in {id(b): b for b in bodies}.values():
            stack.callback(body.register_forward_hook(select).remove)
        if token_ids is not None:
            stack.enter_context(_only_rows(model.get_output_embeddings(), token_ids))
        yield


@contextmanager
def _only_rows(layer: Any, token_ids: torch.Tensor) -> Iterator[None]:
    """Make the output layer compute only the rows of these tokens."""
    own = layer.__dict__.get("forward")  # accelerate installs its own
    if layer.weight.device.type == "meta":  # the matrix is on disk, and accelerate brings it when it is called
        whole = layer.forward
        layer.forward = lambda hidden: whole(hidden)[..., token_ids.to(hidden.device)]
    else:
        chosen = token_ids.to(layer.weight.device)
        weight = layer.weight[chosen]
        bias = None if layer.bias is None else layer.bias[chosen]
        layer.forward = lambda hidden: nn.functional.linear(hidden.to(weight.device), weight, bias)
    try:
        yield
    finally:
        if own is None:
            del layer.forward
        else:
            layer.forward = own


def needed_logits(
    model: Any,
    inputs: dict[str, Any],
    rows: torch.Tensor,
    columns: torch.Tensor,
    token_ids: torch.Tensor | None,
    soon: bool = False,
) -> torch.Tensor:
    """Return logits [positions, tokens] of one forward pass, for all tokens if `token_ids` is None."""
    try:
        with narrowed(model, inputs["input_ids"].shape, rows, columns, token_ids, soon):
            logits = _all_logits(model, inputs)
        if logits.shape[:2] != (1, len(rows)):
            raise _CannotCutError
    except _CannotCutError:
        return plain_logits(model, inputs, rows, columns, token_ids)
    return logits[0].float()


def _all_logits(model: Any, inputs: dict[str, Any]) -> torch.Tensor:
    """Run the model; `ends` among the inputs keeps the texts in one row apart."""
    with segmented_attention(inputs["ends"]) if "ends" in inputs else nullcontext():
        logits: torch.Tensor = model(**{name: value for name, value in inputs.items() if name != "ends"}).logits
    return logits


soonest_logits = partial(needed_logits, soon=True)


def plain_logits(
    model: Any,
    inputs: dict[str, Any],
    rows: torch.Tensor,
    columns: torch.Tensor,
    token_ids: torch.Tensor | None,
) -> torch.Tensor:
    """The same from the full output of the model, for architectures that cannot be narrowed."""
    logits = _all_logits(model, inputs)
    where = logits.device
    chosen = logits[rows.to(where), columns.to(where)].float()
    return chosen if token_ids is None else chosen[:, token_ids.to(where)]


LogitsFunction = Callable[[Any, dict[str, Any], torch.Tensor, torch.Tensor, torch.Tensor | None], torch.Tensor]

#: where the logits are cut -> what computes them
LOGITS: dict[str, LogitsFunction] = {SOONEST: soonest_logits, NEEDED: needed_logits, ALL: plain_logits}
