"""Decoders of the transformers library with their caches as inputs and outputs, made small, with random weights.

A decoder takes tokens, a mask of all tokens so far, perhaps the positions of tokens and, for each layer, the keys and
the values of those before; it gives scores and, for each layer, the keys and values of all. Without those before it
reads a prompt.
"""

from collections.abc import Callable

import transformers as library
from torch import Tensor, nn

LAYERS = 2
SIZES = {
    "vocab_size": 1000,
    "hidden_size": 256,
    "intermediate_size": 688,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": 8,
    "num_key_value_heads": 2,
    "max_position_embeddings": 2048,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "pad_token_id": 0,
}


class Decoder(nn.Module):
    """A model of the library whose cache is a list of tensors."""

    def __init__(self, model: nn.Module):
        super().__init__()
        self.model = model

    def forward(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        text, mask, *others = inputs
        # The exporter writes an op of rotary positions only if each text has positions of its own.
        positions, caches = (others[0], others[1:]) if len(others) % 2 else (None, others)
        pairs = [*zip(caches[::2], caches[1::2], strict=True)]
        before = library.DynamicCache(pairs, config=self.model.config) if pairs else None
        found = self.model(
            input_ids=text, attention_mask=mask, position_ids=positions, past_key_values=before, use_cache=True
        )
        after = (tensor for layer in found.past_key_values.layers for tensor in (layer.keys, layer.values))
        return (found.logits, *after)


def decoder(
    model: Callable[..., nn.Module], config: Callable[..., object], **settings: object
) -> Callable[[], nn.Module]:
    return lambda: Decoder(model(config(**(SIZES | settings))))


llama = decoder(library.LlamaForCausalLM, library.LlamaConfig, attn_implementation="eager")
qwen3 = decoder(library.Qwen3ForCausalLM, library.Qwen3Config, head_dim=32)
gemma3 = decoder(
    library.Gemma3ForCausalLM,
    library.Gemma3TextConfig,
    head_dim=32,
    sliding_window=512,
    layer_types=["sliding_attention", "full_attention"],
)
phi3 = decoder(library.Phi3ForCausalLM, library.Phi3Config, partial_rotary_factor=0.75)
