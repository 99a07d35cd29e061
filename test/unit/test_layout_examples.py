"""The examples in the docstrings of layout/."""

import doctest
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

import npu_opt.layout
import pytest

MODULES = [import_module(f"npu_opt.layout.{module.name}") for module in iter_modules(npu_opt.layout.__path__)]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_examples_hold(module: ModuleType):
    found = doctest.testmod(module, raise_on_error=False)
    assert found.attempted > 0, "show an example"
    assert found.failed == 0, "doctest has printed what differs"


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_every_class_has_an_example(module: ModuleType):
    own = {
        name
        for name, member in vars(module).items()
        if isinstance(member, type) and member.__module__ == module.__name__
    }
    tests = {test.name.rpartition(".")[2]: test.examples for test in doctest.DocTestFinder().find(module)}
    assert [name for name in sorted(own) if not tests.get(name)] == []
