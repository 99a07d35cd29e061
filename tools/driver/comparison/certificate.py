"""`npu-check --certificate`: the checker of minima, run on a file."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ....checkers.check_minimum import verdict_of

CERTIFICATE_HELP = (
    "check a certificate of npu-opt --certificate as checkers/check_minimum.py does, and exit with its code"
)


class CertificateAction(argparse.Action):
    """Prints the verdict on a certificate, and exits."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        file = str(values)
        try:
            data = Path(file).read_bytes()
        except OSError as error:
            parser.error(f"cannot read '{file}': {error.strerror}")
        code, verdict = verdict_of(data)
        print(verdict)
        parser.exit(code)
