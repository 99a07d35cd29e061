"""A warning is an error in the tests, unless it is about the inside of another package."""

import warnings

import pytest


@pytest.mark.parametrize("module", ["npu_opt.api.inputs", "support.campaign", "test_warnings", "onnx_runs"])
def test_warnings_of_this_project_are_errors(module: str):
    with pytest.raises(DeprecationWarning):
        warnings.warn_explicit("old", DeprecationWarning, "file.py", 1, module)


@pytest.mark.parametrize("module", ["onnx", "onnx.backend.test.case.node.deformconv", "numpy.lib"])
def test_warnings_inside_of_other_packages_are_theirs(module: str):
    warnings.warn_explicit("old", DeprecationWarning, "file.py", 1, module)
