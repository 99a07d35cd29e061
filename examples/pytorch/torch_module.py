"""A small detector in PyTorch, exported: `python examples/pytorch/torch_module.py model.pt2`.

It needs the extra [torch].
"""

import sys

import torch


class Detector(torch.nn.Module):
    """A stem that works on rows of channels, as code that was written for channels last does, and a head of boxes."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = torch.nn.Conv2d(3, 8, 3, padding=1)
        self.norm = torch.nn.LayerNorm(8)
        self.head = torch.nn.Conv2d(8, 4, 1)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        rows = self.stem(image).permute(0, 2, 3, 1)
        gates = torch.sigmoid(rows).permute(0, 3, 1, 2)
        boxes = self.head(torch.relu(gates)).permute(0, 2, 3, 1)
        return torch.softmax(self.norm(boxes.flatten(1, 2).repeat(1, 1, 2)), -1)


class Peaks(torch.nn.Module):
    """The places of the largest scores, of which nobody knows how many there are."""

    def forward(self, scores: torch.Tensor) -> torch.Tensor:
        return torch.nonzero(scores > scores.mean())


if __name__ == "__main__":
    torch.default_generator.manual_seed(0)
    file, *rest = sys.argv[1:]
    module, example = (Peaks(), torch.rand(4, 4)) if rest else (Detector(), torch.rand(1, 3, 16, 16))
    torch.export.save(torch.export.export(module.eval(), (example,)), file)
