"""Unusual programs: small ones named by their peculiarity, and large ones.

Most have no layouts, like a network from an exporter.
"""

from collections.abc import Callable, Sequence

IMAGE = "tensor<1x8x4x6xf32>"
WEIGHT = "tensor<8x8x1x1xf32>"
NHWC = "#npu.layout<NHWC>"
NCHW = "#npu.layout<NCHW>"


def conv(
    result: str, data: str, kernel: str = "%w", layouts: str = "data_layout = <NCHW> kernel_layout = <OIHW>"
) -> str:
    """A convolution that keeps the shape of images."""
    return f"{result} = npu.conv2d {data}, {kernel} {layouts} : ({IMAGE}, {WEIGHT}) -> {IMAGE}"


def unary(result: str, data: str, op: str = "relu", type_: str = IMAGE) -> str:
    return f"{result} = npu.{op} {data} : ({type_}) -> {type_}"


def function(
    *lines: str, inputs: str = f"%x: {IMAGE}, %w: {WEIGHT}", outputs: Sequence[str] = (), name: str = "main"
) -> str:
    """A function of these lines; the last one begins with `return`."""
    results = f" -> ({', '.join(outputs)})" if outputs else ""
    body = "\n".join(f"  {line}" for line in lines)
    types = f" : {', '.join(outputs)}" if outputs else ""
    return f"func.func {name if name.startswith('private') else '@' + name}({inputs}){results} {{\n{body}{types}\n}}"


PROGRAMS: dict[str, str] = {
    "no functions": "builtin.module {}",
    "an empty function": function("return", inputs=""),
    "unused arguments": function("return"),
    "one convolution": function(conv("%y", "%x"), "return %y", outputs=[IMAGE]),
    "arguments returned": function(conv("%y", "%x"), "return %x, %w, %y, %x", outputs=[IMAGE, WEIGHT, IMAGE, IMAGE]),
    "nothing but arguments returned": function("return %w, %x", outputs=[WEIGHT, IMAGE]),
    "results returned twice": function(
        conv("%y", "%x"), unary("%z", "%y"), "return %z, %y, %z, %y", outputs=[IMAGE] * 4
    ),
    "dead ops": function(
        conv("%y", "%x"), unary("%a", "%y"), conv("%b", "%a"), unary("%z", "%x", "abs"), "return %z", outputs=[IMAGE]
    ),
    "everything dead": function(conv("%y", "%x"), conv("%z", "%y"), "return"),
    "a sum of a value with itself": function(
        conv("%y", "%x"), f"%s = npu.add %y, %y : {IMAGE}", "return %s", outputs=[IMAGE]
    ),
    "data that is the kernel": function(
        "%y = npu.conv2d %x, %x data_layout = <NCHW> kernel_layout = <OIHW> "
        ": (tensor<4x4x3x3xf32>, tensor<4x4x3x3xf32>) -> tensor<4x4x1x1xf32>",
        "return %y, %x",
        inputs="%x: tensor<4x4x3x3xf32>",
        outputs=["tensor<4x4x1x1xf32>", "tensor<4x4x3x3xf32>"],
    ),
    "a kernel in two orders": function(
        conv("%y", "%x"),
        conv("%z", "%y", layouts="data_layout = <NCHW> kernel_layout = <IOHW>"),
        "return %z, %w",
        outputs=[IMAGE, WEIGHT],
    ),
    "constants only": function(
        f"%x = npu.constant dense<0.5> : {IMAGE}",
        f"%w = npu.constant dense<0.25> : {WEIGHT}",
        conv("%y", "%x"),
        unary("%z", "%y"),
        "return %z, %x",
        inputs="",
        outputs=[IMAGE, IMAGE],
    ),
    "layouts that are right already": function(
        f"%y = npu.conv2d %x, %w : (tensor<1x4x6x8xf32, {NHWC}>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) "
        f"-> tensor<1x4x6x8xf32, {NHWC}>",
        "return %y",
        inputs=f"%x: tensor<1x4x6x8xf32, {NHWC}>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>",
        outputs=[f"tensor<1x4x6x8xf32, {NHWC}>"],
    ),
    "a gradient of a kernel": function(
        f"%g = npu.conv2d_bpw %x, %x data_layout = <NCHW> kernel_layout = <OIHW> : ({IMAGE}, {IMAGE}) -> {WEIGHT}",
        unary("%h", "%g", "neg", WEIGHT),
        conv("%y", "%x", "%h"),
        "return %y, %g",
        inputs=f"%x: {IMAGE}",
        outputs=[IMAGE, WEIGHT],
    ),
    "present transposes": function(
        conv("%y", "%x"),
        f"%t = npu.transpose %y permutation = [0, 2, 3, 1] : ({IMAGE}) -> tensor<1x4x6x8xf32>",
        "%u = npu.transpose %t permutation = [0, 3, 2, 1] : (tensor<1x4x6x8xf32>) -> tensor<1x8x6x4xf32>",
        f"%v = npu.transpose %u permutation = [0, 1, 3, 2] : (tensor<1x8x6x4xf32>) -> {IMAGE}",
        conv("%z", "%v"),
        "return %z, %t",
        outputs=[IMAGE, "tensor<1x4x6x8xf32>"],
    ),
    "fixed transposes": function(
        conv("%y", "%x"),
        f"%t = npu.nchw2nhwc %y : ({IMAGE}) -> tensor<1x4x6x8xf32>",
        unary("%a", "%t", "abs", "tensor<1x4x6x8xf32>"),
        f"%v = npu.nhwc2nchw %a : (tensor<1x4x6x8xf32>) -> {IMAGE}",
        conv("%z", "%v"),
        "return %z",
        outputs=[IMAGE],
    ),
    "concatenation of one and of the same": function(
        f"%a = npu.concat %x axis = 1 : {IMAGE}",
        conv("%y", "%a"),
        f"%b = npu.concat %y, %y axis = 1 : ({IMAGE}, {IMAGE}) -> tensor<1x16x4x6xf32>",
        "return %b",
        outputs=["tensor<1x16x4x6xf32>"],
    ),
    "unit dims": function(
        "%y = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW> : tensor<1x1x1x1xf32>",
        unary("%z", "%y", "relu", "tensor<1x1x1x1xf32>"),
        "%r = npu.reshape %z : (tensor<1x1x1x1xf32>) -> tensor<f32>",
        "return %z, %r",
        inputs="%x: tensor<1x1x1x1xf32>, %w: tensor<1x1x1x1xf32>",
        outputs=["tensor<1x1x1x1xf32>", "tensor<f32>"],
    ),
    "an image of one row": function(
        "%y = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW> "
        ": (tensor<1x8x1x6xf32>, tensor<1x8x1x1xf32>) -> tensor<1x1x1x6xf32>",
        "%r = npu.reshape %y : (tensor<1x1x1x6xf32>) -> tensor<6xf32>",
        "return %y, %r",
        inputs="%x: tensor<1x8x1x6xf32>, %w: tensor<1x8x1x1xf32>",
        outputs=["tensor<1x1x1x6xf32>", "tensor<6xf32>"],
    ),
    "no elements": function(
        "%y = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW> "
        ": (tensor<0x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<0x8x4x6xf32>",
        "%r = npu.reshape %y : (tensor<0x8x4x6xf32>) -> tensor<8x0x3xf32>",
        unary("%s", "%r", "abs", "tensor<8x0x3xf32>"),
        "return %s, %y",
        inputs=f"%x: tensor<0x8x4x6xf32>, %w: {WEIGHT}",
        outputs=["tensor<8x0x3xf32>", "tensor<0x8x4x6xf32>"],
    ),
    "no channels": function(
        f"%y = npu.relu %x : (tensor<1x0x4x6xf32, {NCHW}>) -> tensor<1x0x4x6xf32>",
        "%z = npu.pad %y low = [0, 2, 0, 0] high = [0, 0, 1, 0] : (tensor<1x0x4x6xf32>) -> tensor<1x2x5x6xf32>",
        "return %z",
        inputs=f"%x: tensor<1x0x4x6xf32, {NCHW}>",
        outputs=["tensor<1x2x5x6xf32>"],
    ),
    "a dynamic batch": function(
        "%y = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW> "
        ": (tensor<?x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<?x8x4x6xf32>",
        "%r = npu.reshape %y dims = [@in0, 8, 24] : (tensor<?x8x4x6xf32>) -> tensor<?x8x24xf32>",
        "%m = npu.matmul %r, %b : (tensor<?x8x24xf32>, tensor<?x24x5xf32>) -> tensor<?x8x5xf32>",
        "%z = npu.reshape %r dims = [@in0, 8, 4, 6] : (tensor<?x8x24xf32>) -> tensor<?x8x4x6xf32>",
        "%s = npu.add %y, %z : tensor<?x8x4x6xf32>",
        "%t = npu.transpose %s permutation = [0, 1, 3, 2] : (tensor<?x8x4x6xf32>) -> tensor<?x8x6x4xf32>",
        "return %s, %m, %t",
        inputs=f"%x: tensor<?x8x4x6xf32>, %w: {WEIGHT}, %b: tensor<?x24x5xf32>",
        outputs=["tensor<?x8x4x6xf32>", "tensor<?x8x5xf32>", "tensor<?x8x6x4xf32>"],
    ),
    "nothing known of sizes": function(
        "%y = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW> : tensor<?x?x?x?xf32>",
        unary("%a", "%y", "relu", "tensor<?x?x?x?xf32>"),
        "%r = npu.reshape %a dims = [@in0, ?] : (tensor<?x?x?x?xf32>) -> tensor<?x?xf32>",
        "return %a, %r",
        inputs="%x: tensor<?x?x?x?xf32>, %w: tensor<?x?x?x?xf32>",
        outputs=["tensor<?x?x?x?xf32>", "tensor<?x?xf32>"],
    ),
    "ranks 0, 1 and 2": function(
        unary("%a", "%x", "abs", "tensor<f32>"),
        unary("%b", "%y", "abs", "tensor<4xf32>"),
        "%t = npu.transpose %z permutation = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>",
        "%c = npu.mul %t, %a : (tensor<6x4xf32>, tensor<f32>) -> tensor<6x4xf32>",
        "return %a, %b, %c",
        inputs="%x: tensor<f32>, %y: tensor<4xf32>, %z: tensor<4x6xf32>",
        outputs=["tensor<f32>", "tensor<4xf32>", "tensor<6x4xf32>"],
    ),
    "ranks 3 and 5": function(
        "%a = npu.conv1d %x, %v data_layout = <NCW> kernel_layout = <OIW> "
        ": (tensor<2x3x5xf32>, tensor<4x3x1xf32>) -> tensor<2x4x5xf32>",
        "%b = npu.conv3d %y, %w data_layout = <NCDHW> kernel_layout = <OIDHW> "
        ": (tensor<1x2x3x4x5xf32>, tensor<2x2x1x1x1xf32>) -> tensor<1x2x3x4x5xf32>",
        "%c = npu.reshape %b : (tensor<1x2x3x4x5xf32>) -> tensor<2x3x20xf32>",
        "return %a, %b, %c",
        inputs="%x: tensor<2x3x5xf32>, %v: tensor<4x3x1xf32>, %y: tensor<1x2x3x4x5xf32>, %w: tensor<2x2x1x1x1xf32>",
        outputs=["tensor<2x4x5xf32>", "tensor<1x2x3x4x5xf32>", "tensor<2x3x20xf32>"],
    ),
    "ranks 6 and 7": function(
        conv("%y", "%x"),
        f"%a = npu.reshape %y : ({IMAGE}) -> tensor<1x8x2x2x3x2xf32>",
        unary("%b", "%a", "abs", "tensor<1x8x2x2x3x2xf32>"),
        f"%c = npu.reshape %b : (tensor<1x8x2x2x3x2xf32>) -> {IMAGE}",
        conv("%d", "%c"),
        f"%e = npu.reshape %d : ({IMAGE}) -> tensor<1x8x1x2x2x3x2xf32>",
        unary("%f", "%e", "abs", "tensor<1x8x1x2x2x3x2xf32>"),
        f"%g = npu.reshape %f : (tensor<1x8x1x2x2x3x2xf32>) -> {IMAGE}",
        conv("%z", "%g"),
        "return %z, %f",
        outputs=[IMAGE, "tensor<1x8x1x2x2x3x2xf32>"],
    ),
    "foreign ops": function(
        conv("%y", "%x"),
        f'%a = npu.opaque "fuzz.op0"(%y) pure : ({IMAGE}) -> {IMAGE}',
        f'%b = npu.opaque "fuzz.op1"(%y, %a) : ({IMAGE}, {IMAGE}) -> {IMAGE}',
        conv("%c", "%b"),
        f'%d = "foreign.op"(%c, %w) {{axis = 1 : i64}} : ({IMAGE}, {WEIGHT}) -> {IMAGE}',
        conv("%z", "%d"),
        '"foreign.end"() : () -> ()',
        "return %z",
        outputs=[IMAGE],
    ),
    "types that have no layout": function(
        conv("%y", "%x"),
        f'%a, %s, %o = "foreign.op"(%y, %i, %m, %u, %e) : ({IMAGE}, i1, memref<4xf32>, tensor<*xf32>, '
        f'tensor<4x4xf32, "odd">) -> ({IMAGE}, index, tensor<4x4xf32, "odd">)',
        conv("%z", "%a"),
        "return %z, %u, %o, %s",
        inputs=f'%x: {IMAGE}, %w: {WEIGHT}, %i: i1, %m: memref<4xf32>, %u: tensor<*xf32>, %e: tensor<4x4xf32, "odd">',
        outputs=[IMAGE, "tensor<*xf32>", 'tensor<4x4xf32, "odd">', "index"],
    ),
    "several functions": "\n".join(
        [
            function(
                f"%a = func.call @block(%x, %w) : ({IMAGE}, {WEIGHT}) -> {IMAGE}",
                conv("%b", "%a"),
                f"%c = func.call @block(%b, %w) : ({IMAGE}, {WEIGHT}) -> {IMAGE}",
                "return %c",
                outputs=[IMAGE],
            ),
            function(unary("%a", "%x"), conv("%y", "%a"), "return %y", outputs=[IMAGE], name="private @block"),
            function(conv("%y", "%x"), "return %y", outputs=[IMAGE], name="private @never"),
            function(conv("%y", "%x"), "return %y, %x", outputs=[IMAGE, IMAGE], name="public"),
        ]
    ),
    "declarations": "\n".join(
        [
            f"func.func private @elsewhere({IMAGE}, tensor<4x4xf32, #npu.layout<Tensor>>) -> ({IMAGE}, i1)",
            function(
                conv("%y", "%x"),
                f"%a, %i = func.call @elsewhere(%y, %t) : ({IMAGE}, tensor<4x4xf32, #npu.layout<Tensor>>) "
                f"-> ({IMAGE}, i1)",
                conv("%z", "%a"),
                "return %z",
                inputs=f"%x: {IMAGE}, %w: {WEIGHT}, %t: tensor<4x4xf32, #npu.layout<Tensor>>",
                outputs=[IMAGE],
            ),
        ]
    ),
    "recursion": "\n".join(
        [
            function(
                conv("%y", "%x"),
                f"%a = func.call @again(%y, %w) : ({IMAGE}, {WEIGHT}) -> {IMAGE}",
                conv("%z", "%a"),
                "return %z",
                outputs=[IMAGE],
                name="again",
            ),
            function(
                f"%a = func.call @pong(%x, %w) : ({IMAGE}, {WEIGHT}) -> {IMAGE}",
                conv("%z", "%a"),
                "return %z",
                outputs=[IMAGE],
                name="private @ping",
            ),
            function(
                conv("%y", "%x"),
                f"%a = func.call @ping(%y, %w) : ({IMAGE}, {WEIGHT}) -> {IMAGE}",
                "return %a",
                outputs=[IMAGE],
                name="private @pong",
            ),
            function(
                f"%a = func.call @ping(%x, %w) : ({IMAGE}, {WEIGHT}) -> {IMAGE}",
                "return %a",
                outputs=[IMAGE],
                name="main",
            ),
        ]
    ),
    "modules in modules": "\n".join(
        [
            "builtin.module @inner {",
            function(conv("%y", "%x"), "return %y", outputs=[IMAGE]),
            "}",
            function(conv("%y", "%x"), "return %y", outputs=[IMAGE]),
        ]
    ),
    "a reduction of more axes than can be re-ordered": function(
        "%y = npu.reduce_sum %x axes = [1] : (tensor<2x3x1x2x1x2x1x2xf32>) -> tensor<2x1x2x1x2x1x2xf32>",
        "return %y",
        inputs="%x: tensor<2x3x1x2x1x2x1x2xf32>",
        outputs=["tensor<2x1x2x1x2x1x2xf32>"],
    ),
    "ops outside of functions": "\n".join(
        [
            f"%x = npu.constant dense<0.5> : {IMAGE}",
            f"%w = npu.constant dense<0.25> : {WEIGHT}",
            conv("%y", "%x"),
            '"foreign.op"(%y) : (tensor<1x8x4x6xf32>) -> ()',
        ]
    ),
    "a choice": function(
        conv("%y", "%x"),
        f"%a = scf.if %i -> ({IMAGE}) {{",
        f"  {conv('%b', '%y')}",
        f"  {unary('%c', '%b')}",
        f"  scf.yield %c : {IMAGE}",
        "} else {",
        f"  scf.yield %y : {IMAGE}",
        "}",
        conv("%z", "%a"),
        "return %z, %a",
        inputs=f"%x: {IMAGE}, %w: {WEIGHT}, %i: i1",
        outputs=[IMAGE, IMAGE],
    ),
    "a choice in a choice": function(
        conv("%y", "%x"),
        f"%a = scf.if %i -> ({IMAGE}) {{",
        f"  {unary('%n', '%y')}",
        f"  %b = scf.if %j -> ({IMAGE}) {{",
        f"    {conv('%c', '%n')}",
        f"    %s = npu.add %c, %y : {IMAGE}",
        f"    scf.yield %s : {IMAGE}",
        "  } else {",
        f"    {conv('%d', '%y')}",
        f"    scf.yield %d : {IMAGE}",
        "  }",
        f"  scf.yield %b : {IMAGE}",
        "} else {",
        f"  scf.yield %x : {IMAGE}",
        "}",
        unary("%z", "%y", "abs"),
        "return %z, %a",
        inputs=f"%x: {IMAGE}, %w: {WEIGHT}, %i: i1, %j: i1",
        outputs=[IMAGE, IMAGE],
    ),
    "a region of an unknown op": function(
        conv("%y", "%x"),
        '"foreign.loop"(%y) ({',
        f"^bb0(%b: {IMAGE}):",
        f"  {conv('%c', '%b')}",
        f"  {conv('%d', '%y')}",
        f'  "foreign.yield"(%c, %d) : ({IMAGE}, {IMAGE}) -> ()',
        f"}}) : ({IMAGE}) -> ()",
        conv("%z", "%y"),
        "return %z",
        outputs=[IMAGE],
    ),
    "several blocks": function(
        conv("%y", "%x"),
        f"cf.cond_br %i, ^left(%y : {IMAGE}), ^right",
        f"^left(%a: {IMAGE}):",
        conv("%b", "%a"),
        f"cf.br ^end(%b, %a : {IMAGE}, {IMAGE})",
        "^right:",
        conv("%c", "%y"),
        unary("%d", "%c"),
        f"cf.br ^end(%d, %y : {IMAGE}, {IMAGE})",
        f"^end(%e: {IMAGE}, %f: {IMAGE}):",
        conv("%g", "%e"),
        f"%s = npu.add %g, %f : {IMAGE}",
        f"%t = npu.add %s, %y : {IMAGE}",
        "return %t",
        inputs=f"%x: {IMAGE}, %w: {WEIGHT}, %i: i1",
        outputs=[IMAGE],
    ),
    "a call of several blocks": "\n".join(
        [
            function(
                f"cf.cond_br %i, ^next(%x : {IMAGE}), ^end(%x : {IMAGE})",
                f"^next(%a: {IMAGE}):",
                conv("%y", "%a"),
                f"cf.br ^end(%y : {IMAGE})",
                f"^end(%b: {IMAGE}):",
                "return %b",
                inputs=f"%x: {IMAGE}, %w: {WEIGHT}, %i: i1",
                outputs=[IMAGE],
                name="private @blocks",
            ),
            function(
                conv("%y", "%x"),
                f"%a = func.call @blocks(%y, %w, %i) : ({IMAGE}, {WEIGHT}, i1) -> {IMAGE}",
                conv("%z", "%a"),
                "return %z",
                inputs=f"%x: {IMAGE}, %w: {WEIGHT}, %i: i1",
                outputs=[IMAGE],
            ),
        ]
    ),
    "a loop": function(
        conv("%y", "%x"),
        f"cf.br ^head(%y, %i, %j : {IMAGE}, i1, i1)",
        f"^head(%a: {IMAGE}, %more: i1, %rest: i1):",
        conv("%b", "%a"),
        f"cf.cond_br %more, ^head(%b, %rest, %never : {IMAGE}, i1, i1), ^end",
        "^end:",
        unary("%c", "%b", "abs"),
        "return %c",
        inputs=f"%x: {IMAGE}, %w: {WEIGHT}, %i: i1, %j: i1, %never: i1",
        outputs=[IMAGE],
    ),
}


# Large programs.


def chain(length: int) -> str:
    """A convolution, a long chain, and another convolution."""
    lines = [conv("%y", "%x"), *(unary(f"%c{index + 1}", f"%c{index}") for index in range(length))]
    lines[1] = lines[1].replace("%c0", "%y")
    return function(*lines, conv("%z", f"%c{length}"), "return %z", outputs=[IMAGE])


def fan(users: int) -> str:
    """A value with many users, every fifth a convolution."""
    lines = [unary("%y", "%x")]
    lines += [
        conv(f"%c{index}", "%y") if index % 5 == 0 else unary(f"%c{index}", "%y", "abs") for index in range(users)
    ]
    return function(*lines, "return %y", outputs=[IMAGE])


def alternating(length: int) -> str:
    """Convolutions and reshapes to a sequence and back, in a long chain."""
    lines: list[str] = []
    value = "%x"
    for index in range(length // 4):
        lines += [
            conv(f"%a{index}", value),
            f"%b{index} = npu.reshape %a{index} : ({IMAGE}) -> tensor<1x8x24xf32>",
            unary(f"%c{index}", f"%b{index}", "abs", "tensor<1x8x24xf32>"),
            f"%d{index} = npu.reshape %c{index} : (tensor<1x8x24xf32>) -> {IMAGE}",
        ]
        value = f"%d{index}"
    return function(*lines, f"return {value}", outputs=[IMAGE])


def transposes(length: int) -> str:
    """A chain of present transposes."""
    lines = [conv("%c0", "%x")]
    sizes = [IMAGE, "tensor<1x4x6x8xf32>"]
    for index in range(length):
        permutation = "[0, 3, 1, 2]" if index % 2 else "[0, 2, 3, 1]"
        types = f"({sizes[index % 2]}) -> {sizes[1 - index % 2]}"
        lines.append(f"%c{index + 1} = npu.transpose %c{index} permutation = {permutation} : {types}")
    return function(*lines, f"return %c{length}", outputs=[sizes[length % 2]])


LARGE: dict[str, Callable[[], str]] = {
    "a long chain": lambda: chain(10_000),
    "many users": lambda: fan(5_000),
    "to sequences and back": lambda: alternating(1_000),
    "transposes in a row": lambda: transposes(2_000),
}
