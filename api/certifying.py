"""The certificate of the minimum of a result."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp

from ..passes.layout_optimal import LayoutOptimal
from ..passes.optimal.certificates.core import Certificate
from ..passes.optimal.certificates.files import check_ending, data_for
from ..passes.placement.layout_pass import LayoutPass
from ..tools.driver.console.output import write_binary_file
from .errors import NpuOptError, raised_as_own
from .paths import StrPath


def certificate_of(name: str, choices: Sequence[tuple[LayoutPass, ModuleOp]]) -> Certificate:
    """The certificate of the last run of `layout-optimal` among the passes that ran."""
    found = [(each, module) for each, module in choices if isinstance(each, LayoutOptimal)]
    if not found:
        raise NpuOptError("argument result: expected the result of layout-optimal, found one of other passes only")
    layout_pass, module = found[-1]
    with raised_as_own(name):
        return layout_pass.certificate(module.clone()).of_program(name)


def save_certificate(certificate: Certificate, path: StrPath) -> None:
    """Write a certificate, whole or not at all."""
    file = str(path)
    if (problem := check_ending(file)) is not None:
        raise NpuOptError(f"argument path: {problem}")
    try:
        data = data_for(certificate, file)
    except ValueError as error:
        raise NpuOptError(f"argument path: {error}") from error
    try:
        write_binary_file(file, lambda stream: stream.write(data))
    except OSError as error:
        raise NpuOptError(f"cannot write '{path}': {error.strerror}") from error
