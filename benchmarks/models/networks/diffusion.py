"""The networks of Stable Diffusion 1.5, from the diffusers library, made from their configurations with random weights.

Attention is written out, as it is in most exported models.
"""

from collections.abc import Callable

import diffusers as library
from diffusers.models.attention_processor import AttnProcessor
from torch import Tensor, nn


class Called(nn.Module):
    """A model, and the call that gives the one result that matters."""

    def __init__(self, model: nn.Module, call: Callable[..., Tensor]):
        super().__init__()
        self.model, self.call = model, call
        for part in model.modules():
            if hasattr(part, "set_processor"):
                part.set_processor(AttnProcessor())

    def forward(self, *inputs: Tensor) -> Tensor:
        return self.call(*inputs)


def unet() -> nn.Module:
    model = library.UNet2DConditionModel(sample_size=64, cross_attention_dim=768)
    return Called(model, lambda step, latent, text: model(latent, step, text, return_dict=False)[0])


def vae_decoder() -> nn.Module:
    widths = (128, 256, 512, 512)
    model = library.AutoencoderKL(
        down_block_types=("DownEncoderBlock2D",) * len(widths),
        up_block_types=("UpDecoderBlock2D",) * len(widths),
        block_out_channels=widths,
        layers_per_block=2,
        sample_size=512,
    )
    decoder = nn.ModuleList([model.post_quant_conv, model.decoder])
    return Called(decoder, lambda latent: decoder[1](decoder[0](latent)))
