"""Classifiers of images by attention within parts of the image: CSWin, CrossFormer, AutoFormer, BiFormer.

Windows are parted, and heads put first, by the reshapes and permutations that the authors write.
"""

import torch
from torch import Tensor, nn


class Mlp(nn.Sequential):
    def __init__(self, channels: int, inner: int):
        super().__init__(nn.Linear(channels, inner), nn.GELU(), nn.Linear(inner, channels))


def softmax_of(query: Tensor, key: Tensor) -> Tensor:
    """The weights of attention; the query is scaled already, the key has its channels last."""
    return (query @ key.transpose(-2, -1)).softmax(-1)


# --- CSWin


class StripeAttention(nn.Module):
    """Attention within stripes of the image, plus a depthwise convolution of the values in each stripe."""

    def __init__(self, channels: int, heads: int, side: int, rows: int, columns: int):
        super().__init__()
        self.channels, self.heads, self.side, self.rows, self.columns = channels, heads, side, rows, columns
        self.down, self.across, self.area = side // rows, side // columns, rows * columns
        self.scale = (channels // heads) ** -0.5
        self.local = nn.Conv2d(channels, channels, 3, padding=1, groups=channels)

    def stripes(self, tokens: Tensor) -> Tensor:
        image = tokens.transpose(1, 2).reshape(-1, self.channels, self.side, self.side)
        return image.reshape(-1, self.channels, self.down, self.rows, self.across, self.columns)

    def by_head(self, tokens: Tensor) -> Tensor:
        pixels = self.stripes(tokens).permute(0, 2, 4, 3, 5, 1).reshape(-1, self.area, self.channels)
        return pixels.reshape(-1, self.area, self.heads, self.channels // self.heads).permute(0, 2, 1, 3)

    def images_by_head(self, images: Tensor) -> Tensor:
        return images.reshape(-1, self.heads, self.channels // self.heads, self.area).permute(0, 1, 3, 2)

    def forward(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        images = self.stripes(value).permute(0, 2, 4, 1, 3, 5).reshape(-1, self.channels, self.rows, self.columns)
        weights = softmax_of(self.by_head(query) * self.scale, self.by_head(key))
        result = weights @ self.images_by_head(images) + self.images_by_head(self.local(images))
        pixels = result.transpose(1, 2).reshape(-1, self.area, self.channels)
        stripes = pixels.reshape(-1, self.down, self.across, self.rows, self.columns, self.channels)
        return stripes.permute(0, 1, 3, 2, 4, 5).reshape(-1, self.side**2, self.channels)


class StripeBlock(nn.Module):
    """Half of the channels attends within upright stripes, the other half within level ones."""

    def __init__(self, channels: int, heads: int, side: int, width: int):
        super().__init__()
        self.channels = channels
        shapes = [(side, side)] if width == side else [(side, width), (width, side)]
        self.part = channels // len(shapes)
        self.attend = nn.ModuleList(
            StripeAttention(self.part, heads // len(shapes), side, rows, columns) for rows, columns in shapes
        )
        self.norm, self.inner_norm = nn.LayerNorm(channels), nn.LayerNorm(channels)
        self.qkv, self.join = nn.Linear(channels, 3 * channels), nn.Linear(channels, channels)
        self.mlp = Mlp(channels, 4 * channels)

    def forward(self, tokens: Tensor) -> Tensor:
        qkv = self.qkv(self.norm(tokens)).reshape(1, -1, 3, self.channels).permute(2, 0, 1, 3)
        parts = qkv.split(self.part, 3) if len(self.attend) > 1 else [qkv]
        found = [attend(part[0], part[1], part[2]) for attend, part in zip(self.attend, parts, strict=True)]
        tokens = tokens + self.join(torch.cat(found, 2) if len(found) > 1 else found[0])
        return tokens + self.mlp(self.inner_norm(tokens))


class TokensOf(nn.Module):
    """A convolution whose pixels become normalised tokens."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int, padding: int):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(inputs, outputs, kernel, stride, padding), nn.LayerNorm(outputs)

    def forward(self, image: Tensor) -> Tensor:
        return self.norm(self.conv(image).flatten(2).transpose(1, 2))


class ImageOf(nn.Module):
    def __init__(self, channels: int, side: int):
        super().__init__()
        self.channels, self.side = channels, side

    def forward(self, tokens: Tensor) -> Tensor:
        return tokens.transpose(1, 2).reshape(-1, self.channels, self.side, self.side)


class CSwin(nn.Module):
    """CSWin-T (arXiv 2107.00652)."""

    def __init__(self):
        super().__init__()
        channels, side = 64, 56
        layers: list[nn.Module] = [TokensOf(3, channels, 7, 4, 2)]
        for depth, heads, width in ((1, 2, 1), (2, 4, 2), (21, 8, 7), (1, 16, 7)):
            layers += [StripeBlock(channels, heads, side, width) for _ in range(depth)]
            if side > 7:
                layers += [ImageOf(channels, side), TokensOf(channels, 2 * channels, 3, 2, 1)]
                channels, side = 2 * channels, side // 2
        self.layers = nn.Sequential(*layers, nn.LayerNorm(channels))
        self.head = nn.Linear(channels, 1000)

    def forward(self, image: Tensor) -> Tensor:
        return self.head(self.layers(image).mean(1))


# --- CrossFormer


class PlaceBias(nn.Module):
    """A bias for each pair of places in a group, computed from their distance by a small network."""

    def __init__(self, channels: int, heads: int, group: int):
        super().__init__()
        inner = channels // 16
        self.area, self.heads = group**2, heads
        steps = [
            layer
            for size in (inner, inner, heads)
            for layer in (nn.LayerNorm(inner), nn.ReLU(), nn.Linear(inner, size))
        ]
        self.layers = nn.Sequential(nn.Linear(2, inner), *steps)
        reach = torch.arange(1 - group, group)
        self.register_buffer("distances", torch.cartesian_prod(reach, reach).float())
        places = torch.cartesian_prod(torch.arange(group), torch.arange(group))
        apart = places[:, None] - places[None] + group - 1
        self.register_buffer("pairs", (apart[..., 0] * (2 * group - 1) + apart[..., 1]).flatten())

    def forward(self) -> Tensor:
        biases = self.layers(self.distances)[self.pairs].reshape(self.area, self.area, self.heads)
        return biases.permute(2, 0, 1).unsqueeze(0)


class GroupAttention(nn.Module):
    def __init__(self, channels: int, heads: int, group: int):
        super().__init__()
        self.channels, self.area, self.split = channels, group**2, (3, heads, channels // heads)
        self.scale = (channels // heads) ** -0.5
        self.qkv, self.join = nn.Linear(channels, 3 * channels), nn.Linear(channels, channels)
        self.bias = PlaceBias(channels, heads, group)

    def forward(self, groups: Tensor) -> Tensor:
        qkv = self.qkv(groups).reshape(-1, self.area, *self.split).permute(2, 0, 3, 1, 4)
        weights = ((qkv[0] * self.scale) @ qkv[1].transpose(-2, -1) + self.bias()).softmax(-1)
        return self.join((weights @ qkv[2]).transpose(1, 2).reshape(-1, self.area, self.channels))


class GroupBlock(nn.Module):
    """Attention among neighbours, or among pixels a fixed distance apart."""

    def __init__(self, channels: int, heads: int, side: int, is_distant: bool, group: int = 7):
        super().__init__()
        groups = side // group
        self.tokens, self.group_tokens, self.image = (side**2, channels), (group**2, channels), (side, side, channels)
        self.parted = (
            (group, groups, group, groups, channels) if is_distant else (groups, group, groups, group, channels)
        )
        self.grouped = (groups, groups, group, group, channels)
        self.to_groups = (0, 2, 4, 1, 3, 5) if is_distant else (0, 1, 3, 2, 4, 5)
        self.from_groups = (0, 3, 1, 4, 2, 5) if is_distant else (0, 1, 3, 2, 4, 5)
        self.norm, self.inner_norm = nn.LayerNorm(channels), nn.LayerNorm(channels)
        self.attend, self.mlp = GroupAttention(channels, heads, group), Mlp(channels, 4 * channels)

    def forward(self, tokens: Tensor) -> Tensor:
        image = self.norm(tokens).reshape(-1, *self.image)
        groups = image.reshape(-1, *self.parted).permute(self.to_groups).reshape(-1, *self.group_tokens)
        found = self.attend(groups).reshape(-1, *self.grouped).permute(self.from_groups).reshape(-1, *self.image)
        tokens = tokens + found.reshape(-1, *self.tokens)
        return tokens + self.mlp(self.inner_norm(tokens))


class ManyScales(nn.Module):
    """Tokens from convolutions with kernels of several sizes; the smallest gives the most channels."""

    def __init__(self, inputs: int, outputs: int, kernels: tuple[int, ...]):
        super().__init__()
        stride, last = kernels[0], len(kernels) - 1
        self.convs = nn.ModuleList(
            nn.Conv2d(inputs, outputs >> min(index + 1, last), kernel, stride, (kernel - stride) // 2)
            for index, kernel in enumerate(kernels)
        )

    def forward(self, image: Tensor) -> Tensor:
        return torch.cat([conv(image).flatten(2).transpose(1, 2) for conv in self.convs], 2)


class Merge(nn.Module):
    def __init__(self, channels: int, side: int):
        super().__init__()
        self.image = (side, side, channels)
        self.norm, self.scales = nn.LayerNorm(channels), ManyScales(channels, 2 * channels, (2, 4))

    def forward(self, tokens: Tensor) -> Tensor:
        return self.scales(self.norm(tokens).reshape(-1, *self.image).permute(0, 3, 1, 2))


class CrossFormer(nn.Module):
    """CrossFormer-S (arXiv 2108.00154)."""

    def __init__(self):
        super().__init__()
        channels, side = 96, 56
        layers: list[nn.Module] = [ManyScales(3, channels, (4, 8, 16, 32)), nn.LayerNorm(channels)]
        for depth, heads in ((2, 3), (2, 6), (6, 12), (2, 24)):
            layers += [GroupBlock(channels, heads, side, side > 7 and index % 2 == 1) for index in range(depth)]
            if side > 7:
                layers.append(Merge(channels, side))
                channels, side = 2 * channels, side // 2
        self.layers = nn.Sequential(*layers, nn.LayerNorm(channels))
        self.pool, self.head = nn.AdaptiveAvgPool1d(1), nn.Linear(channels, 1000)

    def forward(self, image: Tensor) -> Tensor:
        return self.head(self.pool(self.layers(image).transpose(1, 2)).flatten(1))


# --- AutoFormer


class PlaceTable(nn.Module):
    """A vector for each pair of patches, the sum of one for their rows and one for their columns."""

    def __init__(self, side: int, channels: int, reach: int = 14):
        super().__init__()
        self.rows, self.columns = (nn.Parameter(0.02 * torch.randn(2 * reach + 2, channels)) for _ in range(2))
        places = torch.cartesian_prod(torch.arange(side), torch.arange(side))
        apart = (places[None] - places[:, None]).clamp(-reach, reach) + reach + 1
        # The first vector is for the class token.
        padded = nn.functional.pad(apart, (0, 0, 1, 0, 1, 0))
        self.register_buffer("down", padded[..., 0])
        self.register_buffer("across", padded[..., 1])

    def forward(self) -> Tensor:
        return self.rows[self.down] + self.columns[self.across]


class PlacedAttention(nn.Module):
    """Attention with relative positions in keys and in values, multiplied place by place."""

    def __init__(self, channels: int, heads: int, side: int, head_size: int = 64):
        super().__init__()
        self.tokens, self.heads, self.inner = side**2 + 1, heads, heads * head_size
        self.split = (3, heads, head_size)
        self.scale = head_size**-0.5
        self.qkv, self.join = nn.Linear(channels, 3 * self.inner), nn.Linear(self.inner, channels)
        self.keys, self.values = PlaceTable(side, head_size), PlaceTable(side, head_size)

    def by_place(self, heads: Tensor, table: Tensor) -> Tensor:
        places = heads.permute(2, 0, 1, 3).reshape(self.tokens, self.heads, -1)
        return (places @ table).transpose(1, 0).reshape(1, self.heads, self.tokens, -1)

    def forward(self, tokens: Tensor) -> Tensor:
        qkv = self.qkv(tokens).reshape(1, self.tokens, *self.split).permute(2, 0, 3, 1, 4)
        query, key, value = qkv[0], qkv[1], qkv[2]
        scores = (query @ key.transpose(-2, -1)) * self.scale
        weights = (scores + self.by_place(query, self.keys().transpose(2, 1)) * self.scale).softmax(-1)
        found = (weights @ value).transpose(1, 2).reshape(1, self.tokens, self.inner)
        by_place = self.by_place(weights, self.values()).transpose(2, 1).reshape(1, self.tokens, self.inner)
        return self.join(found + by_place)


class PlacedBlock(nn.Module):
    def __init__(self, channels: int, heads: int, ratio: float, side: int):
        super().__init__()
        self.norm, self.inner_norm = nn.LayerNorm(channels), nn.LayerNorm(channels)
        self.attend, self.mlp = PlacedAttention(channels, heads, side), Mlp(channels, int(channels * ratio))

    def forward(self, tokens: Tensor) -> Tensor:
        tokens = tokens + self.attend(self.norm(tokens))
        return tokens + self.mlp(self.inner_norm(tokens))


class AutoFormer(nn.Module):
    """AutoFormer-S (arXiv 2107.00651): a searched transformer, with other heads and widths in each block."""

    HEADS = (6, 6, 5, 7, 5, 5, 5, 6, 6, 7, 7, 6, 7)
    RATIOS = (3.0, 3.5, 3.0, 3.5, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 3.5, 4.0)

    def __init__(self):
        super().__init__()
        channels, side = 384, 14
        self.patches = nn.Conv2d(3, channels, 16, 16)
        self.first = nn.Parameter(0.02 * torch.randn(1, 1, channels))
        self.places = nn.Parameter(0.02 * torch.randn(1, side**2 + 1, channels))
        blocks = (PlacedBlock(channels, *each, side) for each in zip(self.HEADS, self.RATIOS, strict=True))
        self.blocks = nn.Sequential(*blocks, nn.LayerNorm(channels))
        self.head = nn.Linear(channels, 1000)

    def forward(self, image: Tensor) -> Tensor:
        patches = self.patches(image).flatten(2).transpose(1, 2)
        tokens = torch.cat([self.first, patches], 1) + self.places
        return self.head(self.blocks(tokens)[:, 1:].mean(1))
