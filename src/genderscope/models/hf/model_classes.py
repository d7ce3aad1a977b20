"""Model classes for transformers models (`hf:`): masked and causal language models, and how models are opened."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import torch
from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForMaskedLM
from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING_NAMES as MASKED

from genderscope.core.errors import UserError
from genderscope.core.questions import (
    Choice,
    Completion,
    Question,
    Reply,
    ReplyStart,
    TokenLikelihood,
    Translation,
)
from genderscope.models.base import Model, ReplyModel, TranslationModel
from genderscope.models.chat import TranslationPrompt, chat_of
from genderscope.models.digest import Contents, contents_of, short_hash
from genderscope.models.hf.checkpoints import LoadedModel, one_line, require_fast, unwrapped
from genderscope.models.hf.choice import (
    CausalChoices,
    CausalStarts,
    MaskedChoices,
)
from genderscope.models.hf.completion import CausalCompletions, MaskedCompletions
from genderscope.models.hf.language_model import LanguageModel
from genderscope.models.hf.likelihood import CausalLikelihoods, MaskedLikelihoods
from genderscope.models.hf.model_files import find_folder, model_files, unsupported
from genderscope.models.hf.passes.base import (
    ALL,
    EARLIEST,
    EQUAL_LENGTHS,
    NEEDED,
    PACKED_ROW,
    PACKED_ROWS,
    PREFIX_TREE,
    REFERENCE,
    Strategy,
)
from genderscope.models.hf.replies import CausalReplies, CausalTranslations
from genderscope.models.hf.seq2seq import Seq2SeqTranslator
from genderscope.models.settings import Settings


class MaskedModel(LanguageModel):
    """An encoder that fills masks using the text on both sides."""

    kind = "masked"
    auto_class = AutoModelForMaskedLM
    budget: ClassVar = {"cpu": 1024, "cuda": 98_304, "mps": 2048}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.tokenizer.mask_token_id is None:
            raise UserError(f"The tokenizer of '{self.name}' has no mask token, so the model cannot fill a blank.")

    #: devices with tiled attention, where several short texts should share a tile
    packed_rows_on: ClassVar = {"cuda"}
    #: devices and precisions with fast segmented attention
    packed_row_on: ClassVar = {("cuda", torch.bfloat16), ("cuda", torch.float16), ("cpu", torch.float32)}

    def candidates(self) -> tuple[Strategy, ...]:
        segments = (PACKED_ROWS,) if self.device.type in self.packed_rows_on else ()
        rows = (PACKED_ROW,) if (self.device.type, self.dtype) in self.packed_row_on else ()
        short_cuts = [
            Strategy(layout, logits) for layout in (*segments, *rows, EQUAL_LENGTHS) for logits in (EARLIEST, NEEDED)
        ]
        return (*short_cuts, Strategy(EQUAL_LENGTHS, ALL), REFERENCE)


MaskedModel.answerers = {Choice: MaskedChoices, Completion: MaskedCompletions, TokenLikelihood: MaskedLikelihoods}
MaskedModel.answers = frozenset(MaskedModel.answerers)


#: tokens per pass on a CPU if attention covers whole rows, at quadratic cost
WHOLE_ROWS = 256


class CausalModel(LanguageModel, ReplyModel, TranslationModel):
    """A decoder that predicts the next token without seeing the text after a blank."""

    kind = "causal"
    sees_after = False
    auto_class = AutoModelForCausalLM
    budget: ClassVar = {"cpu": 1024, "cuda": 32_768, "mps": 512}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.chat = chat_of(self.settings.remote)
        self.translation = TranslationPrompt.of(self.settings.remote)

    @cached_property
    def fingerprint(self) -> str:
        if self.settings.remote.chat_template is None:
            return super().fingerprint
        return short_hash(f"{super().fingerprint}|{self.conversation.digest}")

    def signature(self) -> dict[str, str]:
        if self.settings.remote.chat_template is None:
            return super().signature()
        return {**super().signature(), "template": self.conversation.digest[:8]}

    def unanswerable(self, kinds: frozenset[type[Question]]) -> frozenset[type[Question]]:
        if kinds & {Reply, ReplyStart}:
            self.conversation.require()
            self.chat = replace(self.chat, render=self.conversation.render)
        missing = super().unanswerable(kinds)
        return missing | (kinds & {Translation}) if self.conversation.template is None else missing

    def set_date(self, moment: datetime) -> None:
        self.conversation.moment, self.conversation.dated = moment, False

    @property
    def prompts_are_dated(self) -> bool:
        return self.conversation.dated

    def candidates(self) -> tuple[Strategy, ...]:
        return (
            Strategy(PREFIX_TREE, NEEDED),
            Strategy(PREFIX_TREE, ALL),
            Strategy(EQUAL_LENGTHS, NEEDED),
            Strategy(EQUAL_LENGTHS, ALL),
            REFERENCE,
        )

    @property
    def tokens_per_pass(self) -> int:
        most = super().tokens_per_pass
        whole = self.device.type == "cpu" and getattr(self.model.config, "_attn_implementation", None) != "sdpa"
        return min(most, WHOLE_ROWS) if whole else most

    def load(self) -> None:
        if self.model is None:
            super().load()
            try:
                self._require_next_token_logits()
            except BaseException:
                self.unload()
                raise

    def _require_next_token_logits(self) -> None:
        """Raise `UserError` unless the logits at a position predict the next token."""
        if getattr(self.config, "is_decoder", True) is False and self.config.model_type in MASKED:
            raise UserError(
                f"'{self.name}' was saved as a causal model, but `is_decoder` is false in its config.json, so its "
                "predictions would use the words that follow; set it to true if the model was trained as a decoder."
            )
        asked = self.tensor([0, 1])[None]
        try:
            prepared = self.model.prepare_inputs_for_generation(asked)
        except Exception:  # the model needs more input than text; the exactness check reports that
            return
        if "target_mapping" in prepared or not torch.equal(prepared.get("input_ids", asked), asked):
            raise UserError(
                f"'{self.name}' is a {self.config.model_type} model, which predicts the next word in a non-standard "
                "way; such models cannot be measured."
            )


CausalModel.answerers = {
    Choice: CausalChoices,
    Completion: CausalCompletions,
    TokenLikelihood: CausalLikelihoods,
    Reply: CausalReplies,
    ReplyStart: CausalStarts,
    Translation: CausalTranslations,
}
CausalModel.answers = frozenset(CausalModel.answerers)


#: classes whose checkpoints contain a masked-LM head in addition to another head
PRETRAINING = {f"{family}ForPreTraining" for family in ("Bert", "Roberta", "Albert", "MobileBert")}

#: function that returns the model class for a configuration and a name (for error messages)
ClassOf = Callable[[Any, str], Callable[..., Model]]


def open_folder(name: str, folder: Path, settings: Settings, class_of: ClassOf | None = None) -> Model:
    """Open a folder written by `save_pretrained`, as a language model unless `class_of` is given."""
    model_class = (class_of or model_class_of)(_config(folder, name), name)
    contents = contents_of(model_files(folder), folder, settings.rehash)
    # The configuration is read again after hashing, so that everything used from here on matches the hashes.
    return model_class(name, folder, _config(folder, name), contents, settings)


def _config(folder: Path, name: str) -> Any:
    try:
        return AutoConfig.from_pretrained(folder, trust_remote_code=False)
    except MemoryError:
        raise
    except Exception as error:  # transformers can raise any exception for an invalid value
        raise UserError(f"'{name}' is not a model that transformers can open: {one_line(error)[:200]}") from None


def model_class_of(config: Any, name: str) -> Callable[..., Model]:
    """Return the model class for a configuration; raise `UserError` if such a model cannot answer any questions."""
    from transformers.models.auto import modeling_auto as registered

    masked, causal = registered.MODEL_FOR_MASKED_LM_MAPPING_NAMES, registered.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES
    architecture, kind = (config.architectures or [""])[0], config.model_type
    if getattr(config, "is_encoder_decoder", False):
        pass  # translation models have their own class; other encoder-decoders are unsupported
    elif getattr(config, "causal", False) and kind in causal:  # XLM-like models can be causal or masked
        return CausalModel
    elif architecture == masked.get(kind, "") or architecture.endswith("ForMaskedLM") or architecture in PRETRAINING:
        return MaskedModel
    elif architecture == causal.get(kind, "") or architecture.endswith(("ForCausalLM", "LMHeadModel")):
        return CausalModel
    elif not architecture and kind in masked | causal:
        return MaskedModel if kind in masked else CausalModel
    raise unsupported(name, architecture or config.model_type)


def open_hf(reference: str, settings: Settings) -> Model:
    """Open a model from a folder or hub id, without loading its weights."""
    return open_folder(*find_folder(reference, settings), settings, class_of)


def open_loaded(model: Any, tokenizer: Any, device: str = "auto", dtype: str | None = None) -> Model:
    """Open a transformers model that is already loaded; it still belongs to the caller.

    Args:
        model: A masked or causal language model; wrappers from distributed training or PEFT are unwrapped.
        tokenizer: Its fast tokenizer.
        device: Device for the measurement; the model is moved back afterwards. `auto` leaves it where it is.
        dtype: Must match the model's precision; None accepts any.
    """
    loaded = LoadedModel(unwrapped(model), tokenizer)
    if not hasattr(loaded.model, "config") or not hasattr(loaded.model, "get_output_embeddings"):
        raise UserError(
            f"The model is an object of the class {type(model).__module__}.{type(model).__qualname__}, which "
            "is not a transformers language model."
        )
    kind = model_class_of(loaded.config, loaded.name)
    require_fast(tokenizer, loaded.name)
    settings = loaded.settings(device, dtype)
    return kind(loaded.name, Path(), loaded.config, Contents(loaded.digest()), settings, loaded)


def class_of(config: Any, name: str) -> Callable[..., Model]:
    """Return the class for a configuration; raise `UserError` if the model cannot answer any questions."""
    architecture = (config.architectures or [""])[0]
    translates = not architecture or architecture.endswith(("ForConditionalGeneration", "MTModel"))
    if getattr(config, "is_encoder_decoder", False) and translates:
        return Seq2SeqTranslator
    return model_class_of(config, name)
