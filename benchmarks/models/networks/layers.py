"""Layers that several of the networks share."""

from torch import Tensor, nn


class ConvNorm(nn.Sequential):
    """Convolution, batch norm and activation, padded so that a stride of one keeps the size."""

    def __init__(
        self,
        inputs: int,
        outputs: int,
        kernel: int = 3,
        stride: int = 1,
        groups: int = 1,
        dilation: int = 1,
        activation: type[nn.Module] | None = nn.ReLU,
    ):
        padding = (kernel - 1) // 2 * dilation
        layers = [
            nn.Conv2d(inputs, outputs, kernel, stride, padding, dilation, groups, bias=False),
            nn.BatchNorm2d(outputs),
        ]
        super().__init__(*layers, *([activation()] if activation else []))


class SqueezeExcite(nn.Module):
    """Scales each channel by a gate computed from all channels' means (arXiv 1709.01507)."""

    def __init__(self, channels: int, squeezed: int, gate: type[nn.Module] = nn.Sigmoid):
        super().__init__()
        self.gate = nn.Sequential(
            nn.AdaptiveAvgPool2d(1),
            nn.Conv2d(channels, squeezed, 1),
            nn.ReLU(),
            nn.Conv2d(squeezed, channels, 1),
            gate(),
        )

    def forward(self, image: Tensor) -> Tensor:
        return image * self.gate(image)


def classifier(channels: int, classes: int = 1000) -> nn.Sequential:
    """Mean over each channel, then a linear layer."""
    return nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, classes))
