// RUN: npu-opt %s --target=%S/Inputs/contradiction.toml --layout-optimal --split-input-file 2>&1 >%t.mlir | filecheck %s --match-full-lines
// RUN: npu-opt %s --target=%S/Inputs/contradiction.toml --layout-preset --split-input-file 2>&1 >%t.mlir | filecheck %s --match-full-lines --check-prefix PRESET
// RUN: npu-opt %s --target=%S/Inputs/contradiction.toml --layout-preset-npu --split-input-file 2>&1 >%t.mlir | filecheck %s --match-full-lines --check-prefix GREEDY
// RUN: npu-opt %s --target=%S/Inputs/contradiction.toml --layout-optimal --split-input-file 2>/dev/null | filecheck %s --check-prefix SAME

/// No form of a sum meets both demands on it: it stays unchanged, in a program that is placed around it. Ops with the
/// same demands share a note.
// CHECK:      note: layout-optimal: %a add and 1 more stay unchanged: no form of it meets NHWC of lhs with NCHW of rhs (contradiction.toml:6)
// CHECK-NEXT: note: layout-optimal: %c sub stays unchanged: no form of it meets NHWC of lhs with NCHW of rhs, or another choice (contradiction.toml:7)
// PRESET:      note: layout-preset: %a add and 1 more stay unchanged: no form of it meets NHWC of lhs with NCHW of rhs (contradiction.toml:6)
// PRESET-NEXT: note: layout-preset: %c sub stays unchanged: no form of it meets NHWC of lhs with NCHW of rhs, or another choice (contradiction.toml:7)
// GREEDY:      note: layout-preset-npu: %a add and 1 more stay unchanged: no form of it meets NHWC of lhs with NCHW of rhs (contradiction.toml:6)
// GREEDY-NEXT: note: layout-preset-npu: %c sub stays unchanged: no form of it meets NHWC of lhs with NCHW of rhs, or another choice (contradiction.toml:7)
// SAME-LABEL: func.func @both
// SAME:         %a = npu.add %x, %x : tensor<1x2x3x4xf32, #npu.layout<NCHW>>
func.func @both(%x: tensor<1x2x3x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x3x4xf32, #npu.layout<NCHW>> {
  %a = npu.add %x, %x : tensor<1x2x3x4xf32, #npu.layout<NCHW>>
  %b = npu.add %a, %x : tensor<1x2x3x4xf32, #npu.layout<NCHW>>
  %c = npu.sub %b, %x : tensor<1x2x3x4xf32, #npu.layout<NCHW>>
  func.return %c : tensor<1x2x3x4xf32, #npu.layout<NCHW>>
}

// -----

/// A second choice that can be met is enough, and demands on layouts of another rank or class are no contradiction.
// CHECK-NOT:  {{.}}
// PRESET-NOT: {{.}}
// GREEDY-NOT: {{.}}
func.func @neither(%x: tensor<1x2x3x4xf32, #npu.layout<NCHW>>, %t: tensor<2x3xf32, #npu.layout<Tensor>>) -> (tensor<1x2x3x4xf32, #npu.layout<NCHW>>, tensor<2x3xf32, #npu.layout<Tensor>>) {
  %a = npu.mul %x, %x : tensor<1x2x3x4xf32, #npu.layout<NCHW>>
  %b = npu.add %t, %t : tensor<2x3xf32, #npu.layout<Tensor>>
  %dead = npu.abs %t : tensor<2x3xf32, #npu.layout<Tensor>>
  func.return %a, %b : tensor<1x2x3x4xf32, #npu.layout<NCHW>>, tensor<2x3xf32, #npu.layout<Tensor>>
}
