"""Detectors with heads on many scales: SSD300 and RetinaNet."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from .classification import Vgg16
from .layers import ConvNorm
from .resnet import Backbone


class ScaledNorm(nn.Module):
    """Makes the channels of each pixel a vector of length one, then scales each channel."""

    def __init__(self, channels: int):
        super().__init__()
        self.weight = nn.Parameter(torch.full((1, channels, 1, 1), 20.0))

    def forward(self, image: Tensor) -> Tensor:
        return functional.normalize(image) * self.weight


class Ssd300(nn.Module):
    """SSD300 on VGG-16 (arXiv 1512.02325): scores and offsets of the 8,732 default boxes."""

    CLASSES = 21
    BOXES = (4, 6, 6, 6, 4, 4)
    WIDTHS = (512, 1024, 512, 256, 256, 256)

    def __init__(self):
        super().__init__()
        layers = list(Vgg16().features)
        layers[16].ceil_mode = True
        # Up to the tenth convolution; then the rest, with dilation in place of the last stride.
        self.first = nn.Sequential(*layers[:23])
        self.norm = ScaledNorm(512)
        self.second = nn.Sequential(
            *layers[23:30],
            nn.MaxPool2d(3, 1, 1),
            nn.Conv2d(512, 1024, 3, padding=6, dilation=6),
            nn.ReLU(),
            nn.Conv2d(1024, 1024, 1),
            nn.ReLU(),
        )
        self.extras = nn.ModuleList(
            nn.Sequential(
                nn.Conv2d(inputs, width, 1), nn.ReLU(), nn.Conv2d(width, 2 * width, 3, stride, padding), nn.ReLU()
            )
            for inputs, width, stride, padding in (
                (1024, 256, 2, 1),
                (512, 128, 2, 1),
                (256, 128, 1, 0),
                (256, 128, 1, 0),
            )
        )
        pairs = list(zip(self.WIDTHS, self.BOXES, strict=True))
        self.scores = nn.ModuleList(nn.Conv2d(width, boxes * self.CLASSES, 3, padding=1) for width, boxes in pairs)
        self.offsets = nn.ModuleList(nn.Conv2d(width, boxes * 4, 3, padding=1) for width, boxes in pairs)

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor]:
        first = self.first(image)
        features = [self.norm(first), self.second(first)]
        for extra in self.extras:
            features.append(extra(features[-1]))
        scores = [flat(head(feature), self.CLASSES) for head, feature in zip(self.scores, features, strict=True)]
        offsets = [flat(head(feature), 4) for head, feature in zip(self.offsets, features, strict=True)]
        return torch.cat(scores, 1).softmax(-1), torch.cat(offsets, 1)


def flat(image: Tensor, size: int) -> Tensor:
    """One row of `size` numbers for each box of each pixel."""
    return image.permute(0, 2, 3, 1).reshape(image.shape[0], -1, size)


class Pyramid(nn.Module):
    """Feature pyramid (arXiv 1612.03144) with two more levels, as RetinaNet has it."""

    def __init__(self, widths: tuple[int, ...], channels: int):
        super().__init__()
        self.lateral = nn.ModuleList(nn.Conv2d(width, channels, 1) for width in widths)
        self.smooth = nn.ModuleList(nn.Conv2d(channels, channels, 3, padding=1) for _ in widths)
        self.sixth = nn.Conv2d(widths[-1], channels, 3, 2, 1)
        self.seventh = nn.Conv2d(channels, channels, 3, 2, 1)

    def forward(self, features: list[Tensor]) -> list[Tensor]:
        levels = [lateral(feature) for lateral, feature in zip(self.lateral, features, strict=True)]
        for index in range(len(levels) - 1, 0, -1):
            finer = levels[index - 1]
            levels[index - 1] = finer + functional.interpolate(levels[index], size=finer.shape[2:], mode="nearest")
        sixth = self.sixth(features[-1])
        smooth = [smooth(level) for smooth, level in zip(self.smooth, levels, strict=True)]
        return [*smooth, sixth, self.seventh(functional.relu(sixth))]


class RetinaNet(nn.Module):
    """RetinaNet on ResNet-50 (arXiv 1708.02002): one head for classes and one for boxes, shared by five levels."""

    ANCHORS, CLASSES = 9, 80

    def __init__(self):
        super().__init__()
        self.backbone = Backbone()
        self.pyramid = Pyramid((512, 1024, 2048), 256)
        self.scores = self.head(self.ANCHORS * self.CLASSES)
        self.boxes = self.head(self.ANCHORS * 4)

    @staticmethod
    def head(outputs: int) -> nn.Sequential:
        layers = [layer for _ in range(4) for layer in (nn.Conv2d(256, 256, 3, padding=1), nn.ReLU())]
        return nn.Sequential(*layers, nn.Conv2d(256, outputs, 3, padding=1))

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor]:
        levels = self.pyramid(self.backbone(image)[1:])
        scores = [self.rows(self.scores(level), self.CLASSES) for level in levels]
        boxes = [self.rows(self.boxes(level), 4) for level in levels]
        return torch.cat(scores, 1).sigmoid(), torch.cat(boxes, 1)

    @staticmethod
    def rows(image: Tensor, size: int) -> Tensor:
        batch, _, height, width = image.shape
        split = image.view(batch, -1, size, height, width)
        return split.permute(0, 3, 4, 1, 2).reshape(batch, -1, size)


class CenterNet(nn.Module):
    """Objects as points (arXiv 1904.07850) on an upsampled ResNet-50: peaks of a heat map, the best hundred of them."""

    CLASSES, BEST = 80, 100

    def __init__(self):
        super().__init__()
        self.backbone = Backbone()
        up: list[nn.Module] = []
        inputs = 2048
        for width in (256, 128, 64):
            up += [nn.ConvTranspose2d(inputs, width, 4, 2, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU()]
            inputs = width
        self.up = nn.Sequential(*up)
        self.heat, self.size, self.shift = (
            nn.Sequential(ConvNorm(64, 64), nn.Conv2d(64, outputs, 1)) for outputs in (self.CLASSES, 2, 2)
        )

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        feature = self.up(self.backbone(image)[-1])
        heat = self.heat(feature).sigmoid()
        peaks = heat * (functional.max_pool2d(heat, 3, 1, 1) == heat)
        scores, places = peaks.flatten(1).topk(self.BEST)
        area = heat.shape[2] * heat.shape[3]
        regressed = torch.cat([self.size(feature), self.shift(feature)], 1).flatten(2).transpose(1, 2)
        found = regressed.gather(1, (places % area).unsqueeze(-1).expand(-1, -1, 4))
        return scores, places, found
