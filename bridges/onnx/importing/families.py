"""The modules that enter their converters when they are imported."""

from importlib import import_module

FAMILIES = (
    "elementwise",
    "activations",
    "convolution",
    "pooling",
    "linear",
    "normalization",
    "reduction",
    "movement",
    "slicing",
    "shape",
    "quantization",
    "quantized_convolution",
    "resampling",
    "einsum",
    "indexing",
    "microsoft",
    "foldable",
)


def load_all() -> None:
    """Make sure that all converters are entered."""
    for name in FAMILIES:
        import_module(f".ops.{name}", __package__)
