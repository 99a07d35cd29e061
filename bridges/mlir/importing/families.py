"""The modules that enter their readers when they are imported."""

from importlib import import_module

FAMILIES = (
    "source",
    "elementwise",
    "quantization",
    "convolution",
    "pooling",
    "linear",
    "reduction",
    "movement",
    "shape",
    "resampling",
)


def load_all() -> None:
    """Make sure that all readers are entered."""
    for name in FAMILIES:
        import_module(f".ops.{name}", __package__)
