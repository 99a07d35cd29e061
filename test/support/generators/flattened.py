"""Random programs in which features are flattened before a product with a constant matrix."""

from math import prod
from random import Random

from xdsl.dialects.builtin import ModuleOp

from support.ir_text import parse

SIZES = (1, 2, 2, 3)


def flattened_program(seed: int) -> ModuleOp:
    rng = Random(seed)
    shape = [rng.choice(SIZES) for _ in range(4)]
    x, lines = _type(shape), list[str]()
    value = "%x"
    for place in range(rng.randint(1, 2)):
        op = rng.choice(["npu.mirror {} axes = [2] data_layout = <NCHW>", "npu.relu {}", "npu.softmax {} axis = 1"])
        lines.append(f"%v{place} = {op.format(value)} : ({x}) -> {x}")
        value = f"%v{place}"
    results: list[tuple[str, str]] = []
    for product in range(rng.randint(1, 2)):
        cut = rng.choice([1, 1, 1, 2, 3])
        flat = [prod(shape[:cut]), prod(shape[cut:])]
        turned = rng.random() < 0.3
        if turned:
            lines.append(f"%t{product} = npu.transpose {value} permutation = [0, 2, 3, 1] : ({x}) -> {_turned(shape)}")
            flat = [shape[0], prod(shape[1:])]
        source, type_ = (f"%t{product}", _turned(shape)) if turned else (value, x)
        lines.append(f"%f{product} = npu.reshape {source} : ({type_}) -> {_type(flat)}")
        columns, by_rows, is_left = rng.choice([1, 3]), rng.random() < 0.5, rng.random() < 0.3
        matrix = _type([columns, flat[1]] if by_rows else [flat[1], columns])
        outside = rng.random() < 0.2
        if not outside:
            lines.append(f"%w{product} = npu.constant dense<0.5> : {matrix}")
        weights = f"%w{product}"
        if is_left:
            flags, result = f"{'' if by_rows else 'trans_a '}trans_b", _type([columns, flat[0]])
            call = f"{weights}, %f{product} {flags} : ({matrix}, {_type(flat)})"
        else:
            result = _type([flat[0], columns])
            call = f"%f{product}, {weights} {'trans_b' if by_rows else ''} : ({_type(flat)}, {matrix})"
        lines.append(f"%y{product} = npu.gemm {call} -> {result}")
        results.append((f"%y{product}", result))
        if outside:
            lines[-1:-1] = [f"%w{product} = npu.sin %outside{product} : {matrix}"]
            results.append((f"%outside{product}", matrix))
    if rng.random() < 0.2:
        results.append((value, x))
    arguments = [f"%x: {x}", *(f"{name}: {type_}" for name, type_ in results if name.startswith("%outside"))]
    names, types = zip(*results, strict=True)
    text = f"""func.func @main({", ".join(arguments)}) -> ({", ".join(types)}) {{
      {chr(10).join(lines)}
      func.return {", ".join(names)} : {", ".join(types)}
    }}"""
    return parse(text)


def _type(shape: list[int]) -> str:
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


def _turned(shape: list[int]) -> str:
    return _type([shape[axis] for axis in (0, 2, 3, 1)])
