"""BiFormer: attention whose windows are chosen by the network while it runs."""

from torch import Tensor, nn

from .attention import Mlp, softmax_of

WINDOWS = 7
"""The windows in each row and column of an image."""


class RoutedAttention(nn.Module):
    """Attention of each window to the few windows whose means fit best; images have their channels last."""

    def __init__(self, channels: int, heads: int, side: int, routes: int):
        super().__init__()
        self.channels, self.heads, self.routes, self.size = channels, heads, routes, side // WINDOWS
        self.image, self.pixels = (side, side, channels), self.size**2
        self.scale = channels**-0.5
        self.qkv, self.join = nn.Linear(channels, 3 * channels), nn.Linear(channels, channels)
        self.local = nn.Conv2d(channels, channels, 5, padding=2, groups=channels)

    def windows(self, image: Tensor) -> Tensor:
        parted = image.reshape(-1, WINDOWS, self.size, WINDOWS, self.size, self.channels)
        return parted.permute(0, 1, 3, 2, 4, 5).reshape(-1, WINDOWS**2, self.size, self.size, self.channels)

    def surroundings(self, value: Tensor) -> Tensor:
        """The values convolved as one image."""
        side = WINDOWS * self.size
        windows = value.reshape(-1, WINDOWS, WINDOWS, self.size, self.size, self.channels)
        image = self.local(windows.permute(0, 5, 1, 3, 2, 4).reshape(-1, self.channels, side, side))
        parted = image.reshape(-1, self.channels, WINDOWS, self.size, WINDOWS, self.size)
        return parted.permute(0, 2, 3, 4, 5, 1).reshape(-1, *self.image)

    def flat(self, pair: Tensor) -> Tensor:
        """Windows as rows of pixels, by the permutations between which larger BiFormers pool."""
        images = pair.reshape(-1, self.size, self.size, 2 * self.channels).permute(0, 3, 1, 2)
        parted = images.reshape(-1, WINDOWS, WINDOWS, 2 * self.channels, self.size, self.size)
        return parted.permute(0, 1, 2, 4, 5, 3).reshape(-1, WINDOWS**2, self.pixels, 2 * self.channels)

    def chosen(self, pair: Tensor, query: Tensor, key: Tensor) -> Tensor:
        """The pixels of the windows that each window attends to."""
        scores = (query * self.scale) @ key.transpose(-2, -1)
        routes = scores.topk(self.routes, -1).indices
        every = pair.unsqueeze(1).expand(-1, WINDOWS**2, -1, -1, -1)
        return every.gather(2, routes[..., None, None].expand(-1, -1, -1, self.pixels, 2 * self.channels))

    def forward(self, image: Tensor) -> Tensor:
        query, pair = self.qkv(self.windows(image)).split([self.channels, 2 * self.channels], -1)
        means = query.mean((2, 3)), pair[..., : self.channels].mean((2, 3))
        around = self.surroundings(pair[..., self.channels :])
        key, value = self.chosen(self.flat(pair), *means).split(self.channels, -1)

        heads, size = self.heads, self.channels // self.heads
        routed, every = (WINDOWS**2, self.routes, self.pixels, heads, size), self.routes * self.pixels
        key = key.reshape(-1, *routed).permute(0, 1, 4, 5, 2, 3).reshape(-1, heads, size, every)
        value = value.reshape(-1, *routed).permute(0, 1, 4, 2, 3, 5).reshape(-1, heads, every, size)
        query = query.reshape(-1, WINDOWS**2, self.pixels, heads, size).permute(0, 1, 3, 2, 4)
        query = query.reshape(-1, heads, self.pixels, size)
        found = ((query * self.scale) @ key).softmax(-1) @ value
        found = found.reshape(-1, WINDOWS, WINDOWS, heads, self.size, self.size, size)
        return self.join(found.permute(0, 1, 4, 2, 5, 3, 6).reshape(-1, *self.image) + around)


class WholeAttention(nn.Module):
    """Attention among all pixels, plus a depthwise convolution of the image; it has its channels last."""

    def __init__(self, channels: int, side: int, heads: int = 8):
        super().__init__()
        self.channels, self.side, self.split = channels, side, (3, heads, channels // heads)
        self.scale = (channels // heads) ** -0.5
        self.qkv, self.join = nn.Linear(channels, 3 * channels, bias=False), nn.Linear(channels, channels)
        self.local = nn.Conv2d(channels, channels, 5, padding=2, groups=channels)

    def forward(self, image: Tensor) -> Tensor:
        tokens = image.reshape(-1, self.side**2, self.channels)
        qkv = self.qkv(tokens).reshape(-1, self.side**2, *self.split).permute(2, 0, 3, 1, 4)
        around = self.local(tokens.reshape(-1, self.side, self.side, self.channels).permute(0, 3, 1, 2))
        around = around.permute(0, 2, 3, 1).reshape(-1, self.side**2, self.channels)
        found = softmax_of(qkv[0] * self.scale, qkv[1]) @ qkv[2]
        found = found.transpose(1, 2).reshape(-1, self.side**2, self.channels) + around
        return self.join(found).reshape(-1, self.side, self.side, self.channels)


class RoutedBlock(nn.Module):
    def __init__(self, channels: int, attend: nn.Module):
        super().__init__()
        self.place = nn.Conv2d(channels, channels, 3, padding=1, groups=channels)
        self.norm, self.inner_norm = nn.LayerNorm(channels, eps=1e-6), nn.LayerNorm(channels, eps=1e-6)
        self.attend, self.mlp = attend, Mlp(channels, 3 * channels)

    def forward(self, image: Tensor) -> Tensor:
        image = (image + self.place(image)).permute(0, 2, 3, 1)
        image = image + self.attend(self.norm(image))
        image = image + self.mlp(self.inner_norm(image))
        return image.permute(0, 3, 1, 2)


def smaller(inputs: int, outputs: int) -> list[nn.Module]:
    return [nn.Conv2d(inputs, outputs, 3, 2, 1), nn.BatchNorm2d(outputs)]


class BiFormer(nn.Module):
    """BiFormer-T (arXiv 2303.08810)."""

    def __init__(self):
        super().__init__()
        layers: list[nn.Module] = [*smaller(3, 32), nn.GELU(), *smaller(32, 64)]
        channels, side = 64, 56
        for depth, routes in ((2, 1), (2, 4), (8, 16)):
            for _ in range(depth):
                layers.append(RoutedBlock(channels, RoutedAttention(channels, channels // 32, side, routes)))
            layers += smaller(channels, 2 * channels)
            channels, side = 2 * channels, side // 2
        layers += [RoutedBlock(channels, WholeAttention(channels, side)) for _ in range(2)]
        self.layers = nn.Sequential(*layers, nn.BatchNorm2d(channels))
        self.head = nn.Linear(channels, 1000)

    def forward(self, image: Tensor) -> Tensor:
        return self.head(self.layers(image).flatten(2).mean(-1))
