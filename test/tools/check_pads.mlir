// RUN: sed '/npu.pad/d; s/%q, %w strides = \[2, 2\]/%x, %w strides = [2, 2] pads = [0, 0, 1, 1]/; s/9x9x2xf32>, t/8x8x2xf32>, t/' %s > %t.inside.mlir
// RUN: sed 's/high = \[0, 1, 1, 0\]/high = [0, 2, 2, 0]/; s/9x9x2/10x10x2/' %s > %t.unseen.mlir
// RUN: sed 's/low = \[0, 0, 0, 0\] high = \[0, 1, 1, 0\]/low = [0, 1, 1, 0] high = [0, 0, 0, 0]/' %s > %t.before.mlir
// RUN: npu-check %s %t.inside.mlir --arithmetic | filecheck %s
// RUN: npu-check %s %t.unseen.mlir --arithmetic | filecheck %s
// RUN: not npu-check %s %t.inside.mlir | filecheck %s --check-prefix=BITS
// RUN: not npu-check %s %t.before.mlir --arithmetic | filecheck %s --check-prefix=BEFORE

/// With --arithmetic, zeros around the data of a convolution are its pads, and those that no position reaches do not
/// matter. Without it, that is undecided.
// CHECK:      proved: {{.*}}check_pads.mlir and {{.*}}.mlir compute the same
// CHECK-NEXT: note: assumed: ops compute the arithmetic that defines them, step by step

// BITS:       undecided: @main: result 0 is not computed in the same way
// BITS:       note: @main was run on 1 random input (seed 0): the results agree

/// Pads in front of the data are others than those behind it.
// BEFORE:     different: @main
func.func @main(%x: tensor<?x8x8x2xf32>, %w: tensor<3x3x3x2xf32>) -> tensor<?x4x4x3xf32> {
  %q = npu.pad %x low = [0, 0, 0, 0] high = [0, 1, 1, 0] : (tensor<?x8x8x2xf32>) -> tensor<?x9x9x2xf32>
  %y = npu.conv2d %q, %w strides = [2, 2] data_layout = <NHWC> kernel_layout = <OHWI> : (tensor<?x9x9x2xf32>, tensor<3x3x3x2xf32>) -> tensor<?x4x4x3xf32>
  func.return %y : tensor<?x4x4x3xf32>
}
