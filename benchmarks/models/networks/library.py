"""Networks of the transformers library, made from their configurations with random weights.

Each function gives a module whose results are tensors, as an exporter wants them. Attention is written out
("eager"), as it is in most exported models: matmul, scale, softmax, matmul.
"""

from collections.abc import Callable

import transformers as library
from torch import Tensor, nn

WRITTEN_OUT = {"attn_implementation": "eager"}


class Only(nn.Module):
    """A model of the library with the results that matter."""

    def __init__(self, model: nn.Module, names: tuple[str, ...], call: Callable[..., object] | None = None):
        super().__init__()
        self.model = model
        self.names = names
        self.call = call or (lambda inputs: self.model(inputs))

    def forward(self, *inputs: Tensor) -> Tensor | tuple[Tensor, ...]:
        outputs = self.call(*inputs)
        found = tuple(getattr(outputs, name) for name in self.names)
        return found if len(found) > 1 else found[0]


def vit() -> nn.Module:
    return Only(library.ViTForImageClassification(library.ViTConfig(num_labels=1000, **WRITTEN_OUT)), ("logits",))


def swin() -> nn.Module:
    return Only(library.SwinForImageClassification(library.SwinConfig(num_labels=1000, **WRITTEN_OUT)), ("logits",))


def convnext() -> nn.Module:
    config = library.ConvNextConfig(num_labels=1000)
    return Only(library.ConvNextForImageClassification(config), ("logits",))


def poolformer() -> nn.Module:
    config = library.PoolFormerConfig(num_labels=1000)
    return Only(library.PoolFormerForImageClassification(config), ("logits",))


def mobilevit() -> nn.Module:
    config = library.MobileViTConfig(num_labels=1000, **WRITTEN_OUT)
    return Only(library.MobileViTForImageClassification(config), ("logits",))


def levit() -> nn.Module:
    return Only(library.LevitForImageClassification(library.LevitConfig(num_labels=1000)), ("logits",))


def segformer() -> nn.Module:
    config = library.SegformerConfig(num_labels=150, **WRITTEN_OUT)
    return Only(library.SegformerForSemanticSegmentation(config), ("logits",))


def dpt() -> nn.Module:
    config = library.DPTConfig(
        hidden_size=384,
        num_attention_heads=6,
        intermediate_size=1536,
        image_size=224,
        backbone_out_indices=[2, 5, 8, 11],
        neck_hidden_sizes=[48, 96, 192, 384],
        fusion_hidden_size=64,
        **WRITTEN_OUT,
    )
    return Only(library.DPTForDepthEstimation(config), ("predicted_depth",))


def detr() -> nn.Module:
    backbone = library.ResNetConfig(out_features=["stage4"])
    config = library.DetrConfig(
        use_timm_backbone=False,
        use_pretrained_backbone=False,
        backbone=None,
        backbone_config=backbone,
        num_labels=91,
        **WRITTEN_OUT,
    )
    return Only(library.DetrForObjectDetection(config), ("logits", "pred_boxes"))


def rt_detr() -> nn.Module:
    config = library.RTDetrConfig(num_labels=80, **WRITTEN_OUT)
    return Only(library.RTDetrForObjectDetection(config), ("logits", "pred_boxes"))


def clip() -> nn.Module:
    config = library.CLIPConfig(text_config=WRITTEN_OUT, vision_config=WRITTEN_OUT, **WRITTEN_OUT)
    model = library.CLIPModel(config)
    return Only(
        model,
        ("logits_per_image", "image_embeds", "text_embeds"),
        lambda text, image: model(input_ids=text, pixel_values=image),
    )


def bert() -> nn.Module:
    model = library.BertModel(library.BertConfig(**WRITTEN_OUT))
    return Only(
        model,
        ("last_hidden_state", "pooler_output"),
        lambda text, mask: model(input_ids=text, attention_mask=mask),
    )


def distilbert() -> nn.Module:
    model = library.DistilBertForSequenceClassification(library.DistilBertConfig(**WRITTEN_OUT))
    return Only(model, ("logits",), lambda text, mask: model(input_ids=text, attention_mask=mask))


def gpt2() -> nn.Module:
    model = library.GPT2LMHeadModel(library.GPT2Config(n_layer=6, **WRITTEN_OUT))
    return Only(model, ("logits",), lambda text, mask: model(input_ids=text, attention_mask=mask, use_cache=False))


def t5_encoder() -> nn.Module:
    model = library.T5EncoderModel(library.T5Config(**WRITTEN_OUT))
    return Only(model, ("last_hidden_state",), lambda text, mask: model(input_ids=text, attention_mask=mask))


def wav2vec2() -> nn.Module:
    return Only(library.Wav2Vec2ForCTC(library.Wav2Vec2Config(**WRITTEN_OUT)), ("logits",))


def whisper_encoder() -> nn.Module:
    config = library.WhisperConfig(
        d_model=384,
        encoder_layers=4,
        encoder_attention_heads=6,
        encoder_ffn_dim=1536,
        decoder_layers=4,
        decoder_attention_heads=6,
        decoder_ffn_dim=1536,
        **WRITTEN_OUT,
    )
    return Only(library.WhisperModel(config).encoder, ("last_hidden_state",))


def pythia() -> nn.Module:
    config = library.GPTNeoXConfig(
        vocab_size=50304,
        hidden_size=512,
        num_hidden_layers=6,
        num_attention_heads=8,
        intermediate_size=2048,
        **WRITTEN_OUT,
    )
    model = library.GPTNeoXForCausalLM(config)
    return Only(model, ("logits",), lambda text, mask: model(input_ids=text, attention_mask=mask, use_cache=False))
