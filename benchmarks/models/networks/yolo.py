"""One-shot detectors whose heads decode boxes on three scales: YOLOv5 and YOLOv8 in their small sizes."""

import torch
from torch import Tensor, nn

from .layers import ConvNorm

STRIDES = (8, 16, 32)
CLASSES = 80


def conv(inputs: int, outputs: int, kernel: int = 1, stride: int = 1) -> ConvNorm:
    return ConvNorm(inputs, outputs, kernel, stride, activation=nn.SiLU)


class Residual(nn.Module):
    def __init__(self, channels: int, first_kernel: int, shortcut: bool):
        super().__init__()
        self.layers = nn.Sequential(conv(channels, channels, first_kernel), conv(channels, channels, 3))
        self.shortcut = shortcut

    def forward(self, image: Tensor) -> Tensor:
        return image + self.layers(image) if self.shortcut else self.layers(image)


class C3(nn.Module):
    """Two 1x1 paths, one of them with residual blocks, joined by a third."""

    def __init__(self, inputs: int, outputs: int, depth: int, shortcut: bool = True):
        super().__init__()
        half = outputs // 2
        self.worked = nn.Sequential(conv(inputs, half), *(Residual(half, 1, shortcut) for _ in range(depth)))
        self.kept = conv(inputs, half)
        self.join = conv(2 * half, outputs)

    def forward(self, image: Tensor) -> Tensor:
        return self.join(torch.cat([self.worked(image), self.kept(image)], 1))


class C2f(nn.Module):
    """Splits its channels, and joins what comes of each of its residual blocks."""

    def __init__(self, inputs: int, outputs: int, depth: int, shortcut: bool = True):
        super().__init__()
        half = outputs // 2
        self.enter = conv(inputs, 2 * half)
        self.blocks = nn.ModuleList(Residual(half, 3, shortcut) for _ in range(depth))
        self.join = conv((2 + depth) * half, outputs)

    def forward(self, image: Tensor) -> Tensor:
        parts = list(self.enter(image).chunk(2, 1))
        for block in self.blocks:
            parts.append(block(parts[-1]))
        return self.join(torch.cat(parts, 1))


class PooledPyramid(nn.Module):
    """Max pools of growing windows, made of one window applied again (SPPF)."""

    def __init__(self, channels: int):
        super().__init__()
        self.enter, self.join = conv(channels, channels // 2), conv(2 * channels, channels)
        self.pool = nn.MaxPool2d(5, 1, 2)

    def forward(self, image: Tensor) -> Tensor:
        parts = [self.enter(image)]
        for _ in range(3):
            parts.append(self.pool(parts[-1]))
        return self.join(torch.cat(parts, 1))


class Features(nn.Module):
    """The backbone and the neck (top-down, then bottom-up): features on three scales."""

    def __init__(self, base: int, stem_kernel: int, block: type[C3 | C2f], depths: tuple[int, ...], squeezing: bool):
        super().__init__()
        w2, w4, w8, w16, w32 = (base * factor for factor in (1, 2, 4, 8, 16))
        self.stem = nn.Sequential(
            ConvNorm(3, w2, stem_kernel, 2, activation=nn.SiLU), conv(w2, w4, 3, 2), block(w4, w4, depths[0])
        )
        self.to_8 = nn.Sequential(conv(w4, w8, 3, 2), block(w8, w8, depths[1]))
        self.to_16 = nn.Sequential(conv(w8, w16, 3, 2), block(w16, w16, depths[2]))
        self.to_32 = nn.Sequential(conv(w16, w32, 3, 2), block(w32, w32, depths[3]), PooledPyramid(w32))
        neck = depths[0]
        # YOLOv5 narrows before it upsamples.
        low, middle = (w16, w8) if squeezing else (w32, w16)
        self.squeeze_32 = conv(w32, w16) if squeezing else nn.Identity()
        self.squeeze_16 = conv(w16, w8) if squeezing else nn.Identity()
        self.up = nn.Upsample(scale_factor=2)
        self.down_16 = block(low + w16, w16, neck, shortcut=False)
        self.out_8 = block(middle + w8, w8, neck, shortcut=False)
        self.enter_16, self.enter_32 = conv(w8, w8, 3, 2), conv(w16, w16, 3, 2)
        self.out_16 = block(w8 + middle, w16, neck, shortcut=False)
        self.out_32 = block(w16 + low, w32, neck, shortcut=False)
        self.widths = (w8, w16, w32)

    def forward(self, image: Tensor) -> list[Tensor]:
        at_8 = self.to_8(self.stem(image))
        at_16 = self.to_16(at_8)
        low = self.squeeze_32(self.to_32(at_16))
        middle = self.squeeze_16(self.down_16(torch.cat([self.up(low), at_16], 1)))
        fine = self.out_8(torch.cat([self.up(middle), at_8], 1))
        medium = self.out_16(torch.cat([self.enter_16(fine), middle], 1))
        coarse = self.out_32(torch.cat([self.enter_32(medium), low], 1))
        return [fine, medium, coarse]


def centres(height: int, width: int) -> Tensor:
    rows, columns = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")
    return torch.stack([columns, rows], -1).float()


class YoloV5(nn.Module):
    """YOLOv5s, release 6 and later, with the decoding of boxes in the graph."""

    ANCHORS = (
        ((10, 13), (16, 30), (33, 23)),
        ((30, 61), (62, 45), (59, 119)),
        ((116, 90), (156, 198), (373, 326)),
    )

    def __init__(self):
        super().__init__()
        self.features = Features(32, 6, C3, (1, 2, 3, 1), squeezing=True)
        self.heads = nn.ModuleList(nn.Conv2d(width, 3 * (5 + CLASSES), 1) for width in self.features.widths)

    def forward(self, image: Tensor) -> Tensor:
        found: list[Tensor] = []
        for feature, head, anchors, stride in zip(self.features(image), self.heads, self.ANCHORS, STRIDES, strict=True):
            batch, _, height, width = feature.shape
            raw = head(feature).view(batch, 3, 5 + CLASSES, height, width).permute(0, 1, 3, 4, 2).contiguous()
            middle, size, rest = raw.sigmoid().split((2, 2, 1 + CLASSES), 4)
            middle = (middle * 2 + (centres(height, width) - 0.5)) * stride
            size = (size * 2) ** 2 * torch.tensor(anchors).float().view(1, 3, 1, 1, 2)
            found.append(torch.cat([middle, size, rest], 4).view(batch, 3 * height * width, 5 + CLASSES))
        return torch.cat(found, 1)


class YoloV8(nn.Module):
    """YOLOv8n: no anchors; each side of a box is the mean of a distribution over sixteen distances."""

    BINS = 16

    def __init__(self):
        super().__init__()
        self.features = Features(16, 3, C2f, (1, 2, 2, 1), squeezing=False)
        boxes, classes = max(16, 64 // 4, 4 * self.BINS), max(64, CLASSES)
        self.boxes = nn.ModuleList(
            nn.Sequential(conv(width, boxes, 3), conv(boxes, boxes, 3), nn.Conv2d(boxes, 4 * self.BINS, 1))
            for width in self.features.widths
        )
        self.classes = nn.ModuleList(
            nn.Sequential(conv(width, classes, 3), conv(classes, classes, 3), nn.Conv2d(classes, CLASSES, 1))
            for width in self.features.widths
        )
        self.mean = nn.Conv2d(self.BINS, 1, 1, bias=False)
        distances = torch.arange(self.BINS).float().view(1, self.BINS, 1, 1)
        self.mean.weight = nn.Parameter(distances, requires_grad=False)

    def forward(self, image: Tensor) -> Tensor:
        features = self.features(image)
        flat = [
            torch.cat([boxes(feature), classes(feature)], 1).view(feature.shape[0], 4 * self.BINS + CLASSES, -1)
            for feature, boxes, classes in zip(features, self.boxes, self.classes, strict=True)
        ]
        boxes, classes = torch.cat(flat, 2).split((4 * self.BINS, CLASSES), 1)
        batch, _, count = boxes.shape
        bins = boxes.view(batch, 4, self.BINS, count).transpose(2, 1).softmax(1)
        near, far = self.mean(bins).view(batch, 4, count).chunk(2, 1)
        points = [centres(*feature.shape[2:]).view(-1, 2) + 0.5 for feature in features]
        steps = [torch.full((len(point), 1), stride) for point, stride in zip(points, STRIDES, strict=True)]
        anchors, sizes = torch.cat(points).t().unsqueeze(0), torch.cat(steps).t().float()
        first, last = anchors - near, anchors + far
        return torch.cat([torch.cat([(first + last) / 2, last - first], 1) * sizes, classes.sigmoid()], 1)
