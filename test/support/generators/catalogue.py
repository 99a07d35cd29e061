"""All makers: importing this module fills the table."""

from importlib import import_module

from npu_opt.dialects.npu import FAMILIES

from .makers import MAKERS

for family in FAMILIES:
    import_module(f".ops.{family.__name__.rpartition('.')[2]}", __package__)

__all__ = ["MAKERS"]
