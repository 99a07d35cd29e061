"""`npu-check --certificate`: the checkers of minima and of forms, run on a file."""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from ....checkers import check_forms, check_minimum
from ....passes.optimal.certificates.core import digest_of

CERTIFICATE_HELP = (
    "check a certificate of npu-opt --certificate as checkers/check_minimum.py does, and checkers/check_forms.py if it"
    " has forms, and that its program has not changed, and exit with the worst code"
)
WORST_FIRST = (1, 2, 0)
"""The exit codes of the checkers: refused, undecided, accepted."""


class CertificateAction(argparse.Action):
    """Prints the verdicts on a certificate, and exits."""

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
        codes, verdicts = zip(*_verdicts(data), strict=True)
        print(*verdicts, sep="\n")
        parser.exit(min(codes, key=WORST_FIRST.index))


def _verdicts(data: bytes) -> Iterator[tuple[int, str]]:
    """The exit code and the verdict of each checker that a file is for, and one if its program is another file."""
    found = check_minimum.verdict_of(data)
    yield found
    if found[0] == WORST_FIRST[0]:
        return
    content = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    if "forms" in content:
        yield check_forms.verdict_of(data)
    if (problem := _change_of_program(content["problem"].get("notes"))) is not None:
        yield WORST_FIRST[0], f"refused: {problem}"


def _change_of_program(notes: Any) -> str | None:
    """A text if the program of a certificate, by its name, is another file; notes may be anything."""
    known: Mapping[str, Any] = cast("Mapping[str, Any]", notes) if isinstance(notes, dict) else {}
    digest = digest_of(str(known.get("program", "")))
    if "sha256" not in known or digest in (None, known["sha256"]):
        return None
    return f"'{known['program']}' is not the file that the certificate is about: its SHA-256 is another one"
