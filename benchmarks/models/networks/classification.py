"""Classifiers of images that came before mobile ones: VGG, SqueezeNet, DenseNet, Inception."""

import torch
from torch import Tensor, nn

from .layers import ConvNorm


class Vgg16(nn.Module):
    """VGG-16 (arXiv 1409.1556)."""

    def __init__(self):
        super().__init__()
        layers: list[nn.Module] = []
        inputs = 3
        for width, depth in ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3)):
            for _ in range(depth):
                layers += [nn.Conv2d(inputs, width, 3, padding=1), nn.ReLU()]
                inputs = width
            layers.append(nn.MaxPool2d(2))
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Sequential(
            nn.Flatten(),
            nn.Linear(512 * 7 * 7, 4096),
            nn.ReLU(),
            nn.Linear(4096, 4096),
            nn.ReLU(),
            nn.Linear(4096, 1000),
        )

    def forward(self, image: Tensor) -> Tensor:
        return self.classifier(self.features(image))


class Fire(nn.Module):
    """1x1 convolution, then a 1x1 and a 3x3 one side by side."""

    def __init__(self, inputs: int, squeezed: int, expanded: int):
        super().__init__()
        self.squeeze = nn.Sequential(nn.Conv2d(inputs, squeezed, 1), nn.ReLU())
        self.small = nn.Sequential(nn.Conv2d(squeezed, expanded, 1), nn.ReLU())
        self.large = nn.Sequential(nn.Conv2d(squeezed, expanded, 3, padding=1), nn.ReLU())

    def forward(self, image: Tensor) -> Tensor:
        image = self.squeeze(image)
        return torch.cat([self.small(image), self.large(image)], 1)


class SqueezeNet(nn.Module):
    """SqueezeNet 1.1 (arXiv 1602.07360)."""

    def __init__(self):
        super().__init__()

        def pool() -> nn.Module:
            return nn.MaxPool2d(3, 2, ceil_mode=True)

        self.layers = nn.Sequential(
            nn.Conv2d(3, 64, 3, 2),
            nn.ReLU(),
            pool(),
            Fire(64, 16, 64),
            Fire(128, 16, 64),
            pool(),
            Fire(128, 32, 128),
            Fire(256, 32, 128),
            pool(),
            Fire(256, 48, 192),
            Fire(384, 48, 192),
            Fire(384, 64, 256),
            Fire(512, 64, 256),
            nn.Conv2d(512, 1000, 1),
            nn.ReLU(),
            nn.AdaptiveAvgPool2d(1),
            nn.Flatten(),
        )

    def forward(self, image: Tensor) -> Tensor:
        return self.layers(image)


class DenseLayer(nn.Module):
    """Adds `growth` channels computed from all channels before."""

    def __init__(self, inputs: int, growth: int):
        super().__init__()
        self.layers = nn.Sequential(
            nn.BatchNorm2d(inputs),
            nn.ReLU(),
            nn.Conv2d(inputs, 4 * growth, 1, bias=False),
            nn.BatchNorm2d(4 * growth),
            nn.ReLU(),
            nn.Conv2d(4 * growth, growth, 3, padding=1, bias=False),
        )

    def forward(self, image: Tensor) -> Tensor:
        return torch.cat([image, self.layers(image)], 1)


class DenseNet121(nn.Module):
    """DenseNet-121 (arXiv 1608.06993)."""

    def __init__(self):
        super().__init__()
        growth, channels, depths = 32, 64, (6, 12, 24, 16)
        layers: list[nn.Module] = [ConvNorm(3, channels, 7, 2), nn.MaxPool2d(3, 2, 1)]
        for index, depth in enumerate(depths):
            layers += [DenseLayer(channels + growth * number, growth) for number in range(depth)]
            channels += growth * depth
            layers += [nn.BatchNorm2d(channels), nn.ReLU()]
            if index < len(depths) - 1:
                layers += [nn.Conv2d(channels, channels // 2, 1, bias=False), nn.AvgPool2d(2)]
                channels //= 2
        self.layers = nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, 1000))

    def forward(self, image: Tensor) -> Tensor:
        return self.layers(image)


def conv(inputs: int, outputs: int, kernel: tuple[int, int], stride: int = 1, padded: bool = True) -> nn.Sequential:
    padding = tuple(size // 2 for size in kernel) if padded else 0
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, padding, bias=False), nn.BatchNorm2d(outputs, eps=0.001), nn.ReLU()
    )


class Branches(nn.Module):
    """Several paths from the same image, joined by channel."""

    def __init__(self, *branches: nn.Module):
        super().__init__()
        self.branches = nn.ModuleList(branches)

    def forward(self, image: Tensor) -> Tensor:
        return torch.cat([branch(image) for branch in self.branches], 1)


def mixed_square(inputs: int, pooled: int) -> Branches:
    """Inception's block of 1x1, 5x5 and two 3x3 convolutions."""
    return Branches(
        conv(inputs, 64, (1, 1)),
        nn.Sequential(conv(inputs, 48, (1, 1)), conv(48, 64, (5, 5))),
        nn.Sequential(conv(inputs, 64, (1, 1)), conv(64, 96, (3, 3)), conv(96, 96, (3, 3))),
        nn.Sequential(nn.AvgPool2d(3, 1, 1), conv(inputs, pooled, (1, 1))),
    )


def mixed_long(width: int) -> Branches:
    """Inception's block of 7x7 convolutions, factored to 1x7 and 7x1."""
    return Branches(
        conv(768, 192, (1, 1)),
        nn.Sequential(conv(768, width, (1, 1)), conv(width, width, (1, 7)), conv(width, 192, (7, 1))),
        nn.Sequential(
            conv(768, width, (1, 1)),
            conv(width, width, (7, 1)),
            conv(width, width, (1, 7)),
            conv(width, width, (7, 1)),
            conv(width, 192, (1, 7)),
        ),
        nn.Sequential(nn.AvgPool2d(3, 1, 1), conv(768, 192, (1, 1))),
    )


def mixed_wide(inputs: int) -> Branches:
    """Inception's last block, whose branches branch again."""
    return Branches(
        conv(inputs, 320, (1, 1)),
        nn.Sequential(conv(inputs, 384, (1, 1)), Branches(conv(384, 384, (1, 3)), conv(384, 384, (3, 1)))),
        nn.Sequential(
            conv(inputs, 448, (1, 1)),
            conv(448, 384, (3, 3)),
            Branches(conv(384, 384, (1, 3)), conv(384, 384, (3, 1))),
        ),
        nn.Sequential(nn.AvgPool2d(3, 1, 1), conv(inputs, 192, (1, 1))),
    )


class InceptionV3(nn.Module):
    """Inception v3 (arXiv 1512.00567), without the auxiliary classifier, which is for training."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(
            conv(3, 32, (3, 3), 2, padded=False),
            conv(32, 32, (3, 3), padded=False),
            conv(32, 64, (3, 3)),
            nn.MaxPool2d(3, 2),
            conv(64, 80, (1, 1)),
            conv(80, 192, (3, 3), padded=False),
            nn.MaxPool2d(3, 2),
            mixed_square(192, 32),
            mixed_square(256, 64),
            mixed_square(288, 64),
            Branches(
                conv(288, 384, (3, 3), 2, padded=False),
                nn.Sequential(conv(288, 64, (1, 1)), conv(64, 96, (3, 3)), conv(96, 96, (3, 3), 2, padded=False)),
                nn.MaxPool2d(3, 2),
            ),
            mixed_long(128),
            mixed_long(160),
            mixed_long(160),
            mixed_long(192),
            Branches(
                nn.Sequential(conv(768, 192, (1, 1)), conv(192, 320, (3, 3), 2, padded=False)),
                nn.Sequential(
                    conv(768, 192, (1, 1)),
                    conv(192, 192, (1, 7)),
                    conv(192, 192, (7, 1)),
                    conv(192, 192, (3, 3), 2, padded=False),
                ),
                nn.MaxPool2d(3, 2),
            ),
            mixed_wide(1280),
            mixed_wide(2048),
            nn.AdaptiveAvgPool2d(1),
            nn.Flatten(),
            nn.Linear(2048, 1000),
        )

    def forward(self, image: Tensor) -> Tensor:
        return self.layers(image)
