"""Networks of 2022 and later, of timm, transformers, diffusers and ultralytics, with random weights."""

from collections.abc import Callable

import torch
import transformers as library
from torch import Tensor, nn

from .library import WRITTEN_OUT, Only

NewModule = Callable[[], nn.Module]


def of_timm(name: str, **settings: object) -> NewModule:
    def make() -> nn.Module:
        import timm

        return timm.create_model(name, pretrained=False, **settings)

    return make


mobilenet_v4 = of_timm("mobilenetv4_conv_small")
fastvit = of_timm("fastvit_t8")
efficientvit = of_timm("efficientvit_b0")
convnext_v2 = of_timm("convnextv2_atto")
efficientformer_v2 = of_timm("efficientformerv2_s0")
edgenext = of_timm("edgenext_xx_small")
mambaout = of_timm("mambaout_femto")
starnet = of_timm("starnet_s1")
swiftformer = of_timm("swiftformer_xs")
shvit = of_timm("shvit_s1")
hgnet_v2 = of_timm("hgnetv2_b0")
inception_next = of_timm("inception_next_atto")
pvt_v2 = of_timm("pvt_v2_b0")
dinov3 = of_timm("vit_small_patch16_dinov3")
efficientvim = of_timm("efficientvim_m1")


def of_ultralytics(file: str) -> NewModule:
    """A detector whose head gives the boxes and the scores of all places in one tensor."""

    def make() -> nn.Module:
        from ultralytics.nn.tasks import DetectionModel

        model = DetectionModel(file, verbose=False)
        head = model.model[-1]
        head.export, head.format = True, "onnx"
        return model

    return make


yolo_11 = of_ultralytics("yolo11n.yaml")
yolo_12 = of_ultralytics("yolo12n.yaml")


def sam2_hiera() -> nn.Module:
    config = library.Sam2HieraDetConfig(image_size=[512, 512], **WRITTEN_OUT)
    return Only(library.Sam2HieraDetModel(config), ("last_hidden_state",))


def rt_detr_v2() -> nn.Module:
    config = library.RTDetrV2Config(num_labels=80, decoder_layers=2, **WRITTEN_OUT)
    return Only(library.RTDetrV2ForObjectDetection(config), ("logits", "pred_boxes"))


def mamba() -> nn.Module:
    config = library.MambaConfig(vocab_size=1000, hidden_size=128, state_size=8, num_hidden_layers=2)
    model = library.MambaForCausalLM(config)
    return Only(model, ("logits",), lambda text: model(input_ids=text, use_cache=False))


def mixture() -> nn.Module:
    config = library.Qwen3MoeConfig(
        vocab_size=1000,
        hidden_size=128,
        intermediate_size=256,
        moe_intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        num_experts=4,
        num_experts_per_tok=2,
        experts_implementation="batched_mm",
        **WRITTEN_OUT,
    )
    model = library.Qwen3MoeForCausalLM(config)
    return Only(model, ("logits",), lambda text: model(input_ids=text, use_cache=False))


class WhisperStep(nn.Module):
    """The decoder of Whisper: one token, with the keys and values of those before and of the sound."""

    def __init__(self):
        super().__init__()
        config = library.WhisperConfig(
            vocab_size=1000,
            pad_token_id=0,
            d_model=128,
            encoder_attention_heads=4,
            decoder_layers=2,
            decoder_attention_heads=4,
            decoder_ffn_dim=512,
            **WRITTEN_OUT,
        )
        self.model = library.WhisperModel(config).decoder

    def forward(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        text, sound, *caches = inputs
        pairs = [*zip(caches[::2], caches[1::2], strict=True)]
        before = library.EncoderDecoderCache(library.DynamicCache(pairs), library.DynamicCache())
        found = self.model(input_ids=text, encoder_hidden_states=sound, past_key_values=before, use_cache=True)
        layers = found.past_key_values.self_attention_cache.layers
        return (found.last_hidden_state, *(each for layer in layers for each in (layer.keys, layer.values)))


def modern_bert() -> nn.Module:
    config = library.ModernBertConfig(
        vocab_size=1000,
        hidden_size=192,
        intermediate_size=288,
        num_hidden_layers=4,
        num_attention_heads=4,
        pad_token_id=0,
        **WRITTEN_OUT,
    )
    return Only(library.ModernBertModel(config), ("last_hidden_state",))


def encodec() -> nn.Module:
    """The decoder of an audio codec: convolutions and an LSTM make sound of what each frame says."""
    return library.EncodecModel(library.EncodecConfig()).decoder


def dac() -> nn.Module:
    return library.DacModel(library.DacConfig()).decoder


def depth_anything() -> nn.Module:
    backbone = library.Dinov2Config(
        hidden_size=192,
        num_attention_heads=3,
        num_hidden_layers=6,
        image_size=224,
        patch_size=14,
        out_features=["stage2", "stage3", "stage5", "stage6"],
        reshape_hidden_states=False,
        apply_layernorm=True,
        **WRITTEN_OUT,
    )
    config = library.DepthAnythingConfig(
        backbone_config=backbone, reassemble_hidden_size=192, neck_hidden_sizes=[24, 48, 96, 192], fusion_hidden_size=32
    )
    return Only(library.DepthAnythingForDepthEstimation(config), ("predicted_depth",))


class Denoiser(nn.Module):
    """A network of diffusers that says the noise of an image at a time."""

    def __init__(self, model: nn.Module, *, with_class: bool = False):
        super().__init__()
        self.model, self.with_class = model, with_class

    def forward(self, step: Tensor, image: Tensor) -> Tensor:
        labels = {"class_labels": torch.zeros_like(step)} if self.with_class else {}
        return self.model(image, step, return_dict=False, **labels)[0]


def dit() -> nn.Module:
    from diffusers import DiTTransformer2DModel

    return Denoiser(
        DiTTransformer2DModel(num_attention_heads=4, attention_head_dim=32, num_layers=4, sample_size=16),
        with_class=True,
    )


def diffusion_unet() -> nn.Module:
    from diffusers import UNet2DModel

    return Denoiser(
        UNet2DModel(
            sample_size=32,
            in_channels=4,
            out_channels=4,
            layers_per_block=1,
            block_out_channels=(32, 64),
            down_block_types=("DownBlock2D", "AttnDownBlock2D"),
            up_block_types=("AttnUpBlock2D", "UpBlock2D"),
        )
    )
