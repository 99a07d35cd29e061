"""The engines that calibrate.py measures: numpy, the JIT of MLIR, LiteRT, and ONNX Runtime.

Another engine needs a class with the same two functions and an entry in `ENGINES`; the compilers of vendors are in
calibrate_compilers.py.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

Array = NDArray[np.float32]
Numbers = Array | NDArray[np.int64]
Run = Callable[[], object]


class Engine(Protocol):
    """Makes runs to measure. All numbers are f32."""

    UNIT: str
    """The unit of prices: "ns" of runs that are timed; runs in another unit return their number of it."""
    LARGEST_PRODUCT: int
    """The largest size of the matrices that it multiplies in reasonable time."""

    def version(self) -> str: ...

    def transposes(self, shape: Sequence[int], permutation: Sequence[int], count: int) -> Run:
        """A run of so many transposes, each of data of its own."""
        ...

    def product(self, size: int, transposed: Sequence[bool]) -> Run:
        """A run of a product of two square matrices, of which the left or the right one is read transposed."""
        ...


def data(shape: Sequence[int], count: int) -> list[Array]:
    random = np.random.default_rng(0)
    return [random.random(tuple(shape), np.float32) for _ in range(count)]


class NumpyEngine:
    """The engine of the reference interpreter."""

    UNIT: str = "ns"
    LARGEST_PRODUCT: int = 512

    def version(self) -> str:
        return f"numpy {np.__version__}"

    def transposes(self, shape: Sequence[int], permutation: Sequence[int], count: int) -> Run:
        inputs = data(shape, count)
        return lambda: [np.ascontiguousarray(each.transpose(permutation)) for each in inputs]

    def product(self, size: int, transposed: Sequence[bool]) -> Run:
        lhs, rhs = (each.T if turned else each for each, turned in zip(data((size, size), 2), transposed, strict=True))
        return lambda: lhs @ rhs


class TextEngine(ABC):
    """An engine of programs, which are written as text."""

    UNIT: str = "ns"
    LARGEST_PRODUCT: int = 512

    @abstractmethod
    def version(self) -> str: ...

    def transposes(self, shape: Sequence[int], permutation: Sequence[int], count: int) -> Run:
        made = tensor([shape[axis] for axis in permutation])
        return self.ops(f"npu.transpose %x permutation = {list(permutation)}", shape, [made], count)

    def product(self, size: int, transposed: Sequence[bool]) -> Run:
        type_ = tensor((size, size))
        flags = "".join(f" {name}" for name, turned in zip(("trans_a", "trans_b"), transposed, strict=True) if turned)
        line = f"%y0 = npu.gemm %x0, %x1{flags} : ({type_}, {type_}) -> {type_}"
        return self.loaded([line], [type_] * 2, [type_], data((size, size), 2))

    def layer(self, tokens: int, inner: int, outputs: int, is_swapped: bool) -> Run:
        """A run of a product with constant weights and a bias; swapped operands compute its transposed result."""
        sizes = (outputs, inner) if is_swapped else (inner, outputs)
        given = (inner, tokens) if is_swapped else (tokens, inner)
        made = (outputs, tokens) if is_swapped else (tokens, outputs)
        along = (outputs, 1) if is_swapped else (1, outputs)
        factors = "%w, %x0" if is_swapped else "%x0, %w"
        types = ", ".join(map(tensor, (sizes, given) if is_swapped else (given, sizes)))
        lines = [
            f"%w = {constant(sizes)}",
            f"%b = {constant(along)}",
            f"%m = npu.gemm {factors} : ({types}) -> {tensor(made)}",
            f"%y0 = npu.add %m, %b : ({tensor(made)}, {tensor(along)}) -> {tensor(made)}",
        ]
        return self.loaded(lines, [tensor(given)], [tensor(made)], data(given, 1))

    def ops(self, text: str, shape: Sequence[int], made: Sequence[str], count: int, operands: int = 1) -> Run:
        """A run of an op so many times, each on data of its own; `%x` stands for its operands, `made` its results."""
        given, lines = tensor(shape), list[str]()
        for each in range(count):
            names = ", ".join(f"%x{each * operands + place}" for place in range(operands))
            results = ", ".join(f"%y{each * len(made) + place}" for place in range(len(made)))
            types = f"({', '.join([given] * operands)}) -> ({', '.join(made)})"
            lines.append(f"{results} = {text.replace('%x', names)} : {types}")
        total = count * operands
        return self.loaded(lines, [given] * total, [*made] * count, data(shape, total))

    def batches(self, matrices: int, rows: int, inner: int, columns: int) -> Run:
        """A run of a product of so many matrices."""
        shapes = [(matrices, rows, inner), (matrices, inner, columns)]
        given, made = [*map(tensor, shapes)], tensor((matrices, rows, columns))
        line = f"%y0 = npu.matmul %x0, %x1 : ({', '.join(given)}) -> {made}"
        return self.loaded([line], given, [made], [data(shape, 1)[0] for shape in shapes])

    @abstractmethod
    def loaded(self, lines: Sequence[str], given: Sequence[str], made: Sequence[str], inputs: Sequence[Numbers]) -> Run:
        """A run of a program with these lines, from %x0, %x1, ... to %y0, %y1, ..."""
        ...


class JitEngine(TextEngine):
    """The code that MLIR and LLVM make of npu programs (extra [mlir])."""

    LARGEST_PRODUCT: int = 128

    def version(self) -> str:
        from npu_opt.bridges.mlir.bindings import ir

        return f"the JIT of {ir.__name__.split('.')[0]}"

    def loaded(self, lines: Sequence[str], given: Sequence[str], made: Sequence[str], inputs: Sequence[Numbers]) -> Run:
        from npu_opt.bridges.mlir.engine import Compiled
        from npu_opt.bridges.mlir.exporting.program import lowered, mlir_context, signature
        from xdsl.dialects.func import FuncOp

        module = program(lines, given, made)
        (function,) = (op for op in module.walk() if isinstance(op, FuncOp))
        with mlir_context():
            compiled = Compiled(lowered(module), "main", signature(function))
        call, _ = compiled.ready(inputs)
        return call


class LiteRtEngine(TextEngine):
    """LiteRT with XNNPACK on one thread (extra [litert])."""

    def version(self) -> str:
        from npu_opt.bridges.extra import MissingExtraError, require

        try:
            require("litert")
        except MissingExtraError as error:
            raise ImportError(str(error)) from error
        return f"LiteRT {version('ai-edge-litert')}"

    def loaded(self, lines: Sequence[str], given: Sequence[str], made: Sequence[str], inputs: Sequence[Numbers]) -> Run:
        from npu_opt.bridges.litert.engine import LiteEngine
        from npu_opt.bridges.litert.exporting import to_litert
        from npu_opt.bridges.litert.exporting.files import packed

        return LiteEngine(packed(to_litert(program(lines, given, made)))).ready(inputs)


def constant(shape: Sequence[int]) -> str:
    """A constant of random numbers."""
    (numbers,) = data(shape, 1)
    return f'npu.constant dense<"0x{numbers.tobytes().hex()}"> : {tensor(shape)}'


def program(lines: Sequence[str], given: Sequence[str], made: Sequence[str]) -> ModuleOp:
    """A program of these ops, from %x0, %x1, ... to %y0, %y1, ..."""
    from npu_opt.text.parser import NpuParser
    from npu_opt.tools.driver.formats.program import new_context

    arguments = ", ".join(f"%x{index}: {type_}" for index, type_ in enumerate(given))
    results = ", ".join(f"%y{index}" for index in range(len(made)))
    types = ", ".join(made)
    body = "\n".join((*lines, f"func.return {results} : {types}"))
    text = f"func.func @main({arguments}) -> ({types}) {{\n{body}\n}}"
    return NpuParser(new_context(), text).parse_module()


class OnnxRuntimeEngine:
    """ONNX Runtime on one thread, without its graph optimizations."""

    UNIT: str = "ns"
    LARGEST_PRODUCT: int = 512

    def version(self) -> str:
        return f"ONNX Runtime {_onnxruntime().__version__}"

    def transposes(self, shape: Sequence[int], permutation: Sequence[int], count: int) -> Run:
        nodes = [("Transpose", [f"x{each}"], f"y{each}", {"perm": list(permutation)}) for each in range(count)]
        return self._session(nodes, shape, count)

    def product(self, size: int, transposed: Sequence[bool]) -> Run:
        flags = {"transA": int(transposed[0]), "transB": int(transposed[1])}
        return self._session([("Gemm", ["x0", "x1"], "y0", flags)], (size, size), 2)

    def _session(
        self, nodes: Sequence[tuple[str, list[str], str, Mapping[str, Any]]], shape: Sequence[int], inputs: int
    ) -> Run:
        from onnx import TensorProto, helper

        given = [helper.make_tensor_value_info(f"x{each}", TensorProto.FLOAT, shape) for each in range(inputs)]
        made = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for _, _, name, _ in nodes]
        graph = helper.make_graph(
            [helper.make_node(op, x, [y], **flags) for op, x, y, flags in nodes], "g", given, made
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        session = session_of(model.SerializeToString(), "ORT_DISABLE_ALL")
        arrays = {f"x{index}": each for index, each in enumerate(data(shape, inputs))}
        return lambda: session.run(None, arrays)


def session_of(model: bytes, level: str) -> Any:
    """A session of ONNX Runtime with one thread, at a level of its optimisations."""
    runtime = _onnxruntime()
    options = runtime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.graph_optimization_level = getattr(runtime.GraphOptimizationLevel, level)
    return runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _onnxruntime() -> Any:
    import onnxruntime  # pyright: ignore[reportMissingTypeStubs]  # It has none.

    return cast("Any", onnxruntime)


def tensor(shape: Sequence[int], element: str = "f32") -> str:
    """The type of a tensor, as text."""
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"


ENGINES: Mapping[str, Callable[[], Engine]] = {
    "numpy": NumpyEngine,
    "jit": JitEngine,
    "litert": LiteRtEngine,
    "onnxruntime": OnnxRuntimeEngine,
}
