"""Networks over sequences that are no transformers: text read from an image, voices parted, tokens mixed."""

import torch
from torch import Tensor, nn

from .layers import ConvNorm


class Crnn(nn.Module):
    """CRNN (arXiv 1507.05717): convolutions turn a line of text into columns, which two LSTMs read both ways."""

    def __init__(self, symbols: int = 37):
        super().__init__()

        def conv(inputs: int, outputs: int) -> list[nn.Module]:
            return [nn.Conv2d(inputs, outputs, 3, padding=1), nn.ReLU()]

        self.features = nn.Sequential(
            *conv(1, 64),
            nn.MaxPool2d(2),
            *conv(64, 128),
            nn.MaxPool2d(2),
            ConvNorm(128, 256),
            *conv(256, 256),
            nn.MaxPool2d((2, 2), (2, 1), (0, 1)),
            ConvNorm(256, 512),
            *conv(512, 512),
            nn.MaxPool2d((2, 2), (2, 1), (0, 1)),
            nn.Conv2d(512, 512, 2),
            nn.BatchNorm2d(512),
            nn.ReLU(),
        )
        self.first = nn.LSTM(512, 256, bidirectional=True)
        self.between = nn.Linear(512, 256)
        self.second = nn.LSTM(256, 256, bidirectional=True)
        self.symbols = nn.Linear(512, symbols)

    def forward(self, image: Tensor) -> Tensor:
        columns = self.features(image).squeeze(2).permute(2, 0, 1)
        columns = self.between(self.first(columns)[0])
        return self.symbols(self.second(columns)[0])


class TemporalBlock(nn.Module):
    """1x1, dilated depthwise and 1x1 convolution over time, with what goes on and what goes out."""

    def __init__(self, channels: int, hidden: int, dilation: int):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv1d(channels, hidden, 1),
            nn.PReLU(),
            nn.GroupNorm(1, hidden),
            nn.Conv1d(hidden, hidden, 3, padding=dilation, dilation=dilation, groups=hidden),
            nn.PReLU(),
            nn.GroupNorm(1, hidden),
        )
        self.residual, self.skip = nn.Conv1d(hidden, channels, 1), nn.Conv1d(hidden, channels, 1)

    def forward(self, sound: Tensor) -> tuple[Tensor, Tensor]:
        worked = self.layers(sound)
        return sound + self.residual(worked), self.skip(worked)


class ConvTasNet(nn.Module):
    """Conv-TasNet (arXiv 1809.07454): masks on a learned transform of the wave form part two voices."""

    VOICES, FILTERS, CHANNELS, HIDDEN, LENGTH = 2, 512, 128, 512, 16

    def __init__(self):
        super().__init__()
        self.encoder = nn.Conv1d(1, self.FILTERS, self.LENGTH, self.LENGTH // 2, bias=False)
        self.enter = nn.Sequential(nn.GroupNorm(1, self.FILTERS), nn.Conv1d(self.FILTERS, self.CHANNELS, 1))
        self.blocks = nn.ModuleList(
            TemporalBlock(self.CHANNELS, self.HIDDEN, 2**exponent) for _ in range(3) for exponent in range(8)
        )
        self.masks = nn.Sequential(nn.PReLU(), nn.Conv1d(self.CHANNELS, self.VOICES * self.FILTERS, 1), nn.Sigmoid())
        self.decoder = nn.ConvTranspose1d(self.FILTERS, 1, self.LENGTH, self.LENGTH // 2, bias=False)

    def forward(self, sound: Tensor) -> Tensor:
        encoded = self.encoder(sound)
        passed, total = self.enter(encoded), None
        for block in self.blocks:
            passed, skipped = block(passed)
            total = skipped if total is None else total + skipped
        masks = self.masks(total).view(-1, self.VOICES, self.FILTERS, encoded.shape[-1])
        voices = (masks * encoded.unsqueeze(1)).view(-1, self.FILTERS, encoded.shape[-1])
        return self.decoder(voices).view(sound.shape[0], self.VOICES, -1)


class Perceptron(nn.Sequential):
    def __init__(self, size: int, hidden: int):
        super().__init__(nn.Linear(size, hidden), nn.GELU(), nn.Linear(hidden, size))


class MixerBlock(nn.Module):
    """Mixes the tokens of each channel, then the channels of each token."""

    def __init__(self, tokens: int, channels: int):
        super().__init__()
        self.first, self.second = nn.LayerNorm(channels), nn.LayerNorm(channels)
        self.over_tokens = Perceptron(tokens, channels // 2)
        self.over_channels = Perceptron(channels, 4 * channels)

    def forward(self, tokens: Tensor) -> Tensor:
        tokens = tokens + self.over_tokens(self.first(tokens).transpose(1, 2)).transpose(1, 2)
        return tokens + self.over_channels(self.second(tokens))


class MlpMixer(nn.Module):
    """MLP-Mixer S/16 (arXiv 2105.01601)."""

    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2d(3, 512, 16, 16)
        self.blocks = nn.Sequential(*(MixerBlock(196, 512) for _ in range(8)))
        self.norm, self.classifier = nn.LayerNorm(512), nn.Linear(512, 1000)

    def forward(self, image: Tensor) -> Tensor:
        tokens = self.patches(image).flatten(2).transpose(1, 2)
        return self.classifier(self.norm(self.blocks(tokens)).mean(1))


class DepthwiseSeparable(nn.Module):
    """A conformer's convolution: gated 1x1, depthwise over time, 1x1."""

    def __init__(self, channels: int, kernel: int):
        super().__init__()
        self.norm = nn.LayerNorm(channels)
        self.layers = nn.Sequential(
            nn.Conv1d(channels, 2 * channels, 1),
            nn.GLU(1),
            nn.Conv1d(channels, channels, kernel, padding=kernel // 2, groups=channels),
            nn.BatchNorm1d(channels),
            nn.SiLU(),
            nn.Conv1d(channels, channels, 1),
        )

    def forward(self, frames: Tensor) -> Tensor:
        return self.layers(self.norm(frames).transpose(1, 2)).transpose(1, 2)


class Attention(nn.Module):
    def __init__(self, channels: int, heads: int):
        super().__init__()
        self.norm, self.heads = nn.LayerNorm(channels), heads
        self.into, self.out = nn.Linear(channels, 3 * channels), nn.Linear(channels, channels)

    def forward(self, frames: Tensor) -> Tensor:
        batch, length, channels = frames.shape
        split = self.into(self.norm(frames)).view(batch, length, 3, self.heads, channels // self.heads)
        query, key, value = split.permute(2, 0, 3, 1, 4)
        weights = torch.softmax(query @ key.transpose(-2, -1) * (channels // self.heads) ** -0.5, -1)
        return self.out((weights @ value).transpose(1, 2).reshape(batch, length, channels))


class ConformerBlock(nn.Module):
    """Half a feed-forward, attention, convolution, half a feed-forward."""

    def __init__(self, channels: int, heads: int):
        super().__init__()

        def feed_forward() -> nn.Module:
            return nn.Sequential(
                nn.LayerNorm(channels), nn.Linear(channels, 4 * channels), nn.SiLU(), nn.Linear(4 * channels, channels)
            )

        self.first, self.second = feed_forward(), feed_forward()
        self.attention, self.convolution = Attention(channels, heads), DepthwiseSeparable(channels, 31)
        self.norm = nn.LayerNorm(channels)

    def forward(self, frames: Tensor) -> Tensor:
        frames = frames + 0.5 * self.first(frames)
        frames = frames + self.attention(frames)
        frames = frames + self.convolution(frames)
        return self.norm(frames + 0.5 * self.second(frames))


class Conformer(nn.Module):
    """Conformer S (arXiv 2005.08100), without relative positions: convolutional subsampling, then sixteen blocks."""

    def __init__(self, channels: int = 144, mels: int = 80):
        super().__init__()
        self.subsample = nn.Sequential(
            nn.Conv2d(1, channels, 3, 2, 1), nn.ReLU(), nn.Conv2d(channels, channels, 3, 2, 1), nn.ReLU()
        )
        self.enter = nn.Linear(channels * (mels // 4), channels)
        self.blocks = nn.Sequential(*(ConformerBlock(channels, 4) for _ in range(16)))

    def forward(self, mels: Tensor) -> Tensor:
        image = self.subsample(mels.unsqueeze(1))
        batch, channels, length, rest = image.shape
        return self.blocks(self.enter(image.transpose(1, 2).reshape(batch, length, channels * rest)))
