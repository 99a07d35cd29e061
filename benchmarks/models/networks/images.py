"""Networks that make images: super-resolution by depth to space, and the transfer of a style."""

from torch import Tensor, nn
from torch.nn import functional


class Espcn(nn.Module):
    """ESPCN (arXiv 1609.05158): all work at low resolution, then one depth to space."""

    def __init__(self, factor: int = 3):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(1, 64, 5, padding=2),
            nn.Tanh(),
            nn.Conv2d(64, 32, 3, padding=1),
            nn.Tanh(),
            nn.Conv2d(32, factor**2, 3, padding=1),
            nn.PixelShuffle(factor),
            nn.Sigmoid(),
        )

    def forward(self, image: Tensor) -> Tensor:
        return self.layers(image)


class ScaledResidual(nn.Module):
    def __init__(self, channels: int, scale: float):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1), nn.ReLU(), nn.Conv2d(channels, channels, 3, padding=1)
        )
        self.scale = scale

    def forward(self, image: Tensor) -> Tensor:
        return image + self.layers(image) * self.scale


class Edsr(nn.Module):
    """EDSR, baseline, four times the size (arXiv 1707.02921): residual blocks without norms, two depths to space."""

    MEAN = (0.4488, 0.4371, 0.4040)

    def __init__(self):
        super().__init__()
        self.shift, self.unshift = nn.Conv2d(3, 3, 1), nn.Conv2d(3, 3, 1)
        self.enter = nn.Conv2d(3, 64, 3, padding=1)
        self.body = nn.Sequential(*(ScaledResidual(64, 0.1) for _ in range(16)), nn.Conv2d(64, 64, 3, padding=1))
        up = [layer for _ in range(2) for layer in (nn.Conv2d(64, 256, 3, padding=1), nn.PixelShuffle(2))]
        self.up = nn.Sequential(*up, nn.Conv2d(64, 3, 3, padding=1))

    def forward(self, image: Tensor) -> Tensor:
        image = self.enter(self.shift(image))
        return self.unshift(self.up(image + self.body(image)))


class Reflected(nn.Module):
    """A convolution of an image continued by its mirror image."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int = 1):
        super().__init__()
        self.layers = nn.Sequential(nn.ReflectionPad2d(kernel // 2), nn.Conv2d(inputs, outputs, kernel, stride))

    def forward(self, image: Tensor) -> Tensor:
        return self.layers(image)


class NormedResidual(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.layers = nn.Sequential(
            Reflected(channels, channels, 3),
            nn.InstanceNorm2d(channels, affine=True),
            nn.ReLU(),
            Reflected(channels, channels, 3),
            nn.InstanceNorm2d(channels, affine=True),
        )

    def forward(self, image: Tensor) -> Tensor:
        return image + self.layers(image)


class Upsampled(nn.Module):
    """Nearest neighbours, then a convolution."""

    def __init__(self, inputs: int, outputs: int):
        super().__init__()
        self.conv = Reflected(inputs, outputs, 3)

    def forward(self, image: Tensor) -> Tensor:
        return self.conv(functional.interpolate(image, scale_factor=2, mode="nearest"))


class StyleTransfer(nn.Module):
    """Fast style transfer (arXiv 1603.08155) with instance norms and resize convolutions."""

    def __init__(self):
        super().__init__()

        def normed(layer: nn.Module, channels: int) -> list[nn.Module]:
            return [layer, nn.InstanceNorm2d(channels, affine=True), nn.ReLU()]

        self.layers = nn.Sequential(
            *normed(Reflected(3, 32, 9), 32),
            *normed(Reflected(32, 64, 3, 2), 64),
            *normed(Reflected(64, 128, 3, 2), 128),
            *(NormedResidual(128) for _ in range(5)),
            *normed(Upsampled(128, 64), 64),
            *normed(Upsampled(64, 32), 32),
            Reflected(32, 3, 9),
        )

    def forward(self, image: Tensor) -> Tensor:
        return self.layers(image)
