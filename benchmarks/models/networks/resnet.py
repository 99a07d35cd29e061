"""Residual networks (arXiv 1512.03385), plain and dilated, in two and three dimensions."""

import torch
from torch import Tensor, nn

from .layers import ConvNorm, classifier


class Bottleneck(nn.Module):
    """1x1, 3x3 (with the stride, as most libraries have it) and 1x1 beside a shortcut."""

    def __init__(self, inputs: int, width: int, stride: int, dilation: int):
        super().__init__()
        outputs = 4 * width
        self.residual = nn.Sequential(
            ConvNorm(inputs, width, 1),
            ConvNorm(width, width, 3, stride, dilation=dilation),
            ConvNorm(width, outputs, 1, activation=None),
        )
        same = inputs == outputs and stride == 1
        self.shortcut = nn.Identity() if same else ConvNorm(inputs, outputs, 1, stride, activation=None)

    def forward(self, image: Tensor) -> Tensor:
        return torch.relu(self.residual(image) + self.shortcut(image))


class Backbone(nn.Module):
    """ResNet-50 without its classifier: the results of its four stages. Dilation replaces the last strides."""

    def __init__(self, dilated_stages: int = 0):
        super().__init__()
        self.stem = nn.Sequential(ConvNorm(3, 64, 7, 2), nn.MaxPool2d(3, 2, 1))
        self.stages = nn.ModuleList()
        inputs, dilation = 64, 1
        for index, (width, depth) in enumerate(zip((64, 128, 256, 512), (3, 4, 6, 3), strict=True)):
            dilated = index >= 4 - dilated_stages
            stride = 1 if index == 0 or dilated else 2
            blocks = [Bottleneck(inputs, width, stride, dilation)]
            dilation *= 2 if dilated else 1
            blocks += [Bottleneck(4 * width, width, 1, dilation) for _ in range(depth - 1)]
            self.stages.append(nn.Sequential(*blocks))
            inputs = 4 * width

    def forward(self, image: Tensor) -> list[Tensor]:
        image = self.stem(image)
        found: list[Tensor] = []
        for stage in self.stages:
            image = stage(image)
            found.append(image)
        return found


class ResNet50(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = Backbone()
        self.classifier = classifier(2048)

    def forward(self, image: Tensor) -> Tensor:
        return self.classifier(self.backbone(image)[-1])


class VideoBlock(nn.Module):
    """Two 3x3x3 convolutions beside a shortcut."""

    def __init__(self, inputs: int, outputs: int, stride: int):
        super().__init__()
        self.residual = nn.Sequential(
            nn.Conv3d(inputs, outputs, 3, stride, 1, bias=False),
            nn.BatchNorm3d(outputs),
            nn.ReLU(),
            nn.Conv3d(outputs, outputs, 3, 1, 1, bias=False),
            nn.BatchNorm3d(outputs),
        )
        self.shortcut = nn.Identity()
        if inputs != outputs:
            self.shortcut = nn.Sequential(nn.Conv3d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm3d(outputs))

    def forward(self, video: Tensor) -> Tensor:
        return torch.relu(self.residual(video) + self.shortcut(video))


class VideoResNet18(nn.Module):
    """R3D-18 (arXiv 1711.11248), for clips."""

    def __init__(self):
        super().__init__()
        stem = [nn.Conv3d(3, 64, (3, 7, 7), (1, 2, 2), (1, 3, 3), bias=False), nn.BatchNorm3d(64), nn.ReLU()]
        blocks = [
            VideoBlock(inputs, outputs, stride)
            for before, width, first_stride in ((64, 64, 1), (64, 128, 2), (128, 256, 2), (256, 512, 2))
            for inputs, outputs, stride in ((before, width, first_stride), (width, width, 1))
        ]
        self.features = nn.Sequential(*stem, *blocks)
        self.classifier = nn.Sequential(nn.AdaptiveAvgPool3d(1), nn.Flatten(), nn.Linear(512, 400))

    def forward(self, video: Tensor) -> Tensor:
        return self.classifier(self.features(video))
