"""The files of npu-opt for a chip, compiled by its vendor: the program that is compared, and the vendor's groups."""

import json
import subprocess
from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from shutil import move
from tempfile import TemporaryDirectory
from typing import ClassVar

import numpy as np
from groups_reports import FINAL, VendorGroups, read_layer_groups, read_passes
from litert import with_fixed_sizes
from models.catalogue import Network
from models.onnx_runs import random_inputs, read_graph
from npu_opt.targets import load
from tpu_mlir_reports import Compiler
from vela_reports import compiled, quantised
from vendor_files import written

SAMPLES = 2
"""The number of inputs for calibration."""
ACCELERATOR = "ethos-u85-1024"


@dataclass(frozen=True)
class Vendor(ABC):
    """A chip, with the compiler of its vendor."""

    kept: Path
    """The folder of the compiled files and their groups, from which a later run goes on."""

    chip: ClassVar[str]
    """The target, which is also the folder in `kept`."""
    ending: ClassVar[str]
    scale: ClassVar[float]
    """The bytes on the chip for each byte of the program."""

    def groups(self, network: Network) -> tuple[Path, VendorGroups] | str:
        """The file that was compiled, and its groups, or the reason why there are none."""
        folder = self.kept / self.chip
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{network.name}{self.ending}"
        known = file.with_suffix(".json")
        if not known.exists():
            found = self._compiled(network, file)
            known.write_text(json.dumps(found if isinstance(found, str) else asdict(found)))
        found = json.loads(known.read_text())
        return found if isinstance(found, str) else (file, VendorGroups(**found))

    @abstractmethod
    def _compiled(self, network: Network, file: Path) -> VendorGroups | str:
        """The groups of a network, whose program is to be written into the file."""

    def _write(self, original: Path, file: Path) -> str:
        """Write the file of `-O` for the chip if it is not there; the reason if that fails.

        The proof is left out, as it changes no file.
        """
        if file.exists():
            return ""
        flags = [f"--target={self.chip}", *load(self.chip).optimize.split()]
        found = written(original, self.chip, flags, self.ending)
        if isinstance(found, str):
            return found
        move(found, file)
        return ""


@dataclass(frozen=True)
class Sophgo(Vendor):
    """BM1684X in half precision, by tpu-mlir."""

    environment: Path
    seconds: float

    chip = "sophgo-bm1684x"
    ending = ".onnx"
    scale = 0.5

    def _compiled(self, network: Network, file: Path) -> VendorGroups | str:
        with TemporaryDirectory() as name:
            original = Path(name, "original.onnx")
            original.write_bytes(with_fixed_sizes(network).SerializeToString())
            if problem := self._write(original, file):
                return problem
        with TemporaryDirectory() as name:
            return self._groups(file, Path(name))

    def _groups(self, file: Path, folder: Path) -> VendorGroups | str:
        compiler = Compiler(self.environment, "bm1684x", self.seconds)
        if isinstance(found := compiler.compiled(file, folder), str):
            return found
        groups = read_layer_groups((folder / FINAL.format(chip=compiler.chip)).read_text())
        # tpu-mlir adds the op to the name of its value.
        nodes = read_graph(file).graph.node
        values = {f"{value}_{node.op_type}": value for node in nodes for value in node.output}
        return replace(groups, group_of={values.get(name, name): group for name, group in groups.group_of.items()})


@dataclass(frozen=True)
class EthosU(Vendor):
    """Ethos-U85 in int8, by Vela."""

    vela: Path
    quantizer: Path

    chip = "ethos-u85"
    ending = ".tflite"
    scale = 0.25

    def _compiled(self, network: Network, file: Path) -> VendorGroups | str:
        with TemporaryDirectory() as name:
            original, samples, int8 = (Path(name, each) for each in ("original.onnx", "samples.npz", "net.tflite"))
            proto = with_fixed_sizes(network)
            original.write_bytes(proto.SerializeToString())
            runs = [random_inputs(proto, number) for number in range(SAMPLES)]
            arrays = {f"{number}:{key}": each for number, run in enumerate(runs) for key, each in run.items()}
            np.savez(samples, allow_pickle=False, **arrays)
            del proto, arrays
            if problem := self._write(original, file) or quantised(self.quantizer, file, int8, samples):
                return problem
            return self._groups(int8)

    def _groups(self, int8: Path) -> VendorGroups | str:
        try:
            text, _ = compiled(self.vela, ACCELERATOR, int8, int8.parent, "--verbose-high-level-command-stream")
        except subprocess.CalledProcessError as error:
            return f"Vela fails: {str(error.stdout).strip().splitlines()[-1]}"
        return read_passes(text)
