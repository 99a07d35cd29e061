"""Classifiers of images for small devices: MobileNet v2 and v3, ShuffleNet v2, EfficientNet."""

import torch
from torch import Tensor, nn

from .layers import ConvNorm, SqueezeExcite, classifier


class InvertedResidual(nn.Module):
    """Widen, convolve each channel, gate, narrow; beside a shortcut where the shapes agree."""

    def __init__(
        self,
        inputs: int,
        outputs: int,
        width: int,
        kernel: int,
        stride: int,
        activation: type[nn.Module],
        gate: nn.Module | None = None,
    ):
        super().__init__()
        layers: list[nn.Module] = []
        if width != inputs:
            layers.append(ConvNorm(inputs, width, 1, activation=activation))
        layers.append(ConvNorm(width, width, kernel, stride, groups=width, activation=activation))
        if gate is not None:
            layers.append(gate)
        layers.append(ConvNorm(width, outputs, 1, activation=None))
        self.layers = nn.Sequential(*layers)
        self.has_shortcut = stride == 1 and inputs == outputs

    def forward(self, image: Tensor) -> Tensor:
        return image + self.layers(image) if self.has_shortcut else self.layers(image)


class MobileNetV2(nn.Module):
    """MobileNet v2 (arXiv 1801.04381)."""

    STAGES = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))

    def __init__(self):
        super().__init__()
        layers: list[nn.Module] = [ConvNorm(3, 32, 3, 2, activation=nn.ReLU6)]
        channels = 32
        for factor, outputs, depth, stride in self.STAGES:
            for index in range(depth):
                step = stride if index == 0 else 1
                layers.append(InvertedResidual(channels, outputs, factor * channels, 3, step, nn.ReLU6))
                channels = outputs
        self.features = nn.Sequential(*layers, ConvNorm(channels, 1280, 1, activation=nn.ReLU6))
        self.classifier = classifier(1280)

    def forward(self, image: Tensor) -> Tensor:
        return self.classifier(self.features(image))


def multiple_of_8(channels: float) -> int:
    rounded = max(8, int(channels + 4) // 8 * 8)
    return rounded + 8 if rounded < 0.9 * channels else rounded


class MobileNetV3(nn.Module):
    """MobileNet v3 large (arXiv 1905.02244)."""

    # Kernel, width, outputs, squeeze and excite, hard swish, stride.
    BLOCKS = (
        (3, 16, 16, False, False, 1),
        (3, 64, 24, False, False, 2),
        (3, 72, 24, False, False, 1),
        (5, 72, 40, True, False, 2),
        (5, 120, 40, True, False, 1),
        (5, 120, 40, True, False, 1),
        (3, 240, 80, False, True, 2),
        (3, 200, 80, False, True, 1),
        (3, 184, 80, False, True, 1),
        (3, 184, 80, False, True, 1),
        (3, 480, 112, True, True, 1),
        (3, 672, 112, True, True, 1),
        (5, 672, 160, True, True, 2),
        (5, 960, 160, True, True, 1),
        (5, 960, 160, True, True, 1),
    )

    def __init__(self):
        super().__init__()
        layers: list[nn.Module] = [ConvNorm(3, 16, 3, 2, activation=nn.Hardswish)]
        channels = 16
        for kernel, width, outputs, gated, hard, stride in self.BLOCKS:
            gate = SqueezeExcite(width, multiple_of_8(width / 4), nn.Hardsigmoid) if gated else None
            activation = nn.Hardswish if hard else nn.ReLU
            layers.append(InvertedResidual(channels, outputs, width, kernel, stride, activation, gate))
            channels = outputs
        self.features = nn.Sequential(*layers, ConvNorm(channels, 960, 1, activation=nn.Hardswish))
        self.classifier = nn.Sequential(
            nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(960, 1280), nn.Hardswish(), nn.Linear(1280, 1000)
        )

    def forward(self, image: Tensor) -> Tensor:
        return self.classifier(self.features(image))


class SiluSqueezeExcite(nn.Module):
    """EfficientNet's gate: by SiLU, and squeezed to a quarter of what came into the block."""

    def __init__(self, channels: int, squeezed: int):
        super().__init__()
        self.squeeze = nn.Conv2d(channels, squeezed, 1)
        self.excite = nn.Conv2d(squeezed, channels, 1)

    def forward(self, image: Tensor) -> Tensor:
        means = image.mean((2, 3), keepdim=True)
        return image * torch.sigmoid(self.excite(nn.functional.silu(self.squeeze(means))))


class EfficientNetB0(nn.Module):
    """EfficientNet-B0 (arXiv 1905.11946)."""

    STAGES = (
        (1, 3, 16, 1, 1),
        (6, 3, 24, 2, 2),
        (6, 5, 40, 2, 2),
        (6, 3, 80, 3, 2),
        (6, 5, 112, 3, 1),
        (6, 5, 192, 4, 2),
        (6, 3, 320, 1, 1),
    )

    def __init__(self):
        super().__init__()
        layers: list[nn.Module] = [ConvNorm(3, 32, 3, 2, activation=nn.SiLU)]
        channels = 32
        for factor, kernel, outputs, depth, stride in self.STAGES:
            for index in range(depth):
                width = factor * channels
                gate = SiluSqueezeExcite(width, max(1, channels // 4))
                step = stride if index == 0 else 1
                layers.append(InvertedResidual(channels, outputs, width, kernel, step, nn.SiLU, gate))
                channels = outputs
        self.features = nn.Sequential(*layers, ConvNorm(channels, 1280, 1, activation=nn.SiLU))
        self.classifier = classifier(1280)

    def forward(self, image: Tensor) -> Tensor:
        return self.classifier(self.features(image))


def shuffle(image: Tensor, groups: int) -> Tensor:
    """Deal the channels out anew, so that what follows sees some of each group."""
    batch, channels, height, width = image.shape
    grouped = image.view(batch, groups, channels // groups, height, width)
    return grouped.transpose(1, 2).reshape(batch, channels, height, width)


class ShuffleUnit(nn.Module):
    """Half the channels go through; with a stride all go through, on two paths."""

    def __init__(self, inputs: int, outputs: int, stride: int):
        super().__init__()
        half = outputs // 2
        self.stride = stride
        self.side = nn.Sequential(
            ConvNorm(inputs, inputs, 3, stride, groups=inputs, activation=None), ConvNorm(inputs, half, 1)
        )
        self.main = nn.Sequential(
            ConvNorm(inputs if stride > 1 else half, half, 1),
            ConvNorm(half, half, 3, stride, groups=half, activation=None),
            ConvNorm(half, half, 1),
        )
        if stride == 1:
            self.side = nn.Identity()

    def forward(self, image: Tensor) -> Tensor:
        kept, worked = image.chunk(2, 1) if self.stride == 1 else (image, image)
        return shuffle(torch.cat([self.side(kept), self.main(worked)], 1), 2)


class ShuffleNetV2(nn.Module):
    """ShuffleNet v2, 1.0x (arXiv 1807.11164)."""

    def __init__(self):
        super().__init__()
        layers: list[nn.Module] = [ConvNorm(3, 24, 3, 2), nn.MaxPool2d(3, 2, 1)]
        channels = 24
        for outputs, depth in ((116, 4), (232, 8), (464, 4)):
            layers.append(ShuffleUnit(channels, outputs, 2))
            layers += [ShuffleUnit(outputs, outputs, 1) for _ in range(depth - 1)]
            channels = outputs
        self.features = nn.Sequential(*layers, ConvNorm(channels, 1024, 1))
        self.classifier = nn.Linear(1024, 1000)

    def forward(self, image: Tensor) -> Tensor:
        return self.classifier(self.features(image).mean([2, 3]))
