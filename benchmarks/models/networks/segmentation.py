"""Networks that label each pixel: U-Net and DeepLab v3."""

from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

from .layers import ConvNorm
from .resnet import Backbone


def twice(inputs: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(ConvNorm(inputs, outputs), ConvNorm(outputs, outputs))


class UNet(nn.Module):
    """U-Net (arXiv 1505.04597), padded, with transposed convolutions on the way up."""

    WIDTHS = (64, 128, 256, 512, 1024)

    def __init__(self, classes: int = 2):
        super().__init__()
        widths = self.WIDTHS
        self.down = nn.ModuleList(twice(before, width) for before, width in pairwise((3, *widths)))
        self.up = nn.ModuleList(nn.ConvTranspose2d(wide, narrow, 2, 2) for narrow, wide in pairwise(widths))
        self.join = nn.ModuleList(twice(2 * width, width) for width in widths[:-1])
        self.head = nn.Conv2d(widths[0], classes, 1)

    def forward(self, image: Tensor) -> Tensor:
        kept: list[Tensor] = []
        for index, down in enumerate(self.down):
            image = down(image if index == 0 else functional.max_pool2d(image, 2))
            kept.append(image)
        for index in range(len(self.up) - 1, -1, -1):
            image = self.join[index](torch.cat([kept[index], self.up[index](image)], 1))
        return self.head(image)


class PooledContext(nn.Module):
    """The mean of the whole image, given back to every pixel."""

    def __init__(self, inputs: int, outputs: int):
        super().__init__()
        self.layers = nn.Sequential(nn.AdaptiveAvgPool2d(1), ConvNorm(inputs, outputs, 1))

    def forward(self, image: Tensor) -> Tensor:
        return functional.interpolate(self.layers(image), size=image.shape[2:], mode="bilinear", align_corners=False)


class DeepLabV3(nn.Module):
    """DeepLab v3 on a dilated ResNet-50 (arXiv 1706.05587): pyramid of dilated convolutions, bilinear resize."""

    def __init__(self, classes: int = 21):
        super().__init__()
        self.backbone = Backbone(dilated_stages=2)
        self.context = nn.ModuleList(
            [
                ConvNorm(2048, 256, 1),
                *(ConvNorm(2048, 256, 3, dilation=rate) for rate in (12, 24, 36)),
                PooledContext(2048, 256),
            ]
        )
        self.head = nn.Sequential(ConvNorm(5 * 256, 256, 1), ConvNorm(256, 256), nn.Conv2d(256, classes, 1))

    def forward(self, image: Tensor) -> Tensor:
        feature = self.backbone(image)[-1]
        labels = self.head(torch.cat([path(feature) for path in self.context], 1))
        return functional.interpolate(labels, size=image.shape[2:], mode="bilinear", align_corners=False)
